//! Made-up articles with everything that columns may stumble over.

use medsift::article::{
    Affiliation, Author, Chemical, CorrectionKind, HistoryDate, Identifier, Journal, Keyword,
    KeywordList, Link, Markup, MarkupSpan, MeshHeading, MeshTerm, OtherId, Pages, PersonName,
    PubDate, RichText, Section,
};
use medsift::columnar::VectorModel;
use medsift::encoder::{ModelFingerprint, Pooling};
use medsift::index::{Completeness, PassageMode, StoredArticle};
use medsift::searcher::{EmbeddedArticle, EmbeddedPassage};
use medsift::{Article, ArticleId};
use proptest::option::of;
use proptest::prelude::*;

pub(super) const DIMENSION: usize = 3;

/// Whose vectors they are.
pub(super) fn model() -> VectorModel {
    VectorModel {
        model: ModelFingerprint {
            name: "made-up".into(),
            sha256: "0123456789abcdef".into(),
            dimension: DIMENSION,
            pooling: Pooling::Mean,
            dense: None,
            normalise: true,
            max_tokens: 64,
            query_prompt: String::new(),
            passage_prompt: String::new(),
        },
        passages: PassageMode::On,
        normalised: true,
    }
}

/// The article in two passages, cut at a character in its middle; in one where
/// there is only a title.
pub(super) fn embedded(article: Article) -> EmbeddedArticle {
    let text = article.running_text().text;
    let has_text = !text.is_empty() || !article.display_title().is_empty();
    let middle = (0..=text.len() / 2)
        .rev()
        .find(|place| text.is_char_boundary(*place));
    let middle = middle.unwrap_or_default();
    let mut ranges = vec![0..middle, middle..text.len()];
    ranges.retain(|range| !range.is_empty());
    if ranges.is_empty() && has_text {
        ranges.push(0..0);
    }
    let passages = ranges.into_iter().enumerate().map(|(ordinal, range)| {
        // No number of it is exact, and its length is not exactly 1.
        let angle = (ordinal + range.end) as f32 * 0.7;
        EmbeddedPassage {
            ordinal: ordinal as u32,
            range: range.start as u32..range.end as u32,
            vector: vec![angle.sin() * 0.6, angle.cos() * 0.6, 0.8 + 1e-5],
        }
    });
    EmbeddedArticle {
        passages: passages.collect(),
        stored: StoredArticle {
            source: "made-up.xml".into(),
            content: String::new(),
            completeness: Completeness::Full,
            article,
        },
    }
}

fn text() -> impl Strategy<Value = String> {
    "[a-zA-Z0-9 äß€é\u{1F600}\"\\\\,;:/\n\t-]{0,24}"
}

fn some_text() -> impl Strategy<Value = Option<String>> {
    of(text())
}

fn rich() -> impl Strategy<Value = RichText> {
    (text(), any::<bool>()).prop_map(|(plain, styled)| {
        let end = plain.char_indices().nth(3).map(|(at, _)| at as u32);
        let span = end.filter(|_| styled).map(|end| MarkupSpan {
            start: 0,
            end,
            kind: Markup::Sup,
        });
        RichText {
            plain,
            markup: span.into_iter().collect(),
        }
    })
}

fn section() -> impl Strategy<Value = Section> {
    (some_text(), some_text(), rich()).prop_map(|(label, category, text)| Section {
        label,
        category,
        text,
    })
}

fn term() -> impl Strategy<Value = MeshTerm> {
    (text(), of("D[0-9]{3}")).prop_map(|(name, ui)| MeshTerm { name, ui })
}

fn identifier() -> impl Strategy<Value = Identifier> {
    (prop_oneof![Just("ORCID".to_owned()), text()], text())
        .prop_map(|(source, value)| Identifier { source, value })
}

fn author() -> impl Strategy<Value = Author> {
    let name = (text(), some_text(), some_text(), some_text()).prop_map(
        |(last, fore, initials, suffix)| PersonName {
            last,
            fore,
            initials,
            suffix,
        },
    );
    let affiliation = (text(), prop::collection::vec(identifier(), 0..2))
        .prop_map(|(name, identifiers)| Affiliation { name, identifiers });
    (
        of(name),
        some_text(),
        prop::collection::vec(identifier(), 0..3),
        prop::collection::vec(affiliation, 0..3),
        any::<bool>(),
        any::<bool>(),
    )
        .prop_map(
            |(name, collective, identifiers, affiliations, equal, valid)| Author {
                name,
                collective,
                identifiers,
                affiliations,
                equal_contribution: equal,
                valid,
                role: None,
            },
        )
}

fn date() -> impl Strategy<Value = PubDate> {
    prop_oneof![
        (1800..2030, of(1_u8..13), of(1_u8..32)).prop_map(|(year, month, day)| {
            PubDate::calendar(year, month, day.filter(|_| month.is_some())).unwrap()
        }),
        (1900..2030, "Winter|Spring").prop_map(|(year, season)| PubDate::Season { year, season }),
        "(19[0-9]{2} )?[A-Z][a-z]{2}-[A-Z][a-z]{2}".prop_map(|text| PubDate::medline(&text)),
        // A text that looks like a calendar date and is none.
        "20[0-9]{2}( Mar)?".prop_map(|text| PubDate::medline(&text)),
    ]
}

fn heading() -> impl Strategy<Value = MeshHeading> {
    let qualifiers = prop::collection::vec((term(), any::<bool>()), 0..3);
    (
        term(),
        any::<bool>(),
        of(Just("Geographic".to_owned())),
        qualifiers,
    )
        .prop_map(|(descriptor, major, kind, qualifiers)| MeshHeading {
            descriptor,
            major,
            kind,
            qualifiers,
        })
}

fn keywords() -> impl Strategy<Value = KeywordList> {
    let keyword = (text(), any::<bool>()).prop_map(|(text, major)| Keyword { text, major });
    (of("NOTNLM|NASA"), prop::collection::vec(keyword, 0..3))
        .prop_map(|(owner, keywords)| KeywordList { owner, keywords })
}

fn other_id() -> impl Strategy<Value = OtherId> {
    ("doi|DOI|pmc|pii", text(), any::<bool>()).prop_map(|(kind, value, valid)| OtherId {
        kind,
        value,
        valid,
    })
}

fn journal() -> impl Strategy<Value = Journal> {
    (
        text(),
        some_text(),
        some_text(),
        some_text(),
        some_text(),
        some_text(),
    )
        .prop_map(
            |(title, medline_abbreviation, issn, volume, issue, country)| Journal {
                title,
                medline_abbreviation,
                issn,
                volume,
                issue,
                country,
                ..Journal::default()
            },
        )
}

/// Any article.
pub(super) fn any_article() -> impl Strategy<Value = Article> {
    let texts = (
        rich(),
        rich(),
        prop::collection::vec(section(), 0..3),
        prop::collection::vec(section(), 0..2),
    );
    let people = prop::collection::vec(author(), 0..3);
    let dates = (of(date()), prop::collection::vec(date(), 0..2));
    let source = (of(journal()), of((some_text(), some_text())));
    let subjects = (
        prop::collection::vec(heading(), 0..3),
        prop::collection::vec(keywords(), 0..3),
        prop::collection::vec((term(), some_text()), 0..2),
        prop::collection::vec(term(), 0..2),
    );
    let others = (
        prop::collection::vec(other_id(), 0..4),
        any::<bool>(),
        prop::collection::btree_map("[a-z]{1,4}", text(), 0..3),
        1_u32..4,
    );
    (
        "[1-9][0-9]{0,7}",
        texts,
        people,
        dates,
        source,
        subjects,
        others,
    )
        .prop_map(|(id, texts, authors, dates, source, subjects, others)| {
            let mut article = Article::new(ArticleId::new(&id).unwrap());
            (article.title, article.vernacular_title) = (texts.0, texts.1);
            (article.abstract_sections, article.body) = (texts.2, texts.3);
            article.authors = authors;
            article.published = dates.0;
            article.history = dates
                .1
                .into_iter()
                .map(|date| HistoryDate {
                    event: "pubmed".into(),
                    date,
                    time: None,
                })
                .collect();
            article.journal = source.0;
            article.pages = source.1.map(|(medline, start)| Pages {
                medline,
                start,
                end: None,
            });
            (article.mesh, article.keywords) = (subjects.0, subjects.1);
            let chemical = |(substance, registry_number)| Chemical {
                substance,
                registry_number,
            };
            article.chemicals = subjects.2.into_iter().map(chemical).collect();
            article.publication_types = subjects.3;
            article.other_ids = others.0;
            if others.1 {
                article.links.push(Link {
                    kind: CorrectionKind::RetractionIn,
                    source: String::new(),
                    pmid: Some("1".into()),
                    note: None,
                });
            }
            article.metadata = others
                .2
                .into_iter()
                .map(|(key, value)| (key, value.into()))
                .collect();
            article.version = others.3;
            article
        })
}
