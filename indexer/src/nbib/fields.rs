//! Tags of the article itself.

use super::{Field, values};
use medsift::Article;
use medsift::article::{
    Book, Journal, Keyword, KeywordList, MeshTerm, Note, OtherAbstract, OtherId, Pages, Section,
    SupplementaryConcept,
};

/// Puts a field into its place; `false` where it has none.
pub(super) fn take(article: &mut Article, field: &Field<'_>) -> bool {
    let value = field.value.as_str();
    journal(article, field.tag, value)
        || book(article, field.tag, value)
        || date(article, field.tag, value)
        || link(article, field.tag, value)
        || subject(article, field.tag, value)
        || record(article, field.tag, value)
}

/// Sets what is set once; `false` where it is set already, so that a second
/// value is kept elsewhere.
fn set(slot: &mut Option<String>, value: &str) -> bool {
    let free = slot.is_none();
    if free {
        *slot = Some(value.to_owned());
    }
    free
}

fn record(article: &mut Article, tag: &str, value: &str) -> bool {
    match tag {
        "TI" if article.title.is_empty() => article.title = value.into(),
        "TT" if article.vernacular_title.is_empty() => article.vernacular_title = value.into(),
        "AB" => article.abstract_sections.push(Section {
            text: value.into(),
            ..Section::default()
        }),
        "OAB" => other_abstract(article, value),
        "OABL" => match article.other_abstracts.last_mut() {
            Some(last) => return set(&mut last.language, value),
            None => return false,
        },
        "OCI" => match article.other_abstracts.last_mut() {
            Some(last) => return set(&mut last.copyright, value),
            None => return set(&mut article.copyright, value),
        },
        "CI" => return set(&mut article.copyright, value),
        "STAT" => return set(&mut article.status, value),
        "OWN" => return set(&mut article.owner, value),
        "PST" => return set(&mut article.publication_status, value),
        "PUBM" => return set(&mut article.publication_model, value),
        "RF" | "NR" => return set(&mut article.reference_count, value),
        "COIS" | "COI" => return set(&mut article.conflict_of_interest, value),
        "PG" if article.pages.is_none() => {
            article.pages = Some(Pages {
                medline: Some(value.to_owned()),
                ..Pages::default()
            });
        }
        "LA" => article.languages.push(value.to_owned()),
        "SB" => article.citation_subsets.push(value.to_owned()),
        "SFM" => article.space_flight_missions.push(value.to_owned()),
        "GN" => article.notes.push(Note {
            owner: None,
            text: value.to_owned(),
        }),
        "GR" => article.grants.push(values::grant(value)),
        "SI" => values::add_databank(&mut article.databanks, value),
        "AID" | "LID" => add_id(article, values::article_id(value)),
        "OID" => add_id(article, values::sourced_id(value)),
        "PMC" => add_id(article, named("pmc", value)),
        "MID" => add_id(article, named("mid", value)),
        _ => return false,
    }
    true
}

fn named(kind: &str, value: &str) -> OtherId {
    OtherId {
        kind: kind.to_owned(),
        value: value.to_owned(),
        valid: true,
    }
}

fn add_id(article: &mut Article, id: OtherId) {
    crate::pubmed::add_id(&mut article.other_ids, id.kind, Some(id.value), id.valid);
}

/// `Publisher: Abstract available from the publisher.`
fn other_abstract(article: &mut Article, value: &str) {
    const KINDS: [&str; 7] = [
        "Publisher",
        "AAMC",
        "AIDS",
        "KIE",
        "PIP",
        "NASA",
        "Consumer",
    ];
    let (kind, text) = match value.split_once(": ") {
        Some((kind, text)) if KINDS.contains(&kind) => (Some(kind.to_owned()), text),
        _ => (None, value),
    };
    article.other_abstracts.push(OtherAbstract {
        kind,
        language: None,
        sections: vec![Section {
            text: text.into(),
            ..Section::default()
        }],
        copyright: None,
    });
}

fn journal(article: &mut Article, tag: &str, value: &str) -> bool {
    if !matches!(tag, "JT" | "TA" | "JID" | "IS" | "VI" | "IP" | "PL") {
        return false;
    }
    let journal = article.journal.get_or_insert_with(Journal::default);
    match tag {
        "JT" if journal.title.is_empty() => {
            journal.title = value.to_owned();
            true
        }
        "TA" => set(&mut journal.medline_abbreviation, value),
        "JID" => set(&mut journal.nlm_id, value),
        "VI" => set(&mut journal.volume, value),
        "IP" => set(&mut journal.issue, value),
        "PL" => set(&mut journal.country, value),
        "IS" => match value.split_once(" (") {
            Some((issn, "Linking)")) => set(&mut journal.issn_linking, issn),
            Some((issn, kind)) => {
                let is_first = set(&mut journal.issn, issn);
                if is_first {
                    journal.issn_type = Some(kind.trim_end_matches(')').to_owned());
                }
                is_first
            }
            None => set(&mut journal.issn, value),
        },
        _ => false,
    }
}

fn book(article: &mut Article, tag: &str, value: &str) -> bool {
    if !matches!(tag, "BTI" | "CTI" | "VTI" | "EN" | "ISBN" | "PB" | "CP") {
        return false;
    }
    let book = article.book.get_or_insert_with(Book::default);
    match tag {
        "BTI" if book.title.is_empty() => {
            book.title = value.into();
            true
        }
        "ISBN" => {
            book.isbn.push(value.to_owned());
            true
        }
        "CTI" => set(&mut book.collection_title, value),
        "VTI" => set(&mut book.volume_title, value),
        "EN" => set(&mut book.edition, value),
        "PB" => set(&mut book.publisher, value),
        "CP" => {
            book.location.push(format!("chapter {value}"));
            true
        }
        _ => false,
    }
}

fn date(article: &mut Article, tag: &str, value: &str) -> bool {
    let event = match tag {
        "DP" if article.published.is_none() => {
            article.published = Some(values::published(value));
            return true;
        }
        "PHST" => {
            article.history.push(values::history(value));
            return true;
        }
        // The same names as the same dates have in XML.
        "DA" => "created",
        "DCOM" => "completed",
        "LR" | "DRDT" => "last-revised",
        "DEP" => "electronic",
        "EDAT" => "pubmed",
        "MHDA" => "medline",
        "CRDT" => "entrez",
        "CTDT" => "contribution",
        "PMCR" => "pmc-release",
        _ => return false,
    };
    article.history.push(values::event(event, value));
    true
}

fn link(article: &mut Article, tag: &str, value: &str) -> bool {
    let kind = match tag {
        "CON" => "CommentOn",
        "CIN" => "CommentIn",
        "EIN" => "ErratumIn",
        "EFR" => "ErratumFor",
        "CRI" => "CorrectedandRepublishedIn",
        "CRF" => "CorrectedandRepublishedFrom",
        "ECI" => "ExpressionOfConcernIn",
        "ECF" => "ExpressionOfConcernFor",
        "RPI" => "RepublishedIn",
        "RPF" => "RepublishedFrom",
        "RIN" => "RetractionIn",
        "ROF" => "RetractionOf",
        "RRI" => "RetractedandRepublishedIn",
        "RRF" => "RetractedandRepublishedFrom",
        "PRIN" => "PartialRetractionIn",
        "PROF" => "PartialRetractionOf",
        "UIN" => "UpdateIn",
        "UOF" => "UpdateOf",
        "SPIN" => "SummaryForPatientsIn",
        "ORI" => "OriginalReportIn",
        "RIX" => "ReprintIn",
        "ROX" => "ReprintOf",
        "DDIN" => "DatasetDescribedIn",
        "DRIN" => "DatasetUseReportedIn",
        _ => return false,
    };
    article.links.push(values::link(kind, value));
    true
}

fn subject(article: &mut Article, tag: &str, value: &str) -> bool {
    let term = || MeshTerm {
        name: value.to_owned(),
        ui: None,
    };
    match tag {
        "PT" => article.publication_types.push(term()),
        "MH" => article.mesh.push(values::mesh(value)),
        "RN" => article.chemicals.push(values::chemical(value)),
        "NM" => article.supplementary_concepts.push(SupplementaryConcept {
            concept: term(),
            kind: None,
        }),
        "GS" => article.gene_symbols.push(value.to_owned()),
        "OTO" => article.keywords.push(KeywordList {
            owner: Some(value.to_owned()),
            keywords: Vec::new(),
        }),
        "OT" => {
            if article.keywords.is_empty() {
                article.keywords.push(KeywordList::default());
            }
            let text = value.trim_start_matches('*');
            let list = article.keywords.last_mut();
            list.into_iter().for_each(|list| {
                list.keywords.push(Keyword {
                    text: text.to_owned(),
                    major: text.len() < value.len(),
                });
            });
        }
        _ => return false,
    }
    true
}
