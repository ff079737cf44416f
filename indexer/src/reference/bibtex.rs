//! BibTeX and BibLaTeX: `@type{key, name = value, …}`.

use super::latex::plain;
use super::names;
use super::parts::{
    RETRACTED, abstract_text, add_id, bare_doi, book, id, journal, keep, keyword, pages,
    pmid_of_address, publication_type, set,
};
use medsift::Article;
use medsift::article::{ArticleKind, Author, Note, PubDate};
use std::collections::HashMap;

const MONTHS: [&str; 12] = [
    "jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec",
];

/// Reads an entry, behind the abbreviations that it uses.
///
/// # Errors
/// Says where it is no entry.
pub(crate) fn article(text: &str) -> Result<Box<Article>, String> {
    let mut known = HashMap::new();
    let mut entries = Entries { rest: text };
    let entry = loop {
        let entry = entries.next(&known)?;
        if entry.kind != "string" {
            break entry;
        }
        known.extend(entry.fields);
    };
    let value = |name: &str| {
        let mut fields = entry.fields.iter();
        fields
            .find(|(known, _)| known == name)
            .map(|(_, value)| value.as_str())
    };
    let decoded = |name: &str| value(name).map(plain);
    let (pmid, own) = (decoded("pmid"), decoded("medsift_id"));
    let pmid = pmid.as_deref().or(value("url").and_then(pmid_of_address));
    let doi = value("doi").and_then(bare_doi);
    let key = id(
        pmid,
        &[own.as_deref(), Some(&entry.key)],
        doi,
        "bibtex",
        text,
    );
    let mut article = Box::new(Article::new(key));
    take_kind(&mut article, &entry.kind);
    for (name, value) in &entry.fields {
        let text = plain(value);
        if !text.is_empty() && !take(&mut article, &entry.kind, name, value, &text) {
            keep(&mut article, name, &text);
        }
    }
    article.published = date(decoded("date"), decoded("year"), value("month"));
    Ok(article)
}

fn take_kind(article: &mut Article, kind: &str) {
    article.kind = match kind {
        "article" => ArticleKind::Journal,
        "unpublished" => {
            publication_type(article, "Preprint");
            ArticleKind::Journal
        }
        "book" | "incollection" | "inbook" | "collection" | "booklet" => {
            book(article);
            ArticleKind::Book
        }
        _ => ArticleKind::Document,
    };
    if article.kind == ArticleKind::Document && kind != "misc" {
        keep(article, "entry_type", kind);
    }
}

/// Puts a field into its place; `false` where it has none.
fn take(article: &mut Article, kind: &str, name: &str, raw: &str, text: &str) -> bool {
    let of_book = article.kind == ArticleKind::Book;
    match name {
        "pmid" | "medsift_id" if text == article.id.as_str() => {}
        "date" | "year" => {}
        "month" => return month(raw).is_some(),
        "url" => return pmid_of_address(raw) == Some(article.id.as_str()),
        "title" if of_book && !matches!(kind, "incollection" | "inbook") => {
            book(article).title = text.into();
        }
        "title" => article.title = text.into(),
        "author" => article.authors.extend(people(raw)),
        "editor" => article.editors.extend(people(raw)),
        "abstract" => abstract_text(article, text),
        "doi" => match bare_doi(raw) {
            Some(doi) => add_id(article, "doi", doi),
            None => return false,
        },
        "pmcid" => add_id(article, "pmc", text),
        "pages" => {
            let range = text.replace("--", "-").replace('–', "-");
            let (start, end) = range.split_once('-').unwrap_or((&range, ""));
            article.pages = pages(Some(start.trim()), Some(end.trim()));
        }
        "language" | "langid" => {
            let mut codes = text.split(',').map(str::trim);
            article.languages.extend(codes.by_ref().map(str::to_owned));
        }
        "keywords" => {
            let sign = if text.contains(';') { ';' } else { ',' };
            let words = text.split(sign).map(str::trim);
            words
                .filter(|word| !word.is_empty())
                .for_each(|word| keyword(article, word));
        }
        "note" if text == RETRACTED => publication_type(article, "Retracted Publication"),
        "note" => article.notes.push(Note {
            owner: None,
            text: text.to_owned(),
        }),
        _ if of_book => return take_book(article, name, text),
        _ => return take_journal(article, name, text),
    }
    true
}

fn take_journal(article: &mut Article, name: &str, text: &str) -> bool {
    if !matches!(
        name,
        "journal" | "journaltitle" | "shortjournal" | "volume" | "number" | "issue" | "issn"
    ) {
        return false;
    }
    let journal = journal(article);
    match name {
        "journal" | "journaltitle" if journal.title.is_empty() => {
            journal.title = text.to_owned();
            true
        }
        "shortjournal" => set(&mut journal.medline_abbreviation, text),
        "volume" => set(&mut journal.volume, text),
        "number" | "issue" => set(&mut journal.issue, text),
        "issn" => set(&mut journal.issn, text),
        _ => false,
    }
}

fn take_book(article: &mut Article, name: &str, text: &str) -> bool {
    let book = book(article);
    match name {
        "booktitle" if book.title.is_empty() => {
            book.title = text.into();
            true
        }
        "series" => set(&mut book.collection_title, text),
        "volume" => set(&mut book.volume, text),
        "edition" => set(&mut book.edition, text),
        "publisher" => set(&mut book.publisher, text),
        "address" | "location" => set(&mut book.place, text),
        "isbn" => {
            book.isbn
                .extend(text.split(',').map(|isbn| isbn.trim().to_owned()));
            true
        }
        _ => false,
    }
}

/// Names with ` and ` between them; what stands in braces is not taken apart.
fn people(raw: &str) -> Vec<Author> {
    parted(raw, " and ")
        .into_iter()
        .filter_map(person)
        .collect()
}

fn person(raw: &str) -> Option<Author> {
    let raw = raw.trim();
    let inner = raw
        .strip_prefix('{')
        .and_then(|rest| rest.strip_suffix('}'));
    if let Some(group) = inner.filter(|inner| depth_never_falls(inner)) {
        return Some(names::group(&plain(group))).filter(|author| !author.display().is_empty());
    }
    let parts: Vec<String> = parted(raw, ",").into_iter().map(plain).collect();
    let name = match parts.as_slice() {
        [one] if one.is_empty() => return None,
        [one] => names::name(one),
        [last, given] => names::parted(last, given, ""),
        [last, suffix, given, ..] => names::parted(last, given, suffix),
        [] => return None,
    };
    Some(names::person(name))
}

/// Whether the braces of a text open before they close: then the braces
/// around it are a pair.
fn depth_never_falls(text: &str) -> bool {
    let mut depth = 0_i32;
    text.chars().all(|c| {
        depth += i32::from(c == '{') - i32::from(c == '}');
        depth >= 0
    })
}

/// Parts between signs that stand outside of braces.
fn parted<'a>(text: &'a str, sign: &str) -> Vec<&'a str> {
    let (mut parts, mut start, mut depth) = (Vec::new(), 0, 0_i32);
    let mut place = 0;
    while place < text.len() {
        let rest = &text[place..];
        let is_sign = depth == 0
            && rest
                .get(..sign.len())
                .is_some_and(|found| found.eq_ignore_ascii_case(sign));
        if is_sign {
            parts.push(&text[start..place]);
            place += sign.len();
            start = place;
            continue;
        }
        let c = rest.chars().next().unwrap_or(' ');
        depth += i32::from(c == '{') - i32::from(c == '}');
        place += c.len_utf8();
    }
    parts.push(&text[start..]);
    parts
}

fn month(text: &str) -> Option<u8> {
    let text = text.trim_matches(['{', '}', '"', ' ']).to_lowercase();
    let number = text.parse().ok().filter(|number| (1..=12).contains(number));
    let named = || MONTHS.iter().position(|name| text.starts_with(name));
    number.or_else(|| named().map(|place| place as u8 + 1))
}

/// `date = {2023-12-04}` of BibLaTeX, or `year` and `month`.
fn date(date: Option<String>, year: Option<String>, of_year: Option<&str>) -> Option<PubDate> {
    if let Some(date) = date {
        let mut parts = date.splitn(3, '-').map(str::parse::<i32>);
        let year = parts.next()?.ok();
        let mut small = || {
            parts
                .next()?
                .ok()
                .and_then(|number| u8::try_from(number).ok())
        };
        let calendar = year.and_then(|year| PubDate::calendar(year, small(), small()).ok());
        return Some(calendar.unwrap_or_else(|| PubDate::medline(&date)));
    }
    let year = year?;
    let calendar = year.parse().ok();
    let calendar =
        calendar.and_then(|year| PubDate::calendar(year, of_year.and_then(month), None).ok());
    Some(calendar.unwrap_or_else(|| PubDate::medline(&year)))
}

struct Entry {
    kind: String,
    key: String,
    fields: Vec<(String, String)>,
}

/// Entries one behind the other.
struct Entries<'a> {
    rest: &'a str,
}

impl Entries<'_> {
    fn next(&mut self, known: &HashMap<String, String>) -> Result<Entry, String> {
        let at = self.rest.find('@').ok_or("there is no entry")?;
        self.rest = &self.rest[at + 1..];
        let kind = self.word().to_ascii_lowercase();
        let closing = match self.sign() {
            Some('{') => '}',
            Some('(') => ')',
            _ => return Err(format!("behind @{kind} stands no brace")),
        };
        let mut key = String::new();
        if kind != "string" {
            let end = self.rest.find([',', closing]).unwrap_or(self.rest.len());
            key = self.rest[..end].trim().to_owned();
            self.rest = &self.rest[end..];
            if self.rest.starts_with(',') {
                self.rest = &self.rest[1..];
            }
        }
        let mut fields = Vec::new();
        loop {
            match self.peek() {
                None => return Err("the entry has no end".to_owned()),
                Some(',') => {
                    self.sign();
                }
                Some(sign) if sign == closing => {
                    self.sign();
                    return Ok(Entry { kind, key, fields });
                }
                Some(_) => fields.push(self.field(known)?),
            }
        }
    }

    fn field(&mut self, known: &HashMap<String, String>) -> Result<(String, String), String> {
        let name = self.word().to_ascii_lowercase();
        if name.is_empty() || self.sign() != Some('=') {
            let place: String = self.rest.chars().take(30).collect();
            return Err(format!("no `name = value` before {place:?}"));
        }
        let mut value = String::new();
        loop {
            value.push_str(&self.value(known)?);
            if self.peek() != Some('#') {
                return Ok((name, value));
            }
            self.sign();
        }
    }

    /// A value in braces or quotes, a number, or an abbreviation.
    fn value(&mut self, known: &HashMap<String, String>) -> Result<String, String> {
        match self.peek() {
            Some('{') => self.delimited('{', '}'),
            Some('"') => self.delimited('"', '"'),
            _ => {
                let word = self.word().to_owned();
                if word.is_empty() {
                    return Err("a field has no value".to_owned());
                }
                // Months are abbreviations of every style.
                let full = known.get(&word.to_ascii_lowercase());
                Ok(full.cloned().unwrap_or(word))
            }
        }
    }

    fn delimited(&mut self, opening: char, closing: char) -> Result<String, String> {
        self.sign();
        let mut depth = 0_usize;
        for (at, c) in self.rest.char_indices() {
            match c {
                c if c == closing && depth == 0 => {
                    let value = self.rest[..at].to_owned();
                    self.rest = &self.rest[at + 1..];
                    return Ok(value);
                }
                '{' => depth += 1,
                '}' => depth = depth.saturating_sub(1),
                _ => {}
            }
        }
        Err(format!("a value that begins with {opening} has no end"))
    }

    fn peek(&mut self) -> Option<char> {
        self.rest = self.rest.trim_start();
        self.rest.chars().next()
    }

    fn sign(&mut self) -> Option<char> {
        let sign = self.peek()?;
        self.rest = &self.rest[sign.len_utf8()..];
        Some(sign)
    }

    fn word(&mut self) -> &str {
        self.peek();
        let end = self
            .rest
            .find(|c: char| {
                c.is_whitespace() || matches!(c, ',' | '{' | '}' | '(' | ')' | '=' | '#' | '"')
            })
            .unwrap_or(self.rest.len());
        let (word, rest) = self.rest.split_at(end);
        self.rest = rest;
        word
    }
}
