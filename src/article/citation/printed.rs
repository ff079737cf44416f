//! An article as PubMed prints it: the citation, title, people, abstract.

use super::parts::{authors, identifier, line, pmid};
use super::plain::source;
use crate::article::{Article, Author, Section};

/// Columns of a line.
const WIDTH: usize = 80;

/// An article to read, under a number, with two blank lines behind it.
pub fn printed(article: &Article, number: usize) -> String {
    let mut parts = vec![wrapped(&format!("{number}. {}", head(article)))];
    parts.push(wrapped(&line(&article.display_title().plain)));
    let (names, places) = people(article);
    parts.push(wrapped(&names));
    if !places.is_empty() {
        let places: Vec<String> = places.iter().map(|place| wrapped(place)).collect();
        parts.push(format!("Author information:\n{}", places.join("\n")));
    }
    let (sections, _) = article.display_abstract();
    parts.push(sections.iter().map(section).collect::<Vec<_>>().join("\n"));
    if let Some(copyright) = &article.copyright {
        parts.push(wrapped(&line(copyright)));
    }
    parts.push(numbers(article));
    if let Some(statement) = &article.conflict_of_interest {
        let statement = format!("Conflict of interest statement: {}", line(statement));
        parts.push(wrapped(&statement));
    }
    parts.retain(|part| !part.is_empty());
    parts.join("\n\n") + "\n\n\n"
}

fn head(article: &Article) -> String {
    let mut head = source(article);
    if !head.is_empty() && !head.ends_with('.') {
        head.push('.');
    }
    if let Some(doi) = identifier(article, "doi") {
        head.push_str(&format!(" doi: {doi}."));
    }
    head
}

/// `Smith JA(1)(2), Doe B(1).`, and the places that the numbers stand for.
fn people(article: &Article) -> (String, Vec<String>) {
    let mut places: Vec<String> = Vec::new();
    let mut named = |author: &Author| {
        let mut name = line(&author.display());
        for affiliation in &author.affiliations {
            let place = line(&affiliation.name);
            let known = places.iter().position(|known| *known == place);
            let at = known.unwrap_or_else(|| {
                places.push(place);
                places.len() - 1
            });
            name.push_str(&format!("({})", at + 1));
        }
        name
    };
    let mut names: Vec<String> = authors(article).map(&mut named).collect();
    if !article.authors_complete {
        names.push("et al".to_owned());
    }
    let numbered = (1..).zip(places);
    let places = numbered.map(|(number, place)| format!("({number}){place}"));
    let names = names.join(", ");
    let names = if names.is_empty() { names } else { names + "." };
    (names, places.collect())
}

fn section(section: &Section) -> String {
    let text = line(&section.text.plain);
    wrapped(&match &section.label {
        Some(label) => format!("{}: {text}", line(label)),
        None => text,
    })
}

fn numbers(article: &Article) -> String {
    let kinds = [("DOI", "doi"), ("PMCID", "pmc")];
    let numbers = kinds.into_iter().filter_map(|(name, kind)| {
        let value = identifier(article, kind)?;
        Some(format!("{name}: {value}"))
    });
    let pmid = pmid(article).map(|pmid| format!("PMID: {pmid}"));
    numbers.chain(pmid).collect::<Vec<_>>().join("\n")
}

/// A text broken between words.
fn wrapped(text: &str) -> String {
    let mut lines = String::new();
    let mut column = 0;
    for word in text.split(' ').filter(|word| !word.is_empty()) {
        let width = word.chars().count();
        if column > 0 && column + 1 + width > WIDTH {
            lines.push('\n');
            column = 0;
        } else if column > 0 {
            lines.push(' ');
            column += 1;
        }
        lines.push_str(word);
        column += width;
    }
    lines
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ArticleId;
    use crate::article::{Affiliation, OtherId, PersonName};

    #[test]
    fn everything_that_is_read_is_there_and_lines_are_short() {
        let mut article = Article::new(ArticleId::new("12").unwrap());
        article.title = "A title".into();
        let author = |last: &str, places: &[&str]| Author {
            name: Some(PersonName {
                last: last.into(),
                ..PersonName::default()
            }),
            affiliations: places
                .iter()
                .map(|place| Affiliation {
                    name: (*place).into(),
                    identifiers: Vec::new(),
                })
                .collect(),
            ..Author::default()
        };
        article.authors = vec![author("Roe", &["Here", "There"]), author("Doe", &["Here"])];
        article.abstract_sections = vec![Section {
            label: Some("AIM".into()),
            text: "word ".repeat(40).trim().into(),
            ..Section::default()
        }];
        article.other_ids = vec![OtherId {
            kind: "doi".into(),
            value: "10.5555/x".into(),
            valid: true,
        }];
        let text = printed(&article, 3);
        for part in [
            "3. doi: 10.5555/x.\n\nA title\n\nRoe(1)(2), Doe(1).\n\n",
            "Author information:\n(1)Here\n(2)There\n\nAIM: word",
            "\n\nDOI: 10.5555/x\nPMID: 12\n\n\n",
        ] {
            assert!(text.contains(part), "{part:?} is not in {text}");
        }
        assert!(text.lines().all(|line| line.chars().count() <= WIDTH));
        assert_eq!(text.matches("word").count(), 40);
    }
}
