//! BibTeX. Letters beyond ASCII stay as they are (UTF-8, which biber and
//! today's BibTeX read); what TeX takes for syntax is escaped.

use super::parts::{
    Reference, abstract_text, authors, day, identifier, line, page_ends, pubmed_address, reference,
    subjects,
};
use crate::article::{Article, Author};

/// An article as one entry.
pub fn bibtex(article: &Article) -> String {
    let kind = reference(article);
    let name = match kind {
        Reference::Journal => "article",
        Reference::Preprint => "unpublished",
        Reference::Book => "book",
        Reference::Chapter => "incollection",
        Reference::Other => "misc",
    };
    let mut entry = Entry {
        text: format!("@{name}{{{}", key(article)),
    };
    // Braces around the title keep its capitals.
    let title = escaped(&article.display_title().plain);
    if !title.is_empty() {
        entry.add("title", &format!("{{{title}}}"));
    }
    entry.add("author", &names(authors(article)));
    entry.add("editor", &names(article.editors.iter()));
    source(&mut entry, article, kind);
    date(&mut entry, article);
    entry.add("pages", &pages(article));
    entry.add("doi", &identifier_value(identifier(article, "doi")));
    let pmid = super::parts::pmid(article);
    entry.add("pmid", &identifier_value(pmid));
    if pmid.is_none() {
        // Styles pass over it; whoever reads the entry back finds the id.
        entry.add("medsift_id", &identifier_value(Some(article.id.as_str())));
    }
    entry.add("pmcid", &identifier_value(identifier(article, "pmc")));
    entry.add("url", &pubmed_address(article).unwrap_or_default());
    entry.add("language", &escaped(&article.languages.join(", ")));
    entry.add("keywords", &escaped(&subjects(article).join("; ")));
    entry.add(
        "abstract",
        &escaped(&abstract_text(article.display_abstract().0)),
    );
    if article.is_retracted() {
        entry.add("note", "Retracted publication");
    }
    entry.text.push_str("\n}\n");
    entry.text
}

/// `smith2019_11943073`: the first author's family name, the year, the id.
fn key(article: &Article) -> String {
    let plain =
        |text: &str| -> String { text.chars().filter(char::is_ascii_alphanumeric).collect() };
    let first = authors(article).next();
    let family = first.and_then(|author| author.name.as_ref().map(|name| plain(&name.last)));
    let family = family.unwrap_or_default().to_lowercase();
    let year = article.year().map(|year| year.to_string());
    let id = plain(article.id.as_str());
    let begin = match (family.is_empty(), year) {
        (true, None) => return format!("id_{id}"),
        (true, Some(year)) => year,
        (false, year) => format!("{family}{}", year.unwrap_or_default()),
    };
    format!("{begin}_{id}")
}

fn source(entry: &mut Entry, article: &Article, kind: Reference) {
    if let Some(journal) = &article.journal {
        let title = if journal.title.is_empty() {
            journal.short_title()
        } else {
            &journal.title
        };
        entry.add("journal", &escaped(title));
        entry.optional("volume", &journal.volume);
        entry.optional("number", &journal.issue);
        let number = [&journal.issn, &journal.issn_linking];
        if let Some(number) = number.into_iter().flatten().next() {
            entry.add("issn", &escaped(number));
        }
    }
    if let Some(book) = &article.book {
        if kind == Reference::Chapter {
            entry.add("booktitle", &escaped(&book.title.plain));
        }
        entry.optional("series", &book.collection_title);
        entry.optional("volume", &book.volume);
        entry.optional("edition", &book.edition);
        entry.optional("publisher", &book.publisher);
        entry.optional("address", &book.place);
        entry.add("isbn", &escaped(&book.isbn.join(", ")));
    }
}

fn date(entry: &mut Entry, article: &Article) {
    let (year, month) = match &article.published {
        Some(date) => {
            let (year, month, _) = day(date);
            (year.or_else(|| article.year()), month)
        }
        None => (article.year(), None),
    };
    entry.add("year", &year.map_or(String::new(), |year| year.to_string()));
    const MONTHS: [&str; 12] = [
        "jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec",
    ];
    let name = month.and_then(|month| MONTHS.get(usize::from(month).wrapping_sub(1)));
    if let Some(name) = name {
        // A macro of every style: without braces.
        entry.text.push_str(",\n  month = ");
        entry.text.push_str(name);
    }
}

fn pages(article: &Article) -> String {
    let Some(pages) = &article.pages else {
        return String::new();
    };
    match page_ends(pages) {
        (Some(start), Some(end)) if start != end => {
            format!("{}--{}", escaped(&start), escaped(&end))
        }
        (start, end) => escaped(&start.or(end).unwrap_or_default()),
    }
}

/// `Smith, Jr, Jane A and {Study Group}`. A group stands in braces, so that it
/// is not taken apart.
fn names<'a>(authors: impl Iterator<Item = &'a Author>) -> String {
    let one = |author: &Author| -> Option<String> {
        let Some(name) = &author.name else {
            let group = escaped(author.collective.as_deref()?);
            return (!group.is_empty()).then(|| format!("{{{group}}}"));
        };
        let given = name.fore.as_ref().or(name.initials.as_ref());
        let parts = [Some(&name.last), name.suffix.as_ref(), given];
        let parts = parts
            .into_iter()
            .flatten()
            .map(|part| apart(&escaped(part)));
        let parts: Vec<String> = parts.filter(|part| !part.is_empty()).collect();
        (!parts.is_empty()).then(|| parts.join(", "))
    };
    authors.filter_map(one).collect::<Vec<_>>().join(" and ")
}

/// Hides what would part names: commas, and the word between two of them.
fn apart(part: &str) -> String {
    let is_and = |word: &str| word.eq_ignore_ascii_case("and");
    if part.contains(',') || part.split(' ').any(is_and) {
        format!("{{{part}}}")
    } else {
        part.to_owned()
    }
}

/// A value in which TeX finds no syntax: its special characters are commands,
/// so that every brace that remains has its partner.
fn escaped(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in line(text).chars() {
        match c {
            '\\' => out.push_str("\\textbackslash{}"),
            '{' => out.push_str("\\textbraceleft{}"),
            '}' => out.push_str("\\textbraceright{}"),
            '~' => out.push_str("\\textasciitilde{}"),
            '^' => out.push_str("\\textasciicircum{}"),
            '#' | '$' | '%' | '&' | '_' => {
                out.push('\\');
                out.push(c);
            }
            c if c.is_control() => {}
            c => out.push(c),
        }
    }
    out
}

/// Identifiers are read by programs, so nothing of them becomes a command; the
/// braces around the value must have no partner within it.
fn identifier_value(value: Option<&str>) -> String {
    let value = line(value.unwrap_or_default());
    value.replace(['{', '}', '\\'], "")
}

struct Entry {
    text: String,
}

impl Entry {
    fn add(&mut self, name: &'static str, value: &str) {
        if !value.is_empty() {
            self.text.push_str(",\n  ");
            self.text.push_str(name);
            self.text.push_str(" = {");
            self.text.push_str(value);
            self.text.push('}');
        }
    }

    fn optional(&mut self, name: &'static str, value: &Option<String>) {
        self.add(name, &escaped(value.as_deref().unwrap_or_default()));
    }
}
