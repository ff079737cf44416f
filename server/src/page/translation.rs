//! How a query was understood.

use super::html::Html;
use super::number::counted;
use medsift::searcher::{
    RankedLeaf, RankedNode, SearchResponse, SearchTranslation, TranslationTree,
};

/// Writes it to be opened; where nothing was found it is open, since the reason
/// is mostly in there.
pub(super) fn write(html: &mut Html, response: &SearchResponse) {
    let Some(translation) = &response.translation else {
        return;
    };
    let mut attributes = vec![("class", "translation")];
    if response.hits.is_empty() {
        attributes.push(("open", ""));
    }
    html.element("details", &attributes, |html| {
        html.leaf("summary", &[], "How the query was understood");
        match &translation.tree {
            TranslationTree::Selects(_) => selecting(html, translation),
            TranslationTree::Ranks(tree) => ranking(html, translation, tree),
        }
    });
}

fn selecting(html: &mut Html, translation: &SearchTranslation) {
    html.element("p", &[], |html| {
        html.leaf("code", &[], &translation.query);
    });
    html.element("ul", &[], |html| {
        for term in &translation.terms {
            html.element("li", &[], |html| {
                html.leaf("code", &[], &term.term)
                    .text(": ")
                    .text(counted(term.articles, "article"));
            });
        }
    });
}

fn ranking(html: &mut Html, translation: &SearchTranslation, tree: &RankedNode) {
    let by = match tree.leaves() {
        [_] => "Articles are ranked by:",
        _ => "Articles are ranked by any of these, not by all:",
    };
    html.leaf("p", &[], by);
    html.element("ul", &[], |html| {
        for leaf in tree.leaves() {
            html.element("li", &[], |html| ranked(html, leaf));
        }
    });
    if !translation.passed_over.is_empty() {
        let words = translation.passed_over.join(", ");
        html.leaf("p", &[], format!("Passed over: {words}."));
    }
}

fn ranked(html: &mut Html, leaf: &RankedLeaf) {
    match leaf {
        RankedLeaf::Word(word) => {
            html.text("the word ").leaf("code", &[], &word.text);
            if word.forms.is_empty() {
                html.text(", which no article holds");
            } else if word.forms != [word.text.as_str()] {
                html.text(", looked up as ")
                    .leaf("code", &[], word.forms.join(", "));
            }
        }
        RankedLeaf::Meaning { text } => {
            html.text("the meaning of ").leaf("code", &[], text);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::page::samples;

    #[test]
    fn plain_words_are_told_with_what_they_were_looked_up_as() {
        let mut response = samples::response();
        response.translation = Some(samples::ranked_by("muscle pains", &["and", "<of>"]));
        let mut html = Html::default();
        write(&mut html, &response);
        let html = html.finish();
        for part in [
            "<li>the word <code>muscle</code>, looked up as <code>muscl</code></li>",
            "<li>the word <code>pains</code>, looked up as <code>pain</code></li>",
            "<li>the meaning of <code>muscle pains</code></li>",
            "<p>Passed over: and, &lt;of&gt;.</p>",
        ] {
            assert!(html.contains(part), "{part} is not in\n{html}");
        }
        assert!(
            !html.contains("<details class=\"translation\" open"),
            "{html}"
        );
    }
}
