//! Whole values of an article, each behind PubMed's tag of its field.

use super::super::analysis::name_words;
use super::super::pmids::{CITES, DOCUMENT, TELLS_CITATIONS};
use crate::article::{
    Article, ArticleKind, Author, MeshHeading, MeshTerm, NamedPerson, PersonName,
};

/// Every value, as `tag:value`, not yet folded.
pub(super) fn values(article: &Article) -> Vec<String> {
    let mut values = Values::default();
    values.people(article);
    values.subjects(article);
    values.source(article);
    values.identifiers(article);
    values.state(article);
    values.citations(article);
    values.0
}

/// A person's name as it is looked up: `Smith-Jones, J.A.` is `smith jones ja`.
pub(in crate::keyword) fn person(name: &str) -> String {
    let mut words = name_words(name);
    // `J. A.` are the initials `JA`.
    let single = |word: &String| word.chars().count() == 1;
    let initials = words.iter().rev().take_while(|word| single(word)).count();
    if initials > 1 {
        let joined: String = words.split_off(words.len() - initials).concat();
        words.push(joined);
    }
    words.join(" ")
}

#[derive(Default)]
struct Values(Vec<String>);

impl Values {
    fn add(&mut self, tag: &str, value: &str) {
        let value = value.trim();
        if !value.is_empty() {
            self.0.push(format!("{tag}:{value}"));
        }
    }

    fn optional(&mut self, tag: &str, value: Option<&String>) {
        self.add(tag, value.map_or("", String::as_str));
    }

    fn people(&mut self, article: &Article) {
        let people: Vec<&PersonName> = names(&article.authors).collect();
        for name in &people {
            self.person("au", "fau", name);
        }
        if let Some(first) = people.first() {
            self.person("1au", "1au", first);
        }
        if let Some(last) = people.last() {
            self.person("lastau", "lastau", last);
        }
        for name in names(&article.editors) {
            self.person("ed", "ed", name);
        }
        for NamedPerson { name, .. } in &article.investigators {
            self.person("ir", "fir", name);
        }
        for NamedPerson { name, .. } in &article.personal_name_subjects {
            self.person("ps", "ps", name);
        }
        for id in article
            .authors
            .iter()
            .flat_map(|author| &author.identifiers)
        {
            self.add("auid", &id.value);
        }
    }

    /// The short form and, with the given names behind the family name, the
    /// full one; under the tag of full names also with them before it.
    fn person(&mut self, tag: &str, full: &str, name: &PersonName) {
        self.add(tag, &person(&name.short()));
        if let Some(fore) = &name.fore {
            let words = [name_words(&name.last), name_words(fore)].concat();
            self.add(tag, &words.join(" "));
            if full != tag {
                self.add(full, &words.join(" "));
                let words = [name_words(fore), name_words(&name.last)].concat();
                self.add(full, &words.join(" "));
            }
        }
    }

    fn subjects(&mut self, article: &Article) {
        for heading in &article.mesh {
            for (qualifier, _) in &heading.qualifiers {
                self.add("sh", &qualifier.name);
            }
            if heading.is_major() {
                self.major(heading);
            }
        }
        let concepts = article
            .supplementary_concepts
            .iter()
            .map(|found| &found.concept);
        let substances = article.chemicals.iter().map(|chemical| &chemical.substance);
        for MeshTerm { name, ui } in concepts.chain(substances) {
            self.add("nm", name);
            self.optional("nm", ui.as_ref());
        }
        for chemical in &article.chemicals {
            let number = chemical.registry_number.as_ref();
            self.optional("rn", number.filter(|number| *number != "0"));
        }
    }

    /// A heading that is a main topic, alone and with each qualifier that is
    /// one, or with any where the heading itself is.
    fn major(&mut self, heading: &MeshHeading) {
        let MeshTerm { name, ui } = &heading.descriptor;
        self.add("majr", name);
        self.optional("majr", ui.as_ref());
        for (qualifier, major) in &heading.qualifiers {
            if *major || heading.major {
                self.add("majr", &format!("{name}/{}", qualifier.name));
            }
        }
    }

    fn source(&mut self, article: &Article) {
        if let Some(journal) = &article.journal {
            self.optional("vi", journal.volume.as_ref());
            self.optional("ip", journal.issue.as_ref());
            self.optional("pl", journal.country.as_ref());
            self.optional("jid", journal.nlm_id.as_ref());
        }
        if let Some(book) = &article.book {
            self.optional("vi", book.volume.as_ref());
            self.optional("pubn", book.publisher.as_ref());
            self.optional("pl", book.place.as_ref());
            self.add("book", &book.title.plain);
            for isbn in &book.isbn {
                self.add("isbn", isbn);
            }
        }
        if let Some(pages) = &article.pages {
            self.optional("pg", pages.medline.as_ref());
            self.optional("pg", pages.start.as_ref());
        }
    }

    fn identifiers(&mut self, article: &Article) {
        for id in &article.other_ids {
            self.add("aid", &id.value);
            match id.kind.to_lowercase().as_str() {
                "doi" => {
                    self.add("doi", &id.value);
                    self.add("lid", &id.value);
                }
                "pii" => self.add("lid", &id.value),
                "pmc" | "mid" => {
                    self.add("pmc", &id.value);
                    self.add("pmc", id.value.trim_start_matches("PMC"));
                }
                _ => {}
            }
        }
        for bank in &article.databanks {
            self.add("si", &bank.name);
            for accession in &bank.accessions {
                self.add("si", accession);
                self.add("si", &format!("{}/{accession}", bank.name));
            }
        }
    }

    fn state(&mut self, article: &Article) {
        self.optional("owner", article.owner.as_ref());
        self.optional("status", article.status.as_ref());
        for subset in &article.citation_subsets {
            self.add("subset", subset);
        }
        if article.other_id("pmc").is_some() {
            self.add("has", "pmc");
        }
        match article.kind {
            ArticleKind::Book => self.add("kind", "book"),
            ArticleKind::Document => self.0.push(DOCUMENT.to_owned()),
            ArticleKind::Journal => {}
        }
    }

    /// PMIDs that the article cites; and that it tells, since articles that were
    /// indexed by earlier versions do not.
    fn citations(&mut self, article: &Article) {
        self.0.push(TELLS_CITATIONS.to_owned());
        self.0
            .extend(article.cites().map(|pmid| format!("{CITES}{pmid}")));
    }
}

/// Names of the people among authors.
fn names(authors: &[Author]) -> impl Iterator<Item = &PersonName> {
    authors.iter().filter_map(|author| author.name.as_ref())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_looked_up_without_signs() {
        for (name, value) in [
            ("Smith JA", "smith ja"),
            ("Smith, J. A.", "smith ja"),
            ("Özgür-Smith J", "ozgur smith j"),
            ("O'Brien PL Jr", "obrien pl jr"),
            ("", ""),
        ] {
            assert_eq!(person(name), value, "{name}");
        }
    }
}
