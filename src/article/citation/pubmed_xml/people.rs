//! Authors, editors, investigators, people whom an article is about.

use super::yes_or_no;
use crate::article::{Affiliation, Article, Author, Identifier, NamedPerson, PersonName};
use crate::xml::XmlWriter;

/// `AuthorList` of the authors: one for each run of the same role.
pub(super) fn authors(xml: &mut XmlWriter, article: &Article) {
    let complete = yes_or_no(article.authors_complete);
    if article.authors.is_empty() && !article.authors_complete {
        xml.inside("AuthorList", &[("CompleteYN", complete)], |_| {});
    }
    list(xml, &article.authors, None, complete);
}

/// `AuthorList` of the editors. Readers that know one list only take the last,
/// so it comes before that of the authors.
pub(super) fn editors(xml: &mut XmlWriter, article: &Article) {
    list(xml, &article.editors, Some("editors"), Some("Y"));
}

fn list(xml: &mut XmlWriter, people: &[Author], role: Option<&str>, complete: Option<&str>) {
    for run in people.chunk_by(|one, next| one.role == next.role) {
        let own = run.first().and_then(|author| author.role.as_deref());
        let attributes = [("CompleteYN", complete), ("Type", own.or(role))];
        xml.inside("AuthorList", &attributes, |xml| {
            for author in run {
                one(xml, author);
            }
        });
    }
}

fn one(xml: &mut XmlWriter, author: &Author) {
    let equal = author.equal_contribution.then_some("Y");
    let attributes = [
        ("ValidYN", yes_or_no(author.valid)),
        ("EqualContrib", equal),
    ];
    xml.inside("Author", &attributes, |xml| {
        if let Some(person) = &author.name {
            name(xml, person);
        }
        xml.optional("CollectiveName", author.collective.as_ref());
        identifiers(xml, &author.identifiers);
        affiliations(xml, &author.affiliations);
    });
}

fn name(xml: &mut XmlWriter, name: &PersonName) {
    if !name.last.is_empty() {
        xml.leaf("LastName", &name.last);
    }
    xml.optional("ForeName", name.fore.as_ref());
    xml.optional("Initials", name.initials.as_ref());
    xml.optional("Suffix", name.suffix.as_ref());
}

fn identifiers(xml: &mut XmlWriter, identifiers: &[Identifier]) {
    for Identifier { source, value } in identifiers {
        xml.leaf_with("Identifier", &[("Source", Some(source))], value);
    }
}

fn affiliations(xml: &mut XmlWriter, affiliations: &[Affiliation]) {
    for place in affiliations {
        xml.inside("AffiliationInfo", &[], |xml| {
            xml.leaf("Affiliation", &place.name);
            identifiers(xml, &place.identifiers);
        });
    }
}

/// `InvestigatorList`.
pub(super) fn investigators(xml: &mut XmlWriter, people: &[NamedPerson]) {
    if people.is_empty() {
        return;
    }
    xml.inside("InvestigatorList", &[], |xml| {
        for person in people {
            let valid = [("ValidYN", yes_or_no(person.valid))];
            xml.inside("Investigator", &valid, |xml| {
                name(xml, &person.name);
                identifiers(xml, &person.identifiers);
                affiliations(xml, &person.affiliations);
            });
        }
    });
}

/// `PersonalNameSubjectList`, which has names and nothing else.
pub(super) fn subjects(xml: &mut XmlWriter, people: &[NamedPerson]) {
    if people.is_empty() {
        return;
    }
    xml.inside("PersonalNameSubjectList", &[], |xml| {
        for person in people {
            let wrong = (!person.valid).then_some("N");
            xml.inside("PersonalNameSubject", &[("ValidYN", wrong)], |xml| {
                name(xml, &person.name);
            });
        }
    });
}
