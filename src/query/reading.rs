//! In which language a query is written, and how it is read.

use super::identifier::{lone_identifier, refers_to_lines};
use super::pubmed::{self, Limits, Node};
use crate::error::{Error, Result};
use serde::{Deserialize, Serialize};
use std::str::FromStr;

/// The language of a query's text.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Syntax {
    /// PubMed's where the text uses it (field tags, operators in capitals,
    /// quoted phrases, truncation), else plain.
    #[default]
    Auto,
    /// Words; no character is syntax.
    Plain,
    /// PubMed's query language; a question in natural language stays one.
    Pubmed,
}

impl Syntax {
    /// Every syntax, in the order in which help texts name them.
    pub const ALL: [Self; 3] = [Self::Auto, Self::Plain, Self::Pubmed];

    /// The name in requests and responses.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Auto => "auto",
            Self::Plain => "plain",
            Self::Pubmed => "pubmed",
        }
    }
}

impl FromStr for Syntax {
    type Err = Error;
    fn from_str(text: &str) -> Result<Self> {
        Self::ALL
            .into_iter()
            .find(|syntax| syntax.as_str() == text)
            .ok_or_else(|| {
                Error::invalid(
                    "syntax",
                    format!("unknown syntax {text:?}: use auto, plain or pubmed"),
                )
            })
    }
}

/// How a query's text was read.
#[derive(Debug, Clone, Default, PartialEq)]
pub(super) struct Reading {
    /// The query, where it is one of PubMed's language.
    pub(super) tree: Option<Node>,
    /// What the words of it are, where there is a tree.
    pub(super) words: String,
    /// What was forgiven.
    pub(super) warnings: Vec<String>,
}

/// Reads a text.
///
/// # Errors
///
/// `InvalidInput` with position and remedy where it cannot be read, unless
/// faults are forgiven (`lenient`).
pub(super) fn read(text: &str, syntax: Syntax, lenient: bool) -> Result<Reading> {
    let mut reading = Reading::default();
    if syntax == Syntax::Auto
        && let Some(query) = lone_identifier(text)
    {
        reading.tree = pubmed::parse(&query, Limits::default()).ok();
        return Ok(reading);
    }
    if syntax != Syntax::Plain && refers_to_lines(text) {
        reading.warnings.push(
            "numbers behind # are read as words: `medsift strategy run FILE` joins the lines of a \
             strategy"
                .to_owned(),
        );
    }
    let is_pubmed = match syntax {
        Syntax::Plain => false,
        Syntax::Auto => pubmed::uses_syntax(text),
        Syntax::Pubmed if pubmed::is_question(text) && !pubmed::uses_syntax(text) => {
            let note = "read as a question: articles need not hold all of its words";
            reading.warnings.push(note.to_owned());
            false
        }
        Syntax::Pubmed => true,
    };
    if !is_pubmed {
        if let (Syntax::Auto, Some((tag, near))) = (syntax, pubmed::misspelt_tag(text)) {
            reading.warnings.push(format!(
                "[{tag}] is no field tag, and the query was read as plain words: did you mean \
                 [{near}]?"
            ));
        }
        if let (Syntax::Auto, Some(note)) = (syntax, pubmed::operator_as_word(text)) {
            reading.warnings.push(note);
        }
        return Ok(reading);
    }
    // Whoever types has not come to the second quotation mark yet.
    let lenient = lenient || (syntax == Syntax::Auto && pubmed::only_opens_phrase(text));
    if lenient {
        let forgiven = pubmed::parse_lenient(text, Limits::default());
        let faults = forgiven.faults.iter();
        reading
            .warnings
            .extend(faults.map(|fault| format!("passed over: {fault}")));
        if forgiven.more > 0 {
            let note = format!("{} other faults were passed over", forgiven.more);
            reading.warnings.push(note);
        }
        if forgiven.tree.is_none() {
            let note = "the query was read as plain words";
            reading.warnings.push(note.to_owned());
        }
        reading.tree = forgiven.tree;
    } else {
        let tree = pubmed::parse(text, Limits::default());
        let remedy = "syntax plain takes the text as words, lenient passes over such faults";
        let tree = tree.map_err(|fault| Error::invalid("query", format!("{fault} ({remedy})")))?;
        reading.tree = Some(tree);
    }
    reading.words = reading
        .tree
        .as_ref()
        .map_or_else(String::new, pubmed::plain_words);
    Ok(reading)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_text_decides_unless_the_request_does() {
        let tree = |text, syntax| read(text, syntax, false).unwrap().tree;
        assert!(tree("statins and pain", Syntax::Auto).is_none());
        assert!(tree("statins AND pain", Syntax::Auto).is_some());
        assert!(tree("statins AND pain", Syntax::Plain).is_none());
        assert!(tree("statins pain", Syntax::Pubmed).is_some());
    }

    #[test]
    fn a_doi_is_looked_up_and_lines_of_a_strategy_are_told_of() {
        let reading = read("doi:10.5555/Sample(1)", Syntax::Auto, false).unwrap();
        assert_eq!(
            reading.tree.unwrap().to_string(),
            "\"10.5555/Sample(1)\"[DOI]"
        );
        assert_eq!(read("10.5555/a", Syntax::Plain, false).unwrap().tree, None);
        let reading = read("#1 AND #3", Syntax::Auto, false).unwrap();
        assert!(reading.warnings[0].contains("strategy"), "{reading:?}");
    }

    #[test]
    fn a_question_stays_one() {
        let reading = read("Do statins cause muscle pain?", Syntax::Pubmed, false).unwrap();
        assert_eq!(reading.tree, None);
        assert!(reading.warnings[0].contains("question"), "{reading:?}");
    }

    #[test]
    fn faults_are_refused_or_forgiven() {
        let error = read("gout AND [ti]", Syntax::Auto, false).unwrap_err();
        assert_eq!(error.field(), Some("query"));
        for part in ["character 10", "no term before it", "syntax plain"] {
            assert!(error.to_string().contains(part), "{error}");
        }
        let reading = read("gout AND [ti]", Syntax::Auto, true).unwrap();
        assert_eq!(reading.words, "gout");
        assert!(reading.warnings[0].contains("character 10"), "{reading:?}");
        let reading = read("[ti]", Syntax::Auto, true).unwrap();
        assert_eq!(reading.tree, None);
        assert!(reading.warnings[1].contains("plain words"), "{reading:?}");
    }

    #[test]
    fn a_misspelt_tag_is_named_where_nothing_else_is_of_the_language() {
        let reading = read("statin[tiabs]", Syntax::Auto, false).unwrap();
        assert_eq!(reading.tree, None);
        assert!(
            reading.warnings[0].contains("did you mean [tiab]?"),
            "{reading:?}"
        );
        let plain = read("statin[tiabs]", Syntax::Plain, false).unwrap();
        assert!(plain.warnings.is_empty(), "{plain:?}");
    }

    #[test]
    fn a_quotation_mark_that_is_not_closed_is_closed_and_told() {
        let reading = read("\"muscle pain", Syntax::Auto, false).unwrap();
        assert_eq!(reading.tree.unwrap().to_string(), "\"muscle pain\"");
        assert!(reading.warnings[0].contains("not closed"));
        // Among other signs of the language it is a fault as any other.
        assert!(read("gout[ti] \"muscle pain", Syntax::Auto, false).is_err());
        assert!(read("\"muscle pain", Syntax::Pubmed, false).is_err());
    }

    #[test]
    fn no_query_fills_the_answer_with_its_faults() {
        let reading = read(&"gout[ti] [ti] ".repeat(300), Syntax::Auto, true).unwrap();
        assert_eq!(reading.warnings.len(), 21);
        assert_eq!(reading.warnings[20], "280 other faults were passed over");
    }

    #[test]
    fn names_are_read_back() {
        for syntax in Syntax::ALL {
            assert_eq!(syntax.as_str().parse::<Syntax>().unwrap(), syntax);
        }
        let error = "google".parse::<Syntax>().unwrap_err();
        assert_eq!(error.field(), Some("syntax"));
    }
}
