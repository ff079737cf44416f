//! The fields of the keyword index.

use super::analysis::{NameTokenizer, TextTokenizer};
use tantivy::Index;
use tantivy::schema::{
    FAST, Field, INDEXED, IndexRecordOption, STORED, Schema, SchemaBuilder, TextFieldIndexing,
    TextOptions,
};
use tantivy::tokenizer::TextAnalyzer;

/// Names the analysis in the schema. Its number rises with every change of
/// what the analyser makes of a text, so that an index that was made otherwise
/// is refused rather than searched wrongly.
const TEXT_ANALYSIS: &str = "biomedical-1";
const NAME_ANALYSIS: &str = "names-1";

/// Handles of the fields.
#[derive(Debug, Clone, Copy)]
pub(super) struct Fields {
    /// The article's key; one number per state of an article.
    pub(super) key: Field,
    /// The article's id, as it is.
    pub(super) id: Field,
    /// The article itself, opaque.
    pub(super) stored: Field,
    /// Everything that plain words are looked up in.
    pub(super) text: Field,
    /// Titles, English and vernacular.
    pub(super) title: Field,
    /// Abstracts, main and others.
    pub(super) abstracts: Field,
    /// Words of MeSH headings, qualifiers and supplementary concepts.
    pub(super) mesh: Field,
    /// Words of keywords.
    pub(super) keywords: Field,
    /// Words of substances, and registry numbers.
    pub(super) chemicals: Field,
    /// Words of the journal's title and abbreviations, or of the book's title.
    pub(super) journal: Field,
    /// Names of authors, groups, editors, investigators.
    pub(super) authors: Field,
    /// Institutions.
    pub(super) affiliation: Field,
    /// PMID, DOI, PMC and every other identifier, accession numbers, whole.
    pub(super) ids: Field,
    /// MeSH headings, `heading/qualifier` pairs and identifiers, whole.
    pub(super) mesh_exact: Field,
    /// Journal's title, abbreviations, ISSNs and NLM id, whole.
    pub(super) journal_exact: Field,
    /// Publication types and their identifiers, whole.
    pub(super) publication_type: Field,
    /// ISO 639-2 codes.
    pub(super) language: Field,
    /// Year of publication.
    pub(super) year: Field,
    /// Whether there is an abstract.
    pub(super) has_abstract: Field,
    /// Whether the article is retracted.
    pub(super) retracted: Field,
}

/// Names of the fields that are read column by column.
pub(super) const KEY: &str = "key";
pub(super) const ID: &str = "id";
pub(super) const YEAR: &str = "year";

/// Makes the schema; always the same, so that it can be compared with the one
/// that an index was made with.
pub(super) fn schema() -> (Schema, Fields) {
    let mut builder = SchemaBuilder::new();
    let mut words = |name: &str, analysis: &str, norms: bool| {
        let indexing = TextFieldIndexing::default()
            .set_tokenizer(analysis)
            .set_index_option(IndexRecordOption::WithFreqsAndPositions)
            .set_fieldnorms(norms);
        builder.add_text_field(name, TextOptions::default().set_indexing_options(indexing))
    };
    let text = words("text", TEXT_ANALYSIS, true);
    let title = words("title", TEXT_ANALYSIS, true);
    let abstracts = words("abstract", TEXT_ANALYSIS, false);
    let mesh = words("mesh", TEXT_ANALYSIS, false);
    let keywords = words("keywords", TEXT_ANALYSIS, false);
    let chemicals = words("chemicals", TEXT_ANALYSIS, false);
    let journal = words("journal", NAME_ANALYSIS, true);
    let authors = words("authors", NAME_ANALYSIS, true);
    let affiliation = words("affiliation", NAME_ANALYSIS, false);
    let whole_value = || {
        let indexing = TextFieldIndexing::default()
            .set_tokenizer("raw")
            .set_index_option(IndexRecordOption::Basic)
            .set_fieldnorms(false);
        TextOptions::default().set_indexing_options(indexing)
    };
    let mut whole = |name: &str| builder.add_text_field(name, whole_value());
    let ids = whole("ids");
    let mesh_exact = whole("mesh_exact");
    let journal_exact = whole("journal_exact");
    let publication_type = whole("publication_type");
    let language = whole("language");
    let fields = Fields {
        key: builder.add_u64_field(KEY, INDEXED | FAST),
        id: builder.add_text_field(ID, whole_value().set_fast("raw")),
        stored: builder.add_bytes_field("stored", STORED),
        text,
        title,
        abstracts,
        mesh,
        keywords,
        chemicals,
        journal,
        authors,
        affiliation,
        ids,
        mesh_exact,
        journal_exact,
        publication_type,
        language,
        year: builder.add_i64_field(YEAR, INDEXED | FAST),
        has_abstract: builder.add_bool_field("has_abstract", INDEXED),
        retracted: builder.add_bool_field("retracted", INDEXED),
    };
    (builder.build(), fields)
}

/// Gives an index the analysers that its schema names.
pub(super) fn register_analysis(index: &Index) {
    let tokenizers = index.tokenizers();
    tokenizers.register(TEXT_ANALYSIS, TextAnalyzer::from(TextTokenizer::default()));
    tokenizers.register(NAME_ANALYSIS, TextAnalyzer::from(NameTokenizer));
}
