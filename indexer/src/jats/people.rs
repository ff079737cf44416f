//! Contributors and their affiliations.

use crate::xml::{Cursor, Element, Flaw, TextBuilder};
use medsift::Article;
use medsift::article::{Affiliation, Author, Identifier, PersonName};
use std::collections::BTreeMap;

/// Contributors with the keys of their affiliations, which are resolved when
/// all of the front matter has been read: affiliations may come later.
#[derive(Default)]
pub(super) struct People {
    contributors: Vec<Contributor>,
    affiliations: BTreeMap<String, Affiliation>,
    /// Affiliations without a key: of everybody in the group.
    shared: Vec<Affiliation>,
}

#[derive(Default)]
struct Contributor {
    author: Author,
    keys: Vec<String>,
    is_editor: bool,
}

impl People {
    /// `contrib-group`.
    pub(super) fn group(&mut self, cursor: &mut Cursor<'_>) -> Result<(), Flaw> {
        while let Some(element) = cursor.child()? {
            match element.name() {
                "contrib" => {
                    let contributor = contributor(cursor, &element)?;
                    if contributor.author.name.is_some() || contributor.author.collective.is_some()
                    {
                        self.contributors.push(contributor);
                    }
                }
                "aff" => self.affiliation(cursor, &element)?,
                "aff-alternatives" => self.alternatives(cursor, &element)?,
                _ => cursor.skip()?,
            }
        }
        Ok(())
    }

    /// `aff`.
    pub(super) fn affiliation<'a>(
        &mut self,
        cursor: &mut Cursor<'a>,
        element: &Element<'a>,
    ) -> Result<(), Flaw> {
        let key = element.attribute("id")?;
        let affiliation = affiliation(cursor)?;
        match key {
            _ if affiliation.name.is_empty() => {}
            Some(key) => {
                self.affiliations.entry(key).or_insert(affiliation);
            }
            None => self.shared.push(affiliation),
        }
        Ok(())
    }

    /// `aff-alternatives`: the first is taken.
    pub(super) fn alternatives<'a>(
        &mut self,
        cursor: &mut Cursor<'a>,
        element: &Element<'a>,
    ) -> Result<(), Flaw> {
        let key = element.attribute("id")?;
        while let Some(inner) = cursor.child()? {
            let affiliation = affiliation(cursor)?;
            let key = key.clone().or(inner.attribute("id")?);
            if let (Some(key), false) = (key, affiliation.name.is_empty()) {
                self.affiliations.entry(key).or_insert(affiliation);
            }
        }
        Ok(())
    }

    /// Puts everybody into the article.
    pub(super) fn finish(self, article: &mut Article) {
        for mut contributor in self.contributors {
            let known = contributor.keys.iter();
            let found = known.filter_map(|key| self.affiliations.get(key)).cloned();
            contributor.author.affiliations.extend(found);
            if contributor.author.affiliations.is_empty() && !contributor.is_editor {
                contributor
                    .author
                    .affiliations
                    .extend(self.shared.iter().cloned());
            }
            match contributor.is_editor {
                true => article.editors.push(contributor.author),
                false => article.authors.push(contributor.author),
            }
        }
    }
}

fn contributor<'a>(cursor: &mut Cursor<'a>, element: &Element<'a>) -> Result<Contributor, Flaw> {
    let kind = element.attribute("contrib-type")?;
    let mut found = Contributor {
        is_editor: kind.as_deref().is_some_and(|kind| kind.contains("editor")),
        ..Contributor::default()
    };
    let equal = element.attribute("equal-contrib")?;
    found.author.equal_contribution = equal.as_deref() == Some("yes");
    found.author.role = kind.filter(|kind| kind != "author");
    parts(cursor, &mut found)?;
    Ok(found)
}

fn parts(cursor: &mut Cursor<'_>, found: &mut Contributor) -> Result<(), Flaw> {
    while let Some(element) = cursor.child()? {
        let author = &mut found.author;
        match element.name() {
            "name" => author.name = Some(name(cursor)?),
            "name-alternatives" => parts(cursor, found)?,
            "string-name" if author.name.is_none() => {
                author.name = super::text(cursor)?.map(|last| PersonName {
                    last,
                    ..PersonName::default()
                });
            }
            "collab" => author.collective = collective(cursor)?,
            "contrib-id" => {
                let source = element.attribute("contrib-id-type")?.unwrap_or_default();
                let value = cursor.some_text()?;
                author.identifiers.extend(value.map(|value| Identifier {
                    source: source.to_uppercase(),
                    value,
                }));
            }
            "xref" => {
                if element.attribute("ref-type")?.as_deref() == Some("aff") {
                    let keys = element.attribute("rid")?.unwrap_or_default();
                    found.keys.extend(keys.split(' ').map(str::to_owned));
                }
                cursor.skip()?;
            }
            "aff" => author.affiliations.push(affiliation(cursor)?),
            _ => cursor.skip()?,
        }
    }
    Ok(())
}

fn name(cursor: &mut Cursor<'_>) -> Result<PersonName, Flaw> {
    let mut name = PersonName::default();
    while let Some(element) = cursor.child()? {
        match element.name() {
            "surname" => name.last = cursor.text()?,
            "given-names" => {
                name.initials = element.attribute("initials")?;
                name.fore = cursor.some_text()?;
            }
            "suffix" => name.suffix = cursor.some_text()?,
            _ => cursor.skip()?,
        }
    }
    if let (None, Some(fore)) = (&name.initials, &name.fore) {
        name.initials = Some(initials(fore)).filter(|initials| !initials.is_empty());
    }
    Ok(name)
}

/// Initials as MEDLINE forms them: of each given name and each part of a
/// hyphenated one; names that are initials already keep theirs.
fn initials(fore: &str) -> String {
    let names = fore.split(|c: char| c.is_whitespace() || c == '-' || c == '.');
    let mut initials = String::new();
    for name in names.filter(|name| !name.is_empty()) {
        match name.len() <= 3 && name.chars().all(char::is_uppercase) {
            true => initials.push_str(name),
            false => initials.extend(name.chars().next().filter(|c| c.is_alphabetic())),
        }
    }
    initials
}

/// The name of a group, without the members that it may list.
fn collective(cursor: &mut Cursor<'_>) -> Result<Option<String>, Flaw> {
    let mut builder = TextBuilder::default();
    cursor.read_into(&mut builder, |name| match name {
        "contrib-group" | "xref" | "author-notes" => crate::xml::Style::Skip,
        _ => crate::xml::Style::Inline,
    })?;
    Ok(Some(builder.finish().plain).filter(|name| !name.is_empty()))
}

/// Text of an affiliation without its mark.
fn affiliation(cursor: &mut Cursor<'_>) -> Result<Affiliation, Flaw> {
    let mut builder = TextBuilder::default();
    cursor.read_into(&mut builder, |name| match name {
        "label" | "institution-id" => crate::xml::Style::Skip,
        "institution-wrap" | "break" => crate::xml::Style::Block,
        _ => crate::xml::Style::Inline,
    })?;
    Ok(Affiliation {
        name: builder.finish().plain,
        identifiers: Vec::new(),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn initials_follow_medline() {
        for (fore, expected) in [
            ("Vicky", "V"),
            ("John Allen", "JA"),
            ("J. A.", "JA"),
            ("JA", "JA"),
            ("Jean-Pierre", "JP"),
            ("", ""),
        ] {
            assert_eq!(initials(fore), expected);
        }
    }
}
