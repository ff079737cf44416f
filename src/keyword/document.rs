//! What of an article goes into which field.

mod dates;
mod findings;
mod tagged;

pub(super) use findings::BETWEEN;
pub use findings::Findings;
pub(super) use tagged::person as person_value;

use super::analysis::exact_value;
use super::schema::Fields;
use crate::ArticleKey;
use crate::article::{Affiliation, Article, Author, Journal, MeshTerm, PersonName, Section};
use std::collections::BTreeSet;
use tantivy::TantivyDocument;
use tantivy::schema::Field;

/// Makes the document of an article.
pub(super) fn document(
    fields: &Fields,
    key: ArticleKey,
    article: &Article,
    stored: &[u8],
    findings: Option<&Findings>,
) -> TantivyDocument {
    let mut document = TantivyDocument::new();
    document.add_u64(fields.key, u64::from(key.0));
    document.add_text(fields.id, article.id.as_str());
    document.add_bytes(fields.stored, stored);
    let mut filler = Filler { fields, document };
    filler.running_text(article);
    filler.subjects(article);
    filler.source(article);
    filler.people(article);
    filler.grants(article);
    filler.identifiers(article);
    filler.facts(article);
    filler.days(article);
    filler.facets(article);
    let tagged = tagged::values(article);
    filler.add_exact(fields.tagged, tagged.iter().map(String::as_str));
    if let Some(findings) = findings {
        filler.findings(findings);
    }
    filler.document
}

struct Filler<'a> {
    fields: &'a Fields,
    document: TantivyDocument,
}

impl Filler<'_> {
    fn add(&mut self, field: Field, text: &str) {
        if !text.trim().is_empty() {
            self.document.add_text(field, text);
        }
    }

    /// Adds to a field and to the text that plain words are looked up in.
    fn add_searched(&mut self, field: Field, text: &str) {
        self.add(field, text);
        self.add(self.fields.text, text);
    }

    /// Adds whole values, each once.
    fn add_exact<'t>(&mut self, field: Field, values: impl IntoIterator<Item = &'t str>) {
        let values: BTreeSet<String> = values.into_iter().map(exact_value).collect();
        for value in values.iter().filter(|value| fits(value)) {
            self.document.add_text(field, value);
        }
    }

    fn running_text(&mut self, article: &Article) {
        let fields = self.fields;
        for title in [&article.title, &article.vernacular_title] {
            self.add_searched(fields.title, &title.plain);
        }
        self.add(fields.title_words, &article.title.plain);
        self.add(fields.vernacular, &article.vernacular_title.plain);
        let conflict = article.conflict_of_interest.as_deref();
        self.add(fields.conflict, conflict.unwrap_or_default());
        if let Some(book) = &article.book {
            self.add(fields.journal, &book.title.plain);
            self.add(fields.title_words, &book.title.plain);
            self.add(fields.text, &book.title.plain);
        }
        let others = article.other_abstracts.iter().map(|other| &other.sections);
        for sections in std::iter::once(&article.abstract_sections).chain(others) {
            self.sections(sections, fields.abstracts);
        }
        self.sections(&article.body, fields.body);
    }

    fn sections(&mut self, sections: &[Section], field: Field) {
        for section in sections {
            let text = match &section.label {
                Some(label) => &format!("{label}: {}", section.text.plain),
                None => &section.text.plain,
            };
            self.add_searched(field, text);
        }
    }

    fn subjects(&mut self, article: &Article) {
        let fields = self.fields;
        let mut exact: Vec<String> = Vec::new();
        for heading in &article.mesh {
            let descriptor = &heading.descriptor;
            self.add_searched(fields.mesh, &descriptor.name);
            exact.extend(term_values(descriptor));
            for (qualifier, _) in &heading.qualifiers {
                self.add(fields.mesh, &qualifier.name);
                exact.push(format!("{}/{}", descriptor.name, qualifier.name));
                if let (Some(descriptor), Some(qualifier)) = (&descriptor.ui, &qualifier.ui) {
                    exact.push(format!("{descriptor}{qualifier}"));
                }
            }
        }
        for supplementary in &article.supplementary_concepts {
            self.add_searched(fields.mesh, &supplementary.concept.name);
            exact.extend(term_values(&supplementary.concept));
        }
        self.add_exact(fields.mesh_exact, exact.iter().map(String::as_str));
        for keyword in article.keywords.iter().flat_map(|list| &list.keywords) {
            self.add_searched(fields.keywords, &keyword.text);
        }
        for symbol in &article.gene_symbols {
            self.add_searched(fields.keywords, symbol);
        }
        for chemical in &article.chemicals {
            self.add_searched(fields.chemicals, &chemical.substance.name);
            let number = chemical.registry_number.as_deref();
            self.add(
                fields.chemicals,
                number.filter(|&n| n != "0").unwrap_or_default(),
            );
        }
    }

    fn source(&mut self, article: &Article) {
        let fields = self.fields;
        let Some(journal) = &article.journal else {
            return;
        };
        let abbreviations = [&journal.iso_abbreviation, &journal.medline_abbreviation];
        let names = std::iter::once(journal.title.as_str())
            .chain(abbreviations.into_iter().flatten().map(String::as_str));
        for name in names.clone() {
            self.add(fields.journal, name);
        }
        let numbers = [&journal.nlm_id, &journal.issn, &journal.issn_linking];
        let numbers = numbers.into_iter().flatten().map(String::as_str);
        self.add_exact(fields.journal_exact, names.chain(numbers));
    }

    fn people(&mut self, article: &Article) {
        let fields = self.fields;
        for author in article.authors.iter().chain(&article.editors) {
            self.author(author);
        }
        let others = article
            .investigators
            .iter()
            .chain(&article.personal_name_subjects);
        for person in others {
            self.add(fields.authors, &searched_name(&person.name));
            self.affiliations(&person.affiliations);
        }
    }

    fn author(&mut self, author: &Author) {
        if let Some(name) = &author.name {
            self.add(self.fields.authors, &searched_name(name));
        }
        if let Some(group) = &author.collective {
            self.add(self.fields.authors, group);
            self.add(self.fields.collective, group);
        }
        self.affiliations(&author.affiliations);
    }

    fn affiliations(&mut self, affiliations: &[Affiliation]) {
        for affiliation in affiliations {
            self.add(self.fields.affiliation, &affiliation.name);
        }
    }

    fn grants(&mut self, article: &Article) {
        for grant in &article.grants {
            let parts = [&grant.id, &grant.acronym, &grant.agency, &grant.country];
            let parts: Vec<&str> = parts.into_iter().flatten().map(String::as_str).collect();
            self.add(self.fields.grants, &parts.join(" "));
        }
    }

    fn identifiers(&mut self, article: &Article) {
        let accessions = article.databanks.iter().flat_map(|bank| &bank.accessions);
        let people = article
            .authors
            .iter()
            .flat_map(|author| &author.identifiers);
        let isbn = article.book.iter().flat_map(|book| &book.isbn);
        let values = std::iter::once(article.id.as_str())
            .chain(article.other_ids.iter().map(|id| id.value.as_str()))
            .chain(people.map(|id| id.value.as_str()))
            .chain(accessions.map(String::as_str))
            .chain(isbn.map(String::as_str));
        self.add_exact(self.fields.ids, values);
    }

    /// Values as they are shown, each once.
    fn facets(&mut self, article: &Article) {
        let fields = self.fields.facets;
        let journal = article.journal.as_ref().map(Journal::short_title);
        let kinds = article.publication_types.iter().map(|kind| &kind.name);
        let headings = article.mesh.iter().map(|found| &found.descriptor.name);
        let lists: [(Field, BTreeSet<&str>); 3] = [
            (fields.journal, journal.into_iter().collect()),
            (fields.publication_type, kinds.map(String::as_str).collect()),
            (fields.mesh, headings.map(String::as_str).collect()),
        ];
        for (field, values) in lists {
            for value in values {
                if fits(value.trim()) {
                    self.document.add_text(field, value.trim());
                }
            }
        }
    }

    fn facts(&mut self, article: &Article) {
        let fields = self.fields;
        let kinds: Vec<String> = article
            .publication_types
            .iter()
            .flat_map(term_values)
            .collect();
        self.add_exact(fields.publication_type, kinds.iter().map(String::as_str));
        self.add_exact(
            fields.language,
            article.languages.iter().map(String::as_str),
        );
        if let Some(year) = article.year() {
            self.document.add_i64(fields.year, i64::from(year));
        }
        let (sections, _) = article.display_abstract();
        let has_abstract = sections.iter().any(|section| !section.text.is_empty());
        self.document.add_bool(fields.has_abstract, has_abstract);
        self.document
            .add_bool(fields.retracted, article.is_retracted());
    }
}

/// Name and identifier of a term.
fn term_values(term: &MeshTerm) -> impl Iterator<Item = String> {
    [Some(term.name.clone()), term.ui.clone()]
        .into_iter()
        .flatten()
}

/// `Smith JA Jr`, followed by the given names where the source has them.
fn searched_name(name: &PersonName) -> String {
    match &name.fore {
        Some(fore) => format!("{} {fore}", name.short()),
        None => name.short(),
    }
}

/// tantivy drops terms that are longer than this; no filter value is.
fn fits(value: &str) -> bool {
    !value.is_empty() && value.len() < 60_000
}
