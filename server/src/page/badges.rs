//! The small words beside a citation that say what to beware of.

use super::html::Html;
use super::language;
use medsift::AbstractOrigin;
use medsift::article::{Article, CorrectionKind};

/// Publication types that tell a reader nothing: every article has one of
/// these, or they speak of money.
fn is_common(kind: &str) -> bool {
    matches!(
        kind,
        "Journal Article" | "English Abstract" | "Retracted Publication"
    ) || kind.starts_with("Research Support")
}

/// Retraction, expressions of concern, publication types, language, and what sort of abstract there is.
pub(crate) fn write(html: &mut Html, article: &Article, origin: &AbstractOrigin) {
    let mut list: Vec<(&'static str, String)> = Vec::new();
    if article.is_retracted() {
        list.push(("badge alarm", "Retracted".to_owned()));
    }
    let mut links = article.links.iter();
    if links.any(|link| link.kind == CorrectionKind::ExpressionOfConcernIn) {
        list.push(("badge alarm", "Expression of concern".to_owned()));
    }
    let kinds = article.publication_types.iter().map(|kind| &kind.name);
    list.extend(
        kinds
            .filter(|kind| !is_common(kind))
            .map(|kind| ("badge kind", kind.clone())),
    );
    let foreign = article
        .languages
        .iter()
        .filter(|code| !code.eq_ignore_ascii_case("eng"));
    list.extend(foreign.map(|code| ("badge", format!("In {}", language::name(code)))));
    match origin {
        AbstractOrigin::Main => {}
        AbstractOrigin::None => list.push(("badge", "No abstract".to_owned())),
        AbstractOrigin::Other { kind, language } => {
            list.push((
                "badge",
                other_abstract(kind.as_deref(), language.as_deref()),
            ));
        }
    }
    if list.is_empty() {
        return;
    }
    html.element(
        "ul",
        &[("class", "badges"), ("aria-label", "Notes")],
        |html| {
            for (class, text) in &list {
                html.leaf("li", &[("class", class)], text);
            }
        },
    );
}

/// `Abstract in German`, `Abstract: plain language summary`.
pub(crate) fn other_abstract(kind: Option<&str>, language: Option<&str>) -> String {
    let foreign = language.filter(|code| !code.eq_ignore_ascii_case("eng"));
    match (foreign, kind) {
        (Some(code), _) => format!("Abstract in {}", language::name(code)),
        (None, Some("Publisher")) => "Abstract from the publisher".to_owned(),
        (None, Some(kind)) => format!("Abstract: {}", kind.replace('-', " ")),
        (None, None) => "Other abstract".to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::page::samples;
    use medsift::article::Link;

    fn shown(article: &Article) -> String {
        let mut html = Html::default();
        write(&mut html, article, &article.display_abstract().1);
        html.finish()
    }

    #[test]
    fn what_matters_is_said() {
        let retracted = shown(&samples::retracted());
        assert!(retracted.contains("alarm\">Retracted<"), "{retracted}");
        assert!(retracted.contains(">No abstract<"));
        let german = shown(&samples::german());
        assert!(german.contains(">In German<"), "{german}");
        assert!(german.contains(">Abstract in German<"));
        let mut unknown = samples::german();
        unknown.languages = vec!["und".into()];
        assert!(shown(&unknown).contains(">In an unknown language<"));
        let trial = shown(&samples::trial());
        assert!(trial.contains(">Randomized Controlled Trial<"), "{trial}");
        assert!(!trial.contains("Journal Article"));
    }

    #[test]
    fn what_sort_of_publication_it_is_is_said() {
        for name in ["Preprint", "Review"] {
            let mut article = samples::trial();
            article.publication_types[1].name = name.into();
            let html = shown(&article);
            assert!(html.contains(&format!("\"badge kind\">{name}<")), "{html}");
        }
    }

    #[test]
    fn an_expression_of_concern_warns_of_the_article_that_it_is_about() {
        let with = |kind| {
            let mut article = samples::trial();
            article.links = vec![Link {
                kind,
                source: "J Made Up. 2022;1:1".into(),
                pmid: None,
                note: None,
            }];
            shown(&article)
        };
        let badge = "alarm\">Expression of concern<";
        let html = with(CorrectionKind::ExpressionOfConcernIn);
        assert!(html.contains(badge), "{html}");
        let notice = with(CorrectionKind::ExpressionOfConcernFor);
        assert!(!notice.contains(badge), "{notice}");
    }
}
