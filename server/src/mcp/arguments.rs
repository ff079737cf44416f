//! What the tools are called with. Doc comments become the descriptions that
//! an assistant reads.

use rmcp::schemars::JsonSchema;
use serde::Deserialize;

/// Arguments of `search`.
#[derive(Debug, Deserialize, JsonSchema)]
#[schemars(crate = "rmcp::schemars")]
#[serde(deny_unknown_fields)]
pub(crate) struct SearchArguments {
    /// A question or words in natural language, or a query in PubMed's
    /// language such as `asthma[mh] AND 2020:2024[dp]`.
    pub(crate) query: String,
    /// hybrid (default), keyword or semantic.
    pub(crate) mode: Option<String>,
    /// Hits to return, 1 to 50; 10 when not given.
    pub(crate) limit: Option<usize>,
    /// First year of publication.
    pub(crate) year_from: Option<i32>,
    /// Last year of publication.
    pub(crate) year_to: Option<i32>,
    /// Publication types, any of which will do, such as `Review`.
    #[serde(default)]
    pub(crate) publication_types: Vec<String>,
    /// MeSH headings, all of which must be there.
    #[serde(default)]
    pub(crate) mesh: Vec<String>,
    /// Leave retracted articles out; they are flagged otherwise.
    #[serde(default)]
    pub(crate) not_retracted: bool,
    /// `next_cursor` of the page before, to go on behind it.
    pub(crate) cursor: Option<String>,
}

/// Arguments of `get_article`.
#[derive(Debug, Deserialize, JsonSchema)]
#[schemars(crate = "rmcp::schemars")]
#[serde(deny_unknown_fields)]
pub(crate) struct ArticleArguments {
    /// PMID, or the id that a hit has.
    pub(crate) id: String,
    /// json (default; everything that is stored), or a citation: nbib, ris,
    /// bibtex, csl, xml. xml.
    pub(crate) format: Option<String>,
}

/// Arguments of `similar`.
#[derive(Debug, Deserialize, JsonSchema)]
#[schemars(crate = "rmcp::schemars")]
#[serde(deny_unknown_fields)]
pub(crate) struct SimilarArguments {
    /// PMID, or the id that a hit has.
    pub(crate) id: String,
    /// Articles to return, 1 to 50; 10 when not given.
    pub(crate) limit: Option<usize>,
}

/// Arguments of `answer`.
#[derive(Debug, Deserialize, JsonSchema)]
#[schemars(crate = "rmcp::schemars")]
#[serde(deny_unknown_fields)]
pub(crate) struct AnswerArguments {
    /// A question in natural language.
    pub(crate) question: String,
    /// Articles to read, 1 to 50; 10 when not given.
    pub(crate) limit: Option<usize>,
}

/// Arguments of `annotate`.
#[derive(Debug, Deserialize, JsonSchema)]
#[schemars(crate = "rmcp::schemars")]
#[serde(deny_unknown_fields)]
pub(crate) struct AnnotateArguments {
    /// A text, such as an abstract.
    pub(crate) text: String,
}
