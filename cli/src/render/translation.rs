//! How a query of PubMed's language was understood.

use super::text::clean;
use medsift::searcher::SearchTranslation;

/// The query as it was searched; with `terms`, also how many articles each
/// term finds by itself.
pub(crate) fn lines(translation: &SearchTranslation, terms: bool) -> Vec<String> {
    let SearchTranslation {
        query, articles, ..
    } = translation;
    let mut lines = vec![format!("searched: {} ({articles})", clean(query))];
    if terms {
        for count in &translation.terms {
            lines.push(format!("{:>10}  {}", count.articles, clean(&count.term)));
        }
    }
    lines
}

#[cfg(test)]
mod tests {
    use super::*;
    use medsift::keyword::TermCount;
    use medsift::query::pubmed::{Limits, parse};

    #[test]
    fn terms_are_listed_where_they_are_asked_for() {
        let tree = parse("gout[ti] OR diet[ti]", Limits::default()).expect("a query");
        let translation = SearchTranslation {
            query: tree.to_string(),
            words: "gout diet".to_owned(),
            articles: 3,
            terms: vec![TermCount {
                term: "gout[Title]".to_owned(),
                articles: 2,
            }],
            tree,
        };
        let line = "searched: gout[Title] OR diet[Title] (3)";
        assert_eq!(lines(&translation, false), [line]);
        assert_eq!(lines(&translation, true), [line, "         2  gout[Title]"]);
    }
}
