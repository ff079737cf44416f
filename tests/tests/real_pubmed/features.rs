//! What each name in `features.tsv` means for an article.

use crate::data::Row;
use medsift::Article;
use medsift::article::{ArticleKind, CorrectionKind, Markup, PubDate, RichText};

/// Whether a row is about this article.
pub(crate) fn is_of(article: &Article, row: &Row) -> bool {
    let is_same = article.id.as_str() == row["pmid"]
        && (row["version"].is_empty() || row["version"] == article.version.to_string());
    // A file may hold a record twice in different states.
    is_same && has_abstract(article) == (row["has_abstract"] == "1")
}

/// Whether there is any text; some records have labels only.
fn has_abstract(article: &Article) -> bool {
    let mut sections = article.abstract_sections.iter();
    sections.any(|section| !section.text.is_empty())
}

/// Whether the article has the feature.
pub(crate) fn has(article: &Article, feature: &str) -> bool {
    if let Some(status) = feature.strip_prefix("status_") {
        return article.status.as_deref() == Some(status);
    }
    if let Some(kind) = feature.strip_prefix("CC_") {
        // `?` marks a record of 2009, whose links are named by their elements.
        let kind = if kind == "?" { "CommentIn" } else { kind };
        let kind = CorrectionKind::parse(kind);
        return article.links.iter().any(|link| link.kind == kind);
    }
    bibliographic(article, feature)
        .or_else(|| text(article, feature))
        .or_else(|| people(article, feature))
        .or_else(|| subject(article, feature))
        .unwrap_or_else(|| panic!("the feature {feature} has no meaning here"))
}

fn bibliographic(article: &Article, feature: &str) -> Option<bool> {
    let history = |wanted: &[&str]| {
        let mut events = article.history.iter();
        events.any(|event| wanted.contains(&event.event.as_str()))
    };
    let id = |wanted: &[&str]| {
        let mut ids = article.other_ids.iter();
        ids.any(|id| wanted.contains(&id.kind.as_str()))
    };
    Some(match feature {
        "history" => history(&["pubmed", "medline", "entrez", "received", "parsers.medline"]),
        "ArticleDate" => history(&["electronic"]),
        "ELocationID" => id(&["doi", "pii"]),
        "OtherID" => id(&["NLM", "CLML", "KIE", "NASA", "NRCBL", "PIP", "POP"]),
        "MedlineDate" => matches!(article.published, Some(PubDate::Medline { .. })),
        "non_english" => article.languages.iter().any(|language| language != "eng"),
        "multi_language" => article.languages.len() > 1,
        "version_gt1" => article.version > 1,
        "PubmedBookArticle" => article.kind == ArticleKind::Book,
        "CommentsCorrectionsList" => !article.links.is_empty(),
        "ReferenceList" => !article.references.is_empty(),
        "reference_pmids" => {
            let mut ids = article
                .references
                .iter()
                .flat_map(|reference| &reference.ids);
            ids.any(|id| id.kind == "pubmed")
        }
        "GrantList" => !article.grants.is_empty(),
        "DataBankList" => !article.databanks.is_empty(),
        "clinicaltrials" => article.databanks.iter().any(|bank| {
            bank.name == "ClinicalTrials.gov" && bank.accessions.iter().any(|a| a.contains("NCT"))
        }),
        "pt_retracted" => {
            article.is_retracted() && publication_type(article, "Retracted Publication")
        }
        "pt_retraction" => publication_type(article, "Retraction of Publication"),
        _ => return None,
    })
}

fn publication_type(article: &Article, name: &str) -> bool {
    article
        .publication_types
        .iter()
        .any(|kind| kind.name == name)
}

fn text(article: &Article, feature: &str) -> Option<bool> {
    let sections = &article.abstract_sections;
    let is_math = |text: &RichText| text.markup.iter().any(|span| span.kind == Markup::Math);
    Some(match feature {
        "no_abstract" => !has_abstract(article),
        "structured" => sections.iter().any(|section| section.label.is_some()),
        "nlmcategory" => sections.iter().any(|section| section.category.is_some()),
        "copyright" => article.copyright.is_some(),
        "inline_abstract" => sections
            .iter()
            .any(|section| !section.text.markup.is_empty()),
        "inline_title" => !article.title.markup.is_empty(),
        "mathml" => {
            let keywords = article.keywords.iter().flat_map(|list| &list.keywords);
            is_math(&article.title)
                || sections.iter().any(|section| is_math(&section.text))
                || keywords.count() > 0
        }
        "empty_title" => article.title.is_empty(),
        "VernacularTitle" => !article.vernacular_title.is_empty(),
        "OtherAbstract" => {
            let mut sections = article
                .other_abstracts
                .iter()
                .flat_map(|other| &other.sections);
            sections.any(|section| !section.text.is_empty())
        }
        "CoiStatement" => article.conflict_of_interest.is_some(),
        "GeneralNote" => !article.notes.is_empty(),
        _ => return None,
    })
}

fn people(article: &Article, feature: &str) -> Option<bool> {
    let mut authors = article.authors.iter();
    let suffix = |name: &Option<medsift::article::PersonName>| {
        name.as_ref().is_some_and(|name| name.suffix.is_some())
    };
    Some(match feature {
        "author_identifier" => authors.any(|author| {
            let mut places = author.affiliations.iter();
            !author.identifiers.is_empty() || places.any(|place| !place.identifiers.is_empty())
        }),
        "author_suffix" => authors.any(|author| suffix(&author.name)),
        "CollectiveName" => authors.any(|author| author.collective.is_some()),
        "no_authors" => article.authors.is_empty(),
        "authors_incomplete" => !article.authors_complete,
        "over50authors" => article.authors.len() > 50,
        "InvestigatorList" => !article.investigators.is_empty(),
        "PersonalNameSubjectList" => !article.personal_name_subjects.is_empty(),
        _ => return None,
    })
}

fn subject(article: &Article, feature: &str) -> Option<bool> {
    Some(match feature {
        "MeshHeadingList" => !article.mesh.is_empty(),
        "mesh_qualifiers" => article
            .mesh
            .iter()
            .any(|heading| !heading.qualifiers.is_empty()),
        "ChemicalList" => !article.chemicals.is_empty(),
        "KeywordList" => !article.keywords.is_empty(),
        "SupplMeshList" => !article.supplementary_concepts.is_empty(),
        "GeneSymbolList" => !article.gene_symbols.is_empty(),
        "SpaceFlightMission" => !article.space_flight_missions.is_empty(),
        _ => return None,
    })
}
