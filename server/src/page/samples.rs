//! Made-up articles and responses for the tests of the pages.

use medsift::article::{
    Article, Author, Journal, Markup, MarkupSpan, MeshTerm, Note, OtherAbstract, OtherId, Pages,
    PersonName, PubDate, RichText, Section,
};
use medsift::encoder::Pooling;
use medsift::enrich::link::{Evidence, Link, Method};
use medsift::enrich::{ArticleEntities, EnrichmentReport, Entity};
use medsift::fusion::SideRank;
use medsift::index::{DiskUse, IndexStats};
use medsift::keyword::QueryWord;
use medsift::query::Mode;
use medsift::searcher::{
    Explanation, Found, Highlights, Hit, HitPassage, RankedLeaf, RankedNode, SearchResponse,
    SearchTranslation, Took, TranslationTree,
};
use medsift::{ArticleId, Fusion};
use std::sync::Arc;

fn blank(id: &str, title: &str) -> Article {
    let mut article = Article::new(ArticleId::new(id).unwrap());
    article.title = title.into();
    article.languages = vec!["eng".into()];
    article
}

fn kind(name: &str) -> MeshTerm {
    MeshTerm {
        name: name.into(),
        ui: None,
    }
}

fn section(label: Option<&str>, text: impl Into<RichText>) -> Section {
    Section {
        label: label.map(Into::into),
        category: None,
        text: text.into(),
    }
}

fn author(last: &str, initials: &str) -> Author {
    Author {
        name: Some(PersonName {
            last: last.into(),
            initials: Some(initials.into()),
            ..PersonName::default()
        }),
        ..Author::default()
    }
}

/// A trial with a structured abstract, subscripts, and everything in place.
pub(crate) fn trial() -> Article {
    let mut article = blank("99000001", "Muscle pain under statins: a made-up trial");
    article.publication_types = vec![kind("Journal Article"), kind("Randomized Controlled Trial")];
    article.authors = ["Able", "Baker", "Charlie"]
        .map(|last| author(last, "JA"))
        .into();
    article.journal = Some(Journal {
        title: "The Journal of Made-up Trials".into(),
        medline_abbreviation: Some("J Made Up Trials".into()),
        volume: Some("12".into()),
        issue: Some("3".into()),
        ..Journal::default()
    });
    article.pages = Some(Pages {
        medline: Some("123-9".into()),
        ..Pages::default()
    });
    article.published = Some(PubDate::calendar(2021, Some(3), Some(4)).unwrap());
    article.other_ids = vec![OtherId {
        kind: "doi".into(),
        value: "10.5555/sample.1".into(),
        valid: true,
    }];
    let sub = |start| MarkupSpan {
        start,
        end: start + 1,
        kind: Markup::Sub,
    };
    let background = RichText {
        plain: "Levels of H2O2 in muscle were not known. "
            .repeat(6)
            .trim()
            .into(),
        markup: vec![sub(11), sub(13)],
    };
    article.abstract_sections = vec![
        section(Some("BACKGROUND"), background),
        section(
            Some("METHODS"),
            "We asked 120 people for muscle pain each week.",
        ),
        section(
            Some("CONCLUSIONS"),
            "It was no more frequent than under placebo.",
        ),
    ];
    article
}

/// Retracted, without an abstract.
pub(crate) fn retracted() -> Article {
    let mut article = blank("99000002", "A finding that did not hold");
    article.publication_types = vec![kind("Journal Article"), kind("Retracted Publication")];
    article
}

/// German, with its abstract in German only.
pub(crate) fn german() -> Article {
    let mut article = blank("99000003", "[Muscle pain in old age].");
    article.vernacular_title = "Muskelschmerzen im Alter.".into();
    article.languages = vec!["ger".into()];
    article.other_abstracts = vec![OtherAbstract {
        kind: Some("Publisher".into()),
        language: Some("ger".into()),
        sections: vec![section(None, "Muskelschmerzen sind häufig.")],
        copyright: None,
    }];
    article
}

/// Every text tries to be markup.
pub(crate) fn hostile() -> Article {
    const EVIL: &str = "<script>alert('x')</script><img src=x onerror=alert(1)>\"'&";
    let mut article = blank("a<script>\"'/b", EVIL);
    article.vernacular_title = EVIL.into();
    article.publication_types = vec![kind(EVIL)];
    article.languages = vec![EVIL.into()];
    article.authors = vec![author(EVIL, EVIL)];
    article.authors[0].affiliations = vec![medsift::article::Affiliation {
        name: EVIL.into(),
        identifiers: Vec::new(),
    }];
    article.journal = Some(Journal {
        title: EVIL.into(),
        volume: Some(EVIL.into()),
        ..Journal::default()
    });
    article.abstract_sections = vec![
        section(Some(EVIL), EVIL),
        section(None, EVIL.repeat(9).as_str()),
    ];
    article.other_ids = ["doi", "pmc", EVIL]
        .map(|kind| OtherId {
            kind: kind.into(),
            value: format!("javascript:alert(1){EVIL}"),
            valid: true,
        })
        .into();
    article.conflict_of_interest = Some(EVIL.into());
    article.notes = vec![Note {
        owner: Some(EVIL.into()),
        text: EVIL.into(),
    }];
    article
        .metadata
        .insert(EVIL.into(), serde_json::json!({ EVIL: EVIL }));
    article
}

/// A hit around an article.
pub(crate) fn hit(rank: usize, article: Article) -> Hit {
    let text = article.running_text().text;
    Hit {
        id: article.id.clone(),
        rank,
        score: 1.0 / rank as f32,
        title: article.display_title().plain.clone(),
        abstract_origin: article.display_abstract().1,
        authors: article.authors.iter().map(Author::display).collect(),
        journal: None,
        published: None,
        year: article.year(),
        publication_types: Vec::new(),
        languages: article.languages.clone(),
        doi: None,
        pmc: None,
        retracted: article.is_retracted(),
        truncated: false,
        passage: (!text.is_empty()).then(|| HitPassage {
            ordinal: 0,
            start: 0,
            end: text.chars().count(),
            score: 0.7,
        }),
        highlights: Highlights::default(),
        entities: None,
        relations: None,
        explain: None,
        text,
        article: Arc::new(article),
    }
}

/// The same as [`response`], with a disease and a chemical marked in the first
/// hit, and no time left for the others.
pub(crate) fn enriched() -> SearchResponse {
    let mut response = response();
    let entity = |kind: &str, start: usize, text: &str, concept| Entity {
        kind: kind.into(),
        start,
        end: start + text.chars().count(),
        text: text.into(),
        score: 0.9,
        concept,
    };
    let myalgia = Link {
        id: "MESH:D063806".into(),
        name: "Myalgia".into(),
        evidence: Evidence {
            method: Method::Exact,
            score: 1.0,
        },
    };
    let hit = &mut response.hits[0];
    let at = hit.text.find("H2O2").unwrap();
    hit.entities = Some(ArticleEntities {
        title: vec![entity("Disease", 0, "Muscle pain", Some(myalgia))],
        text: vec![entity("Chemical", at, "H2O2", None)],
    });
    response.enrichment = Some(EnrichmentReport {
        model: "sample".into(),
        head: "entities".into(),
        relation_heads: Vec::new(),
        stored: 0,
        cached: 0,
        incomplete: Some("the time was over".into()),
        took_ms: 12.0,
    });
    response
}

/// Plain words as they are searched in both ways.
pub(crate) fn ranked_by(text: &str, passed_over: &[&str]) -> SearchTranslation {
    let mut leaves: Vec<RankedLeaf> = text
        .split(' ')
        .map(|word| {
            RankedLeaf::Word(QueryWord {
                text: word.into(),
                forms: vec![word.trim_end_matches(['e', 's']).into()],
            })
        })
        .collect();
    leaves.push(RankedLeaf::Meaning { text: text.into() });
    let tree = RankedNode::any_of(leaves).expect("a text");
    SearchTranslation {
        query: tree.to_string(),
        words: text.into(),
        articles: None,
        terms: Vec::new(),
        passed_over: passed_over.iter().map(|&word| word.into()).collect(),
        tree: TranslationTree::Ranks(tree),
    }
}

/// Three hits of a longer list.
pub(crate) fn response() -> SearchResponse {
    let mut first = hit(1, trial());
    first.highlights.title = vec![[0, 11]];
    first.explain = Some(Explanation {
        keyword: Some(SideRank {
            rank: 1,
            score: 7.25,
        }),
        semantic: Some(SideRank {
            rank: 2,
            score: 0.712,
        }),
    });
    SearchResponse {
        query: "muscle pain".into(),
        translation: Some(ranked_by("muscle pain", &[])),
        mode: Mode::Hybrid,
        sort: Default::default(),
        filter: Default::default(),
        fusion: Some(Fusion::default()),
        found: Found {
            candidates: 213,
            keyword_matches: Some(41),
            semantic_candidates: Some(200),
            more: false,
        },
        offset: 0,
        limit: 10,
        hits: vec![first, hit(2, retracted()), hit(3, german())],
        next_offset: Some(10),
        next_cursor: None,
        facets: None,
        warnings: Vec::new(),
        enrichment: None,
        model: Some("sample".into()),
        generation: 1,
        took: Took {
            total_ms: 17.6,
            encode_ms: 7.0,
            retrieve_ms: 6.0,
            fetch_ms: 2.0,
            enrich_ms: 0.0,
        },
    }
}

/// A small index.
pub(crate) fn stats() -> IndexStats {
    IndexStats {
        articles: 60,
        passages: 75,
        deleted_passages: 0,
        quarantined: 0,
        tombstones: 0,
        fallbacks: 0,
        generation: 1,
        committed_at: "2026-01-02T03:04:05Z".into(),
        format_version: 1,
        model: medsift::encoder::ModelFingerprint {
            name: "sample".into(),
            sha256: String::new(),
            dimension: 4,
            pooling: Pooling::Mean,
            dense: None,
            normalise: true,
            max_tokens: 256,
            query_prompt: String::new(),
            passage_prompt: String::new(),
        },
        vector_segments: 1,
        graph_segments: 0,
        disk: DiskUse::default(),
        mapped_bytes: 0,
        last_update_file: None,
        sources: Vec::new(),
        enriched: Vec::new(),
    }
}
