//! Each full name, followed by its short form, identifiers and affiliations.

use super::super::parts::{authors, full_name, line};
use super::Lines;
use crate::article::{Affiliation, Article, NamedPerson, PersonName};

pub(super) fn write(out: &mut Lines, article: &Article) {
    for author in authors(article) {
        match (&author.name, &author.collective) {
            (Some(person), _) => name(out, "FAU", "AU", person),
            (None, Some(group)) => out.add("CN", group),
            (None, None) => continue,
        }
        for id in &author.identifiers {
            out.add(
                "AUID",
                &format!("{}: {}", line(&id.source), line(&id.value)),
            );
        }
        affiliations(out, "AD", &author.affiliations);
    }
    for editor in &article.editors {
        match (&editor.name, &editor.collective) {
            (Some(person), _) => name(out, "FED", "ED", person),
            (None, group) => out.optional("ED", group.as_ref()),
        }
    }
    for NamedPerson {
        name: person,
        affiliations: places,
        ..
    } in &article.investigators
    {
        name(out, "FIR", "IR", person);
        affiliations(out, "IRAD", places);
    }
    for subject in &article.personal_name_subjects {
        name(out, "FPS", "PS", &subject.name);
    }
}

fn name(out: &mut Lines, full: &str, short: &str, person: &PersonName) {
    // Without a family name the parts could not be told apart.
    if !person.last.is_empty() {
        out.add(full, &full_name(person));
    }
    out.add(short, &person.short());
}

fn affiliations(out: &mut Lines, tag: &str, affiliations: &[Affiliation]) {
    for affiliation in affiliations {
        out.add(tag, &affiliation.name);
    }
}
