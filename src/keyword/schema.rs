//! The fields of the keyword index.

use super::analysis::{NameTokenizer, TextTokenizer, WordTokenizer};
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
const WORD_ANALYSIS: &str = "words-1";

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
    /// Titles, English and vernacular, for ranking.
    pub(super) title: Field,
    /// Words of the English title as written, and of the book's title.
    pub(super) title_words: Field,
    /// Words of the title in the article's own language.
    pub(super) vernacular: Field,
    /// Words of full-text sections.
    pub(super) body: Field,
    /// Words of the statement on conflicts of interest.
    pub(super) conflict: Field,
    /// Words of abstracts, main and others.
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
    /// Names of groups among the authors.
    pub(super) collective: Field,
    /// Institutions.
    pub(super) affiliation: Field,
    /// Number, acronym, agency and country of each grant.
    pub(super) grants: Field,
    /// Whole values behind a tag and a colon: `vi:12`, `au:smith ja`.
    pub(super) tagged: Field,
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
    /// Days on which something happened.
    pub(super) dates: DateFields,
    /// Whether there is an abstract.
    pub(super) has_abstract: Field,
    /// Whether the article is retracted.
    pub(super) retracted: Field,
    /// Columns of values as they are shown, for counting.
    pub(super) facets: FacetFields,
    /// What was found in the article.
    pub(super) findings: FindingFields,
}

/// What was found in an article.
#[derive(Debug, Clone, Copy)]
pub(super) struct FindingFields {
    /// The findings themselves, opaque.
    pub(super) stored: Field,
    /// By what they were made, whole.
    pub(super) by: Field,
    /// Every way to ask for an entity, whole.
    pub(super) entity: Field,
    /// Every way to ask for a relation, whole.
    pub(super) relation: Field,
    /// Column of entities, for counting: value, type and name with tabs between.
    pub(super) counted: Field,
}

/// Columns of values that are counted; nothing is looked up in them.
#[derive(Debug, Clone, Copy)]
pub(super) struct FacetFields {
    /// The journal's short title.
    pub(super) journal: Field,
    /// Publication types.
    pub(super) publication_type: Field,
    /// MeSH headings, without qualifiers.
    pub(super) mesh: Field,
}

/// Columns of days, as the numbers `YYYYMMDD`.
#[derive(Debug, Clone, Copy)]
pub(super) struct DateFields {
    /// The printed edition.
    pub(super) print: Field,
    /// The electronic edition.
    pub(super) electronic: Field,
    /// Entry into PubMed.
    pub(super) entry: Field,
    /// Creation of the record.
    pub(super) create: Field,
    /// Assignment of MeSH headings.
    pub(super) mesh: Field,
    /// Completion of the record.
    pub(super) complete: Field,
    /// Last revision of the record.
    pub(super) revise: Field,
    /// The one that lists are sorted by.
    pub(super) sort: Field,
}

/// Names of the fields that are read column by column.
pub(super) const KEY: &str = "key";
pub(super) const ID: &str = "id";
pub(super) const YEAR: &str = "year";
pub(super) const DATE_SORT: &str = "date_sort";
pub(super) const FACET_JOURNAL: &str = "facet_journal";
pub(super) const FACET_TYPE: &str = "facet_type";
pub(super) const FACET_MESH: &str = "facet_mesh";
pub(super) const FACET_ENTITY: &str = "facet_entity";

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
    let title_words = words("title_words", WORD_ANALYSIS, false);
    let vernacular = words("vernacular", WORD_ANALYSIS, false);
    let body = words("body", WORD_ANALYSIS, false);
    let conflict = words("conflict", WORD_ANALYSIS, false);
    let abstracts = words("abstract", WORD_ANALYSIS, false);
    let mesh = words("mesh", WORD_ANALYSIS, false);
    let keywords = words("keywords", WORD_ANALYSIS, false);
    let chemicals = words("chemicals", WORD_ANALYSIS, false);
    let journal = words("journal", NAME_ANALYSIS, true);
    let authors = words("authors", NAME_ANALYSIS, true);
    let collective = words("collective", NAME_ANALYSIS, false);
    let affiliation = words("affiliation", NAME_ANALYSIS, false);
    let grants = words("grants", NAME_ANALYSIS, false);
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
    let tagged = whole("tagged");
    let entity = whole("entity");
    let relation = whole("relation");
    let enriched_by = whole("enriched_by");
    let mut days = |name: &str| builder.add_i64_field(name, FAST);
    let dates = DateFields {
        print: days("date_print"),
        electronic: days("date_electronic"),
        entry: days("date_entry"),
        create: days("date_create"),
        mesh: days("date_mesh"),
        complete: days("date_complete"),
        revise: days("date_revise"),
        sort: days(DATE_SORT),
    };
    let mut counted =
        |name: &str| builder.add_text_field(name, TextOptions::default().set_fast("raw"));
    let facets = FacetFields {
        journal: counted(FACET_JOURNAL),
        publication_type: counted(FACET_TYPE),
        mesh: counted(FACET_MESH),
    };
    let counted = counted(FACET_ENTITY);
    let findings = FindingFields {
        stored: builder.add_bytes_field("findings", STORED),
        by: enriched_by,
        entity,
        relation,
        counted,
    };
    let fields = Fields {
        key: builder.add_u64_field(KEY, INDEXED | FAST),
        id: builder.add_text_field(ID, whole_value().set_fast("raw")),
        stored: builder.add_bytes_field("stored", STORED),
        text,
        title,
        title_words,
        vernacular,
        body,
        conflict,
        abstracts,
        mesh,
        keywords,
        chemicals,
        journal,
        authors,
        collective,
        affiliation,
        grants,
        tagged,
        ids,
        mesh_exact,
        journal_exact,
        publication_type,
        language,
        dates,
        year: builder.add_i64_field(YEAR, INDEXED | FAST),
        has_abstract: builder.add_bool_field("has_abstract", INDEXED),
        retracted: builder.add_bool_field("retracted", INDEXED),
        facets,
        findings,
    };
    (builder.build(), fields)
}

/// Gives an index the analysers that its schema names.
pub(super) fn register_analysis(index: &Index) {
    let tokenizers = index.tokenizers();
    tokenizers.register(TEXT_ANALYSIS, TextAnalyzer::from(TextTokenizer::default()));
    tokenizers.register(NAME_ANALYSIS, TextAnalyzer::from(NameTokenizer));
    tokenizers.register(WORD_ANALYSIS, TextAnalyzer::from(WordTokenizer::default()));
}
