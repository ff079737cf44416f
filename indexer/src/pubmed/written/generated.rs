//! Articles as a reader of PubMed XML leaves them, made up at random.

use medsift::article::*;
use medsift::{Article, ArticleId};
use proptest::collection::vec;
use proptest::option;
use proptest::prelude::*;
use serde_json::{Value, json};

/// Text as readers leave it, with everything that XML would take for its own.
fn text() -> impl Strategy<Value = String> {
    "[!-~éαß字]{1,6}( [!-~éαß字]{1,6}){0,2}"
}

fn word() -> impl Strategy<Value = String> {
    "[A-Za-z0-9&<\"-]{1,8}"
}

fn rich() -> impl Strategy<Value = RichText> {
    (
        text(),
        vec(
            (any::<prop::sample::Index>(), any::<prop::sample::Index>()),
            0..3,
        ),
    )
        .prop_map(|(plain, pairs)| {
            // Spans as a reader finds them: whole characters that are no space
            // at either end, each within the one before it or behind it.
            let places: Vec<(usize, usize)> = plain
                .char_indices()
                .filter(|(_, c)| *c != ' ')
                .map(|(at, c)| (at, at + c.len_utf8()))
                .collect();
            let (mut first, mut last) = (0, places.len());
            let mut markup = Vec::new();
            let kinds = [Markup::Sub, Markup::I, Markup::Math];
            for ((one, other), kind) in pairs.into_iter().zip(kinds) {
                if first >= last {
                    break;
                }
                let one = first + one.index(last - first);
                let other = one + other.index(last - one);
                markup.push(MarkupSpan {
                    start: places[one].0 as u32,
                    end: places[other].1 as u32,
                    kind,
                });
                (first, last) = (one, other + 1);
            }
            RichText { plain, markup }
        })
}

fn date() -> impl Strategy<Value = PubDate> {
    prop_oneof![
        (
            1800..2100_i32,
            option::of((1..=12_u8, option::of(1..=31_u8)))
        )
            .prop_map(|(year, rest)| {
                let (month, day) = rest.map_or((None, None), |(month, day)| (Some(month), day));
                PubDate::calendar(year, month, day).unwrap()
            }),
        (1800..2100_i32, "[A-Z][a-z]{3,6}")
            .prop_map(|(year, season)| PubDate::Season { year, season }),
        "(1998 Dec-1999 Jan|[A-Z][a-z]{2,5}-[A-Z][a-z]{2,5})"
            .prop_map(|text| PubDate::medline(&text)),
    ]
}

/// Events in the order in which the format has them.
fn history() -> impl Strategy<Value = Vec<HistoryDate>> {
    let day = || {
        (1800..2100_i32, 1..=12_u8, 1..=31_u8)
            .prop_map(|(year, month, day)| PubDate::calendar(year, Some(month), Some(day)).unwrap())
    };
    let event = |name: &str, date: PubDate, time: Option<(u8, u8)>| HistoryDate {
        event: name.to_owned(),
        date,
        time: time.map(|(hour, minute)| format!("{hour:02}:{minute:02}")),
    };
    let record = vec(
        (
            prop::sample::select(vec!["completed", "last-revised"]),
            day(),
        ),
        0..3,
    );
    let time = option::of((0..24_u8, 0..60_u8));
    let names = vec![
        "created", "received", "accepted", "pubmed", "medline", "entrez", "revised",
    ];
    let rest = vec((prop::sample::select(names), day(), time), 0..4);
    (record, option::of(day()), rest).prop_map(move |(record, electronic, rest)| {
        let record = record
            .into_iter()
            .map(|(name, date)| event(name, date, None));
        let electronic = electronic.map(|date| event("electronic", date, None));
        let rest = rest
            .into_iter()
            .map(|(name, date, time)| event(name, date, time));
        record.chain(electronic).chain(rest).collect()
    })
}

fn identifiers() -> impl Strategy<Value = Vec<Identifier>> {
    vec(
        (word(), text()).prop_map(|(source, value)| Identifier { source, value }),
        0..2,
    )
}

fn affiliations() -> impl Strategy<Value = Vec<Affiliation>> {
    vec(
        (text(), identifiers()).prop_map(|(name, identifiers)| Affiliation { name, identifiers }),
        0..2,
    )
}

fn name() -> impl Strategy<Value = PersonName> {
    (
        text(),
        option::of(text()),
        option::of(word()),
        option::of(word()),
    )
        .prop_map(|(last, fore, initials, suffix)| PersonName {
            last,
            fore,
            initials,
            suffix,
        })
}

fn author(role: Option<&'static str>) -> impl Strategy<Value = Author> {
    let who = prop_oneof![
        name().prop_map(|name| (Some(name), None)),
        text().prop_map(|group| (None, Some(group))),
        (name(), text()).prop_map(|(name, group)| (Some(name), Some(group))),
    ];
    (who, identifiers(), affiliations(), any::<(bool, bool)>()).prop_map(
        move |((name, collective), identifiers, affiliations, (equal_contribution, valid))| {
            Author {
                name,
                collective,
                identifiers,
                affiliations,
                equal_contribution,
                valid,
                role: role.map(str::to_owned),
            }
        },
    )
}

fn people() -> impl Strategy<Value = Vec<Author>> {
    vec(author(None).boxed(), 0..3)
}

fn person() -> impl Strategy<Value = NamedPerson> {
    (name(), identifiers(), affiliations(), any::<bool>()).prop_map(
        |(name, identifiers, affiliations, valid)| NamedPerson {
            name,
            identifiers,
            affiliations,
            valid,
        },
    )
}

fn term() -> impl Strategy<Value = MeshTerm> {
    (text(), option::of(word())).prop_map(|(name, ui)| MeshTerm { name, ui })
}

fn heading() -> impl Strategy<Value = MeshHeading> {
    let qualifiers = vec((term(), any::<bool>()), 0..3);
    (term(), any::<bool>(), option::of(word()), qualifiers).prop_map(
        |(descriptor, major, kind, qualifiers)| MeshHeading {
            descriptor,
            major,
            kind,
            qualifiers,
        },
    )
}

fn sections() -> impl Strategy<Value = Vec<Section>> {
    let one = (option::of(text()), option::of(word()), rich());
    vec(
        one.prop_map(|(label, category, text)| Section {
            label,
            category,
            text,
        }),
        0..3,
    )
}

/// Identifiers in the order in which the format has them, each once.
fn other_ids() -> impl Strategy<Value = Vec<OtherId>> {
    let id = |kinds: Vec<&'static str>| {
        (prop::sample::select(kinds), word()).prop_map(|(kind, value)| (kind, value))
    };
    let electronic = vec((id(vec!["doi", "pii"]), any::<bool>()), 0..3);
    let library = vec(id(vec!["NASA", "KIE", ""]), 0..2);
    let listed = vec(id(vec!["pmc", "mid", "pubmed", "bookaccession"]), 0..3);
    (electronic, library, listed).prop_map(|(electronic, library, listed)| {
        let mut ids: Vec<OtherId> = Vec::new();
        let others = library.into_iter().chain(listed).map(|id| (id, true));
        for ((kind, value), valid) in electronic.into_iter().chain(others) {
            if !ids
                .iter()
                .any(|known| known.kind == kind && known.value == value)
            {
                ids.push(OtherId {
                    kind: kind.to_owned(),
                    value,
                    valid,
                });
            }
        }
        ids
    })
}

fn references() -> impl Strategy<Value = Vec<Reference>> {
    let ids = vec(
        (prop::sample::select(vec!["pubmed", "doi", "pmc"]), word()),
        0..3,
    );
    let one = (
        text(),
        option::of(prop::sample::select(vec!["Web", "Print"])),
        ids,
    );
    vec(one, 0..4).prop_map(|all| {
        let reference =
            |(citation, title, mut ids): (String, Option<&str>, Vec<(&str, String)>)| {
                ids.sort();
                ids.dedup();
                Reference {
                    citation,
                    list_title: title.map(str::to_owned),
                    ids: ids
                        .into_iter()
                        .map(|(kind, value)| OtherId {
                            kind: kind.to_owned(),
                            value,
                            valid: true,
                        })
                        .collect(),
                }
            };
        all.into_iter().map(reference).collect()
    })
}

prop_compose! {
    /// What articles and books have alike.
    fn common()(
        (id, version) in (1..99_999_999_u32, 1..4_u32),
        (title, vernacular_title) in (rich().boxed(), prop_oneof![Just(RichText::default()), rich().boxed()]),
        (abstract_sections, copyright) in (sections().boxed(), option::of(text())),
        (authors, authors_complete) in (people().boxed(), any::<bool>()),
        editors in vec(author(Some("editors")).boxed(), 0..2),
        investigators in vec(person().boxed(), 0..2),
        pages in option::of((option::of(word()), option::of(word()), option::of(word()))),
        published in option::of(date()),
        languages in vec(word(), 0..2),
        publication_types in vec(term(), 0..3),
        keywords in vec((option::of(word()), vec((text(), any::<bool>()), 1..3)), 0..2),
        grants in vec((text(), option::of(text()), option::of(text()), option::of(text())), 0..2),
        grants_complete in any::<bool>(),
        references in references().boxed(),
        publication_status in option::of(word()),
    ) -> Article {
        let mut article = Article::new(ArticleId::new(&id.to_string()).unwrap());
        article.version = version;
        (article.title, article.vernacular_title) = (title, vernacular_title);
        (article.abstract_sections, article.copyright) = (abstract_sections, copyright);
        (article.authors, article.authors_complete) = (authors, authors_complete);
        (article.editors, article.investigators) = (editors, investigators);
        let pages = pages.map(|(medline, start, end)| Pages { medline, start, end });
        article.pages = pages.filter(|pages| *pages != Pages::default());
        article.published = published;
        article.languages = languages;
        article.publication_types = publication_types;
        let list = |(owner, keywords): (Option<String>, Vec<(String, bool)>)| KeywordList {
            owner,
            keywords: keywords.into_iter().map(|(text, major)| Keyword { text, major }).collect(),
        };
        article.keywords = keywords.into_iter().map(list).collect();
        let grant = |(id, acronym, agency, country)| Grant {
            id: Some(id), acronym, agency, country,
        };
        article.grants = grants.into_iter().map(grant).collect();
        article.grants_complete = grants_complete;
        article.references = references;
        article.publication_status = publication_status;
        article
    }
}

prop_compose! {
    fn journal()(
        (title, iso_abbreviation, medline_abbreviation) in
            (text(), option::of(text()), option::of(text())),
        (nlm_id, issn, issn_type, issn_linking) in
            (option::of(word()), option::of(word()), option::of(word()), option::of(word())),
        (volume, issue, cited_medium, country) in
            (option::of(word()), option::of(word()), option::of(word()), option::of(text())),
    ) -> Journal {
        Journal {
            title, iso_abbreviation, medline_abbreviation, nlm_id, issn, issn_type, issn_linking,
            volume, issue, cited_medium, country,
        }
    }
}

prop_compose! {
    pub(crate) fn journal_articles()(
        article in common().boxed(),
        journal in journal().boxed(),
        history in history().boxed(),
        (status, owner, indexing_method, model) in
            (option::of(word()), option::of(word()), option::of(word()), option::of(word())),
        mesh in vec(heading().boxed(), 0..3),
        concepts in vec((term(), option::of(word())), 0..2),
        chemicals in vec((term(), option::of(word())), 0..2),
        (gene_symbols, subsets, missions) in (vec(word(), 0..2), vec(word(), 0..2), vec(text(), 0..2)),
        databanks in vec((text(), vec(word(), 0..3)), 0..2),
        databanks_complete in any::<bool>(),
        links in vec((links(), text(), option::of(word()), option::of(text())), 0..3),
        other_ids in other_ids().boxed(),
        others in vec((option::of(word()), option::of(word()), sections().boxed(), text()), 0..2),
        (count, conflict) in (option::of(word()), option::of(text())),
        subjects in vec(name(), 0..2),
        notes in vec((option::of(word()), text()), 0..2),
        versions in option::of((word(), word())),
    ) -> Article {
        let mut article = article;
        article.journal = Some(journal);
        article.history = history;
        (article.status, article.owner, article.indexing_method) = (status, owner, indexing_method);
        article.publication_model = model;
        article.mesh = mesh;
        let concept = |(concept, kind)| SupplementaryConcept { concept, kind };
        article.supplementary_concepts = concepts.into_iter().map(concept).collect();
        let chemical = |(substance, registry_number)| Chemical { substance, registry_number };
        article.chemicals = chemicals.into_iter().map(chemical).collect();
        (article.gene_symbols, article.citation_subsets) = (gene_symbols, subsets);
        article.space_flight_missions = missions;
        let bank = |(name, accessions)| Databank { name, accessions };
        article.databanks = databanks.into_iter().map(bank).collect();
        article.databanks_complete = databanks_complete;
        let link = |(kind, source, pmid, note)| Link { kind, source, pmid, note };
        article.links = links.into_iter().map(link).collect();
        let own = article.id.to_string();
        article.other_ids = other_ids;
        article.other_ids.retain(|id| id.kind != "pubmed" || id.value != own);
        let other = |(kind, language, sections, copyright)| OtherAbstract {
            kind, language, sections, copyright: Some(copyright),
        };
        article.other_abstracts = others.into_iter().map(other).collect();
        (article.reference_count, article.conflict_of_interest) = (count, conflict);
        let subject = |name| NamedPerson { name, ..NamedPerson::default() };
        article.personal_name_subjects = subjects.into_iter().map(subject).collect();
        article.notes = notes.into_iter().map(|(owner, text)| Note { owner, text }).collect();
        if let Some((id, date)) = versions {
            article.metadata.insert("version_id".into(), Value::String(id));
            article.metadata.insert("version_date".into(), Value::String(date));
        }
        article
    }
}

fn links() -> impl Strategy<Value = CorrectionKind> {
    let names = [
        "Cites",
        "CommentIn",
        "CorrectedandRepublishedFrom",
        "RetractionIn",
        "RetractedandRepublishedIn",
        "UpdateOf",
        "PartialRetractionIn",
    ];
    prop::sample::select(names.to_vec()).prop_map(CorrectionKind::parse)
}

prop_compose! {
    pub(crate) fn books()(
        article in common().boxed(),
        is_chapter in any::<bool>(),
        title in rich().boxed(),
        (publisher, place, volume, volume_title) in
            (option::of(text()), option::of(text()), option::of(word()), option::of(text())),
        (edition, collection_title, medium, report_number) in
            (option::of(text()), option::of(text()), option::of(word()), option::of(word())),
        (isbn, location, section_titles) in
            (vec(word(), 0..2), vec("(chapter |part |)[A-Za-z0-9]{1,4}", 0..2), vec(text(), 0..3)),
        (beginning, ending) in (option::of(date()), option::of(date())),
        (accession, doi) in (word(), option::of(word())),
        (locator, items) in (option::of(word()), vec(text(), 0..3)),
        day in option::of((1900..2100_i32, 1..=12_u8, 1..=31_u8)),
    ) -> Article {
        let mut article = article;
        article.kind = ArticleKind::Book;
        if !is_chapter {
            article.title = RichText::default();
        }
        article.book = Some(Book {
            title, publisher, place, volume, volume_title, edition, collection_title, isbn,
            medium, report_number, beginning, ending, location, section_titles,
        });
        let id = |kind: &str, value: String, valid| OtherId { kind: kind.into(), value, valid };
        article.other_ids.push(id("bookaccession", accession, true));
        article.other_ids.extend(doi.map(|doi| id("doi", doi, false)));
        if let Some(book) = locator {
            article.metadata.insert("book".into(), Value::String(book));
        }
        if !items.is_empty() {
            article.metadata.insert("item_lists".into(), json!({"synonyms": items}));
        }
        for event in ["contribution", "last-revised", "pubmed"] {
            article.history.extend(day.map(|(year, month, day)| HistoryDate {
                event: event.into(),
                date: PubDate::calendar(year, Some(month), Some(day)).unwrap(),
                time: None,
            }));
        }
        article
    }
}
