//! RIS: lines of a tag of two characters, two blanks, a hyphen, a blank and a
//! value. Tags as in the specification of Research Information Systems
//! (2001 and 2012).

use super::parts::{
    Reference, abstract_text, authors, day, family_first, identifier, line, page_ends,
    pubmed_address, reference, subjects,
};
use crate::article::Article;

/// An article as RIS, lines ended by CR LF, with a blank line behind it.
pub fn ris(article: &Article) -> String {
    let mut out = Lines::default();
    let kind = reference(article);
    out.add(
        "TY",
        match kind {
            Reference::Journal => "JOUR",
            Reference::Preprint => "UNPB",
            Reference::Book => "BOOK",
            Reference::Chapter => "CHAP",
            Reference::Other => "GEN",
        },
    );
    out.add("TI", &article.display_title().plain);
    if !article.vernacular_title.is_empty() && !article.title.is_empty() {
        out.add("TT", &article.vernacular_title.plain);
    }
    for author in authors(article) {
        out.optional("AU", family_first(author));
    }
    for editor in &article.editors {
        out.optional("ED", family_first(editor));
    }
    date(&mut out, article);
    source(&mut out, article, kind);
    if let Some(pages) = &article.pages {
        let (start, end) = page_ends(pages);
        out.optional("SP", start);
        out.optional("EP", end);
    }
    out.add("AB", &abstract_text(article.display_abstract().0));
    for subject in subjects(article) {
        out.add("KW", &subject);
    }
    for language in &article.languages {
        out.add("LA", language);
    }
    out.add("DO", identifier(article, "doi").unwrap_or_default());
    out.add("C2", identifier(article, "pmc").unwrap_or_default());
    out.add("AN", article.id.as_str());
    out.optional("UR", pubmed_address(article));
    if article.is_retracted() {
        out.add("N1", "Retracted publication");
    }
    out.text.push_str("ER  - \r\n\r\n");
    out.text
}

fn date(out: &mut Lines, article: &Article) {
    let Some(date) = &article.published else {
        out.optional("PY", article.year().map(|year| year.to_string()));
        return;
    };
    let (year, month, of_month) = day(date);
    let Some(year) = year else {
        out.add("DA", &date.to_string());
        return;
    };
    out.add("PY", &format!("{year:04}"));
    let two = |number: Option<u8>| number.map_or(String::new(), |number| format!("{number:02}"));
    // Year, month, day, and whatever cannot be a number.
    let rest = match (month, date.to_string().split_once(' ')) {
        (None, Some((_, rest))) => line(rest).replace('/', "-"),
        _ => String::new(),
    };
    out.add(
        "DA",
        &format!("{year:04}/{}/{}/{rest}", two(month), two(of_month)),
    );
}

fn source(out: &mut Lines, article: &Article, kind: Reference) {
    if let Some(journal) = &article.journal {
        out.add("JO", &journal.title);
        out.add("T2", &journal.title);
        out.add("J2", journal.short_title());
        out.optional("VL", journal.volume.clone());
        out.optional("IS", journal.issue.clone());
        let number = [&journal.issn, &journal.issn_linking];
        out.optional("SN", number.into_iter().flatten().next().cloned());
    }
    if let Some(book) = &article.book {
        if kind == Reference::Chapter {
            out.add("T2", &book.title.plain);
        }
        out.optional("T3", book.collection_title.clone());
        out.optional("VL", book.volume.clone());
        out.optional("ET", book.edition.clone());
        out.optional("PB", book.publisher.clone());
        out.optional("CY", book.place.clone());
        for number in &book.isbn {
            out.add("SN", number);
        }
    }
}

#[derive(Default)]
struct Lines {
    text: String,
}

impl Lines {
    fn add(&mut self, tag: &'static str, value: &str) {
        let value = line(value);
        if !value.is_empty() {
            self.text.push_str(tag);
            self.text.push_str("  - ");
            self.text.push_str(&value);
            self.text.push_str("\r\n");
        }
    }

    fn optional(&mut self, tag: &'static str, value: Option<String>) {
        self.add(tag, &value.unwrap_or_default());
    }
}
