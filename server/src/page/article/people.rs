use super::super::citation::outward;
use super::super::html::Html;
use super::head::full_name;
use medsift::article::{Affiliation, Article, Author, Identifier, NamedPerson};

/// What is said of a name with `ValidYN="N"`.
const MISSPELT: &str = " · name misspelt in print";

/// Everybody who is named, with where they work.
pub(super) fn write(html: &mut Html, article: &Article) {
    authors(html, "Authors and affiliations", &article.authors);
    authors(html, "Editors", &article.editors);
    named(html, "Investigators", &article.investigators);
    named(
        html,
        "People the article is about",
        &article.personal_name_subjects,
    );
}

/// Nothing to add to the line under the title when no author has more than a
/// name; editors are not in that line.
fn authors(html: &mut Html, heading: &'static str, authors: &[Author]) {
    let says_more = |author: &Author| {
        !author.affiliations.is_empty()
            || !author.identifiers.is_empty()
            || author.role.is_some()
            || author.equal_contribution
            || !author.valid
    };
    if authors.is_empty() || (heading != "Editors" && !authors.iter().any(says_more)) {
        return;
    }
    fold(html, heading, authors.len(), |html| {
        for author in authors {
            html.element("li", &[], |html| {
                html.leaf("b", &[], full_name(author));
                if let Some(role) = &author.role {
                    html.raw(" (").text(role).raw(")");
                }
                if author.equal_contribution {
                    html.raw(" · contributed equally");
                }
                if !author.valid {
                    html.raw(MISSPELT);
                }
                identifiers(html, &author.identifiers);
                affiliations(html, &author.affiliations);
            });
        }
    });
}

fn named(html: &mut Html, heading: &'static str, people: &[NamedPerson]) {
    if people.is_empty() {
        return;
    }
    fold(html, heading, people.len(), |html| {
        for person in people {
            html.element("li", &[], |html| {
                html.leaf("b", &[], person.name.short());
                if !person.valid {
                    html.raw(MISSPELT);
                }
                identifiers(html, &person.identifiers);
                affiliations(html, &person.affiliations);
            });
        }
    });
}

fn fold(html: &mut Html, heading: &'static str, count: usize, items: impl FnOnce(&mut Html)) {
    html.element("details", &[("class", "people")], |html| {
        html.leaf("summary", &[], format_args!("{heading} ({count})"));
        html.element("ul", &[], items);
    });
}

fn identifiers(html: &mut Html, identifiers: &[Identifier]) {
    for identifier in identifiers {
        html.raw(" · ");
        match orcid(identifier) {
            Some(digits) => outward(
                html,
                &format!("https://orcid.org/{digits}"),
                &format!("ORCID {digits}"),
            ),
            None => {
                html.text(format_args!("{} {}", identifier.source, identifier.value));
            }
        }
    }
}

/// The sixteen digits of an ORCID, which sources write bare or as an address.
fn orcid(identifier: &Identifier) -> Option<String> {
    if !identifier.source.eq_ignore_ascii_case("ORCID") {
        return None;
    }
    let last = identifier
        .value
        .trim()
        .trim_end_matches('/')
        .rsplit('/')
        .next()?;
    let digits: String = last.chars().filter(|c| *c != '-').collect();
    let fits = digits.len() == 16
        && digits
            .bytes()
            .all(|byte| byte.is_ascii_digit() || byte == b'X');
    let groups = || (0..4).filter_map(|group| digits.get(group * 4..group * 4 + 4));
    fits.then(|| groups().collect::<Vec<_>>().join("-"))
}

fn affiliations(html: &mut Html, affiliations: &[Affiliation]) {
    for affiliation in affiliations {
        html.leaf("p", &[("class", "affiliation")], &affiliation.name);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_orcid_is_read_in_every_form() {
        let read = |value: &str| {
            orcid(&Identifier {
                source: "ORCID".into(),
                value: value.into(),
            })
        };
        let digits = Some("0000-0002-1825-0097".to_owned());
        assert_eq!(read("0000-0002-1825-0097"), digits);
        assert_eq!(read("http://orcid.org/0000000218250097"), digits);
        assert_eq!(read("0000-0002-1825"), None);
        assert_eq!(read("javascript:alert(1)"), None);
    }
}
