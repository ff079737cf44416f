//! Authors, investigators and people whom an article is about.

use crate::xml::{Cursor, Element, Flaw};
use medsift::Article;
use medsift::article::{Affiliation, Author, Identifier, NamedPerson, PersonName};

/// `AuthorList`, of an article, a book or a chapter.
pub(super) fn authors<'a>(
    cursor: &mut Cursor<'a>,
    record: &mut Article,
    list: &Element<'a>,
) -> Result<(), Flaw> {
    record.authors_complete &= list.is_yes("CompleteYN", true)?;
    let role = list.attribute("Type")?;
    let editors = role.as_deref().is_some_and(|role| role != "authors");
    while let Some(element) = cursor.child()? {
        if element.name() != "Author" {
            cursor.leftover(&element)?;
            continue;
        }
        let mut author = author(cursor, &element)?;
        author.role = role.clone();
        match editors {
            true => record.editors.push(author),
            false => record.authors.push(author),
        }
    }
    Ok(())
}

fn author<'a>(cursor: &mut Cursor<'a>, element: &Element<'a>) -> Result<Author, Flaw> {
    let mut person = Person {
        valid: element.is_yes("ValidYN", true)?,
        ..Person::default()
    };
    let equal_contribution = element.is_yes("EqualContrib", false)?;
    let mut collective = None;
    while let Some(element) = cursor.child()? {
        match element.name() {
            "CollectiveName" => collective = cursor.some_text()?,
            _ => person.part(cursor, &element)?,
        }
    }
    let (name, is_named) = person.name();
    Ok(Author {
        name: is_named.then_some(name),
        collective,
        identifiers: person.identifiers,
        affiliations: person.affiliations,
        equal_contribution,
        valid: person.valid,
        role: None,
    })
}

/// `InvestigatorList`, `PersonalNameSubjectList`.
pub(super) fn named_people(
    cursor: &mut Cursor<'_>,
    people: &mut Vec<NamedPerson>,
) -> Result<(), Flaw> {
    while let Some(element) = cursor.child()? {
        if !matches!(element.name(), "Investigator" | "PersonalNameSubject") {
            cursor.leftover(&element)?;
            continue;
        }
        let mut person = Person {
            valid: element.is_yes("ValidYN", true)?,
            ..Person::default()
        };
        while let Some(element) = cursor.child()? {
            person.part(cursor, &element)?;
        }
        let (name, is_named) = person.name();
        if is_named || !person.affiliations.is_empty() || !person.identifiers.is_empty() {
            people.push(NamedPerson {
                name,
                identifiers: person.identifiers,
                affiliations: person.affiliations,
                valid: person.valid,
            });
        }
    }
    Ok(())
}

/// What the elements of a person say.
#[derive(Default)]
struct Person {
    name: PersonName,
    /// `FirstName` and `MiddleName`, which became `ForeName`.
    first: Option<String>,
    middle: Option<String>,
    identifiers: Vec<Identifier>,
    affiliations: Vec<Affiliation>,
    valid: bool,
}

impl Person {
    fn part<'a>(&mut self, cursor: &mut Cursor<'a>, element: &Element<'a>) -> Result<(), Flaw> {
        match element.name() {
            "LastName" => self.name.last = cursor.text()?,
            "ForeName" => self.name.fore = cursor.some_text()?,
            "FirstName" => self.first = cursor.some_text()?,
            "MiddleName" => self.middle = cursor.some_text()?,
            "Initials" => self.name.initials = cursor.some_text()?,
            "Suffix" => self.name.suffix = cursor.some_text()?,
            "Identifier" | "NameID" => self.identifiers.extend(identifier(cursor, element)?),
            "Affiliation" => {
                let name = cursor.some_text()?;
                self.affiliations.extend(name.map(|name| Affiliation {
                    name,
                    identifiers: Vec::new(),
                }));
            }
            "AffiliationInfo" => self.affiliations.extend(affiliation(cursor)?),
            _ => cursor.leftover(element)?,
        }
        Ok(())
    }

    /// The name, and whether there is any.
    fn name(&mut self) -> (PersonName, bool) {
        let mut name = std::mem::take(&mut self.name);
        if name.fore.is_none() {
            let parts: Vec<String> = [self.first.take(), self.middle.take()]
                .into_iter()
                .flatten()
                .collect();
            name.fore = (!parts.is_empty()).then(|| parts.join(" "));
        }
        let is_named = name != PersonName::default();
        (name, is_named)
    }
}

fn affiliation(cursor: &mut Cursor<'_>) -> Result<Option<Affiliation>, Flaw> {
    let mut affiliation = Affiliation::default();
    while let Some(element) = cursor.child()? {
        match element.name() {
            "Affiliation" => affiliation.name = cursor.text()?,
            "Identifier" => affiliation
                .identifiers
                .extend(identifier(cursor, &element)?),
            _ => cursor.leftover(&element)?,
        }
    }
    Ok(Some(affiliation).filter(|affiliation| *affiliation != Affiliation::default()))
}

fn identifier<'a>(
    cursor: &mut Cursor<'a>,
    element: &Element<'a>,
) -> Result<Option<Identifier>, Flaw> {
    let source = element.attribute("Source")?.unwrap_or_default();
    Ok(cursor
        .some_text()?
        .map(|value| Identifier { source, value }))
}
