//! The search fields of PubMed and the tags that name them.

use serde::{Serialize, Serializer};

/// A search field.
///
/// Named as in the list of fields of PubMed's help
/// (<https://pubmed.ncbi.nlm.nih.gov/help/#using-search-field-tags>).
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Field {
    /// Abstract.
    Abstract,
    /// Institutions of authors and investigators.
    Affiliation,
    /// Everything that is words.
    All,
    /// DOI, publisher's item id and the like.
    ArticleId,
    /// Authors, as family name and initials.
    Author,
    /// ORCID and the like.
    AuthorId,
    /// Title of the book.
    Book,
    /// Type of a comment or correction.
    CommentCorrection,
    /// When the record was completed.
    CompletionDate,
    /// Statement on conflicts of interest.
    ConflictOfInterest,
    /// Groups among the authors.
    CorporateAuthor,
    /// When the record was created.
    CreateDate,
    /// DOI alone.
    Doi,
    /// Editors of a book.
    Editor,
    /// Date of the electronic edition.
    ElectronicDate,
    /// Entities that were found in the article; medsift's own.
    Entity,
    /// When the record entered PubMed.
    EntryDate,
    /// Filters and subsets.
    Filter,
    /// The first author.
    FirstAuthor,
    /// Authors with their given names.
    FullAuthor,
    /// Investigators with their given names.
    FullInvestigator,
    /// Grant numbers, acronyms, agencies, countries.
    Grant,
    /// Investigators.
    Investigator,
    /// ISBN of a book.
    Isbn,
    /// Issue of the journal.
    Issue,
    /// Journal: title, abbreviation or ISSN.
    Journal,
    /// Language.
    Language,
    /// The last author.
    LastAuthor,
    /// Electronic location: DOI or publisher's item id.
    LocationId,
    /// When MeSH headings were assigned.
    MeshDate,
    /// MeSH headings that are main topics.
    MeshMajor,
    /// MeSH qualifiers.
    MeshSubheading,
    /// MeSH headings.
    MeshTerms,
    /// When the record was last revised.
    ModificationDate,
    /// NLM's catalogue number of the journal.
    NlmId,
    /// Keywords that are not MeSH.
    OtherTerm,
    /// Who supplied the record.
    Owner,
    /// Pages.
    Pagination,
    /// People whom the article is about.
    PersonalName,
    /// Substances by what they do.
    PharmacologicalAction,
    /// Country of publication.
    Place,
    /// Identifier in PubMed Central.
    Pmcid,
    /// PMID.
    Pmid,
    /// Date of the printed edition.
    PrintDate,
    /// Date of publication, printed or electronic.
    PublicationDate,
    /// Publication type.
    PublicationType,
    /// Publisher of a book.
    Publisher,
    /// EC and CAS registry numbers.
    RegistryNumber,
    /// Relations that were found in the article; medsift's own.
    Relation,
    /// Accession numbers, such as those of trial registers.
    SecondarySource,
    /// MeSH supplementary concepts and substances.
    Supplementary,
    /// Words of title, abstract, MeSH headings, substances and keywords.
    TextWord,
    /// Title.
    Title,
    /// Words of title, abstract and keywords.
    TitleAbstract,
    /// Title in the article's own language.
    TransliteratedTitle,
    /// Volume of the journal.
    Volume,
}

/// What a value of a field is, which says what may be done with it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    /// Running words: phrases, truncation.
    Words,
    /// Names of people.
    Names,
    /// Whole values.
    Values,
    /// Calendar dates.
    Dates,
    /// MeSH headings.
    Mesh,
    /// Filters and subsets.
    Filter,
}

struct Row {
    field: Field,
    kind: Kind,
    /// Short tag.
    tag: &'static str,
    /// The name that PubMed's search details print.
    name: &'static str,
    /// Other ways to write it, in small letters.
    others: &'static [&'static str],
}

const fn row(
    field: Field,
    kind: Kind,
    tag: &'static str,
    name: &'static str,
    others: &'static [&'static str],
) -> Row {
    Row {
        field,
        kind,
        tag,
        name,
        others,
    }
}

use Field as F;
use Kind as K;

#[rustfmt::skip]
const TABLE: &[Row] = &[
    row(F::Abstract, K::Words, "ab", "Abstract", &[]),
    row(F::Affiliation, K::Words, "ad", "Affiliation", &["affl"]),
    row(F::All, K::Words, "all", "All Fields", &["all words"]),
    row(F::ArticleId, K::Values, "aid", "Article Identifier", &[]),
    row(F::Author, K::Names, "au", "Author", &["auth", "author name", "authors"]),
    row(F::AuthorId, K::Values, "auid", "Author - Identifier", &["author identifier"]),
    row(F::Book, K::Words, "book", "Book", &[]),
    row(F::CommentCorrection, K::Values, "comment corrections", "Comment Correction Type", &[]),
    row(F::CompletionDate, K::Dates, "dcom", "Date - Completion", &["completion date"]),
    row(F::ConflictOfInterest, K::Words, "cois", "Conflict of Interest Statements", &["conflict of interest statement", "conflict of interest"]),
    row(F::CorporateAuthor, K::Words, "cn", "Author - Corporate", &["corporate author", "corp"]),
    row(F::CreateDate, K::Dates, "crdt", "Date - Create", &["create date", "cdat"]),
    row(F::Doi, K::Values, "doi", "DOI", &[]),
    row(F::Editor, K::Names, "ed", "Editor", &[]),
    row(F::ElectronicDate, K::Dates, "epdat", "Electronic Publication Date", &["date - publication electronic"]),
    row(F::Entity, K::Values, "entity", "Entity", &[]),
    row(F::EntryDate, K::Dates, "edat", "Date - Entry", &["date - entrez", "entrez date", "entry date"]),
    row(F::Filter, K::Filter, "sb", "Filter", &["subset", "filt"]),
    row(F::FirstAuthor, K::Names, "1au", "Author - First", &["first author name", "first author"]),
    row(F::FullAuthor, K::Names, "fau", "Author - Full", &["full author name", "full author"]),
    row(F::FullInvestigator, K::Names, "fir", "Investigator - Full", &["full investigator name"]),
    row(F::Grant, K::Words, "gr", "Grants and Funding", &["grant number", "grant", "grants"]),
    row(F::Investigator, K::Names, "ir", "Investigator", &[]),
    row(F::Isbn, K::Values, "isbn", "ISBN", &[]),
    row(F::Issue, K::Values, "ip", "Issue", &["iss"]),
    row(F::Journal, K::Values, "ta", "Journal", &["jour", "journal title abbreviation", "is", "issn"]),
    row(F::Language, K::Values, "la", "Language", &["lang"]),
    row(F::LastAuthor, K::Names, "lastau", "Author - Last", &["last author name", "last author"]),
    row(F::LocationId, K::Values, "lid", "Location ID", &[]),
    row(F::MeshDate, K::Dates, "mhda", "Date - MeSH", &["mesh date", "mda"]),
    row(F::MeshMajor, K::Mesh, "majr", "MeSH Major Topic", &["mesh major topics", "mj"]),
    row(F::MeshSubheading, K::Values, "sh", "MeSH Subheading", &["mesh subheadings", "subheading", "subh"]),
    row(F::MeshTerms, K::Mesh, "mh", "MeSH Terms", &["mesh", "mesh term"]),
    row(F::ModificationDate, K::Dates, "lr", "Date - Modification", &["modification date", "mdat", "date - last revision"]),
    row(F::NlmId, K::Values, "jid", "NLM Unique ID", &["nlmid"]),
    row(F::OtherTerm, K::Words, "ot", "Other Term", &["othr", "other terms"]),
    row(F::Owner, K::Values, "owner", "Owner", &["own"]),
    row(F::Pagination, K::Values, "pg", "Pagination", &["page"]),
    row(F::PersonalName, K::Names, "ps", "Subject - Personal Name", &["personal name as subject"]),
    row(F::PharmacologicalAction, K::Values, "pa", "Pharmacological Action", &["pharmacological actions"]),
    row(F::Place, K::Values, "pl", "Place of Publication", &["country"]),
    row(F::Pmcid, K::Values, "pmc", "PMCID", &["pmcid and mid", "mid"]),
    row(F::Pmid, K::Values, "pmid", "PMID", &["uid"]),
    row(F::PrintDate, K::Dates, "ppdat", "Print Publication Date", &["date - publication print"]),
    row(F::PublicationDate, K::Dates, "dp", "Date - Publication", &["publication date", "pdat", "date of publication"]),
    row(F::PublicationType, K::Values, "pt", "Publication Type", &["ptyp", "publication types"]),
    row(F::Publisher, K::Words, "pubn", "Publisher", &[]),
    row(F::RegistryNumber, K::Values, "rn", "EC/RN Number", &["ecno"]),
    row(F::Relation, K::Values, "relation", "Relation", &[]),
    row(F::SecondarySource, K::Values, "si", "Secondary Source ID", &[]),
    row(F::Supplementary, K::Values, "nm", "Supplementary Concept", &["substance name", "substance", "subs"]),
    row(F::TextWord, K::Words, "tw", "Text Word", &["text words", "word"]),
    row(F::Title, K::Words, "ti", "Title", &["titl", "article title"]),
    row(F::TitleAbstract, K::Words, "tiab", "Title/Abstract", &["title/abstracts", "title abstract"]),
    row(F::TransliteratedTitle, K::Words, "tt", "Transliterated Title", &[]),
    row(F::Volume, K::Values, "vi", "Volume", &["vol"]),
];

impl Field {
    /// Every field, by its short tag.
    pub fn all() -> impl Iterator<Item = Self> {
        TABLE.iter().map(|row| row.field)
    }

    /// The field that a tag names, whatever its case; `None` where none does.
    pub fn of_tag(tag: &str) -> Option<Self> {
        let tag = tag.trim().to_lowercase();
        let named = |row: &&Row| {
            row.tag == tag || row.name.to_lowercase() == tag || row.others.contains(&tag.as_str())
        };
        TABLE.iter().find(named).map(|row| row.field)
    }

    /// The name that PubMed's search details print.
    pub fn name(self) -> &'static str {
        self.row().name
    }

    /// The short tag.
    pub fn tag(self) -> &'static str {
        self.row().tag
    }

    /// What its values are.
    pub fn kind(self) -> Kind {
        self.row().kind
    }

    /// Whether words may be asked for that stand near each other.
    pub fn takes_proximity(self) -> bool {
        matches!(
            self,
            Self::Title | Self::TitleAbstract | Self::Abstract | Self::Affiliation
        )
    }

    fn row(self) -> &'static Row {
        // The test below holds that every field has its row.
        let found = TABLE.iter().find(|row| row.field == self);
        found.unwrap_or(&TABLE[2])
    }

    /// The tag that is written most like another.
    pub(super) fn nearest_tag(tag: &str) -> Option<&'static str> {
        let tag = tag.trim().to_lowercase();
        let names = |row: &'static Row| {
            [row.tag, row.name]
                .into_iter()
                .chain(row.others.iter().copied())
        };
        let candidates = TABLE
            .iter()
            .flat_map(|row| names(row).map(move |name| (row, name)));
        let distance = |name: &str| strsim::osa_distance(&tag, &name.to_lowercase());
        candidates
            .filter(|(_, name)| name.len() > 2 && tag.len() > 2)
            .map(|(row, name)| (distance(name), row.tag))
            .filter(|&(distance, _)| distance <= (tag.chars().count() / 3).max(1))
            .min()
            .map(|(_, tag)| tag)
    }
}

impl Serialize for Field {
    /// As its short tag.
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.tag())
    }
}

/// A field that may stand before its value, and the value: `entity:D003924`.
pub(super) fn prefixed(word: &str) -> Option<(Field, &str)> {
    let (name, value) = word.split_once(':')?;
    let mut fields = [Field::Entity, Field::Relation].into_iter();
    let field = fields.find(|field| name.eq_ignore_ascii_case(field.tag()));
    field.map(|field| (field, value))
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::HashSet;

    #[test]
    fn every_way_to_write_a_tag_names_one_field() {
        let mut seen = HashSet::new();
        for row in TABLE {
            assert_eq!(row.field.name(), row.name);
            let mut names = vec![row.tag.to_owned(), row.name.to_lowercase()];
            names.extend(row.others.iter().map(|&other| other.to_owned()));
            names.dedup();
            for name in names {
                assert_eq!(
                    Field::of_tag(&name.to_uppercase()),
                    Some(row.field),
                    "{name}"
                );
                assert!(seen.insert((name.clone(), row.field)), "{name} twice");
            }
        }
        // One row for each variant: the last variant's number tells.
        assert_eq!(TABLE.len(), Field::Volume as usize + 1);
    }

    #[test]
    fn long_names_of_the_help_page_are_known() {
        for (name, field) in [
            ("Title/Abstract", F::TitleAbstract),
            ("MeSH Terms", F::MeshTerms),
            ("MeSH Major Topic", F::MeshMajor),
            ("Author - First", F::FirstAuthor),
            ("Publication Type", F::PublicationType),
            ("Date - Publication", F::PublicationDate),
            ("pdat", F::PublicationDate),
            ("filter", F::Filter),
            ("jour", F::Journal),
        ] {
            assert_eq!(Field::of_tag(name), Some(field), "{name}");
        }
        assert_eq!(Field::of_tag("xyz"), None);
        assert_eq!(Field::nearest_tag("tiabs"), Some("tiab"));
        assert_eq!(Field::nearest_tag("publicaton type"), Some("pt"));
        assert_eq!(Field::nearest_tag("3H"), None);
    }
}
