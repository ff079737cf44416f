//! How a query was understood.

use super::text::clean;
use medsift::searcher::{RankedLeaf, RankedNode, SearchTranslation, TranslationTree};

/// The query as it was searched. With `terms`, also how many articles each
/// term finds by itself, and what plain words were looked up as; without, there
/// is nothing to tell of plain words.
pub(crate) fn lines(translation: &SearchTranslation, terms: bool) -> Vec<String> {
    match &translation.tree {
        TranslationTree::Selects(_) => selecting(translation, terms),
        TranslationTree::Ranks(tree) if terms => ranking(translation, tree),
        TranslationTree::Ranks(_) => Vec::new(),
    }
}

fn selecting(translation: &SearchTranslation, terms: bool) -> Vec<String> {
    let query = clean(&translation.query);
    let articles = translation.articles.unwrap_or_default();
    let mut lines = vec![format!("searched: {query} ({articles})")];
    if terms {
        for count in &translation.terms {
            lines.push(format!("{:>10}  {}", count.articles, clean(&count.term)));
        }
    }
    lines
}

fn ranking(translation: &SearchTranslation, tree: &RankedNode) -> Vec<String> {
    let mut lines = vec![format!("ranked by: {}", clean(&translation.query))];
    for leaf in tree.leaves() {
        if let RankedLeaf::Word(word) = leaf
            && !word.forms.is_empty()
            && word.forms != [word.text.as_str()]
        {
            let forms = clean(&word.forms.join(", "));
            lines.push(format!("  {} as {forms}", clean(&word.text)));
        }
    }
    if !translation.passed_over.is_empty() {
        let words = clean(&translation.passed_over.join(", "));
        lines.push(format!("passed over: {words}"));
    }
    lines
}

#[cfg(test)]
mod tests {
    use super::*;
    use medsift::keyword::{QueryWord, TermCount};
    use medsift::query::pubmed::{Limits, parse};

    #[test]
    fn terms_are_listed_where_they_are_asked_for() {
        let tree = parse("gout[ti] OR diet[ti]", Limits::default()).expect("a query");
        let translation = SearchTranslation {
            query: tree.to_string(),
            words: "gout diet".to_owned(),
            articles: Some(3),
            terms: vec![TermCount {
                term: "gout[Title]".to_owned(),
                articles: 2,
            }],
            passed_over: Vec::new(),
            tree: TranslationTree::Selects(tree),
        };
        let line = "searched: gout[Title] OR diet[Title] (3)";
        assert_eq!(lines(&translation, false), [line]);
        assert_eq!(lines(&translation, true), [line, "         2  gout[Title]"]);
    }

    #[test]
    fn of_plain_words_it_is_told_what_they_were_looked_up_as() {
        let word = |text: &str, form: &str| {
            RankedLeaf::Word(QueryWord {
                text: text.to_owned(),
                forms: vec![form.to_owned()],
            })
        };
        let tree = RankedNode::any_of(vec![word("gout", "gout"), word("attacks", "attack")]);
        let tree = tree.expect("two words");
        let translation = SearchTranslation {
            query: tree.to_string(),
            words: "attacks of gout".to_owned(),
            articles: None,
            terms: Vec::new(),
            passed_over: vec!["of".to_owned()],
            tree: TranslationTree::Ranks(tree),
        };
        assert_eq!(lines(&translation, false), [""; 0]);
        let told = [
            "ranked by: gout OR attacks",
            "  attacks as attack",
            "passed over: of",
        ];
        assert_eq!(lines(&translation, true), told);
    }
}
