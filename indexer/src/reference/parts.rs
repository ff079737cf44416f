//! What the formats have in common.

use medsift::article::{Book, Journal, Keyword, KeywordList, MeshTerm, Pages, Section};
use medsift::digest::sha256;
use medsift::{Article, ArticleId};
use serde_json::Value;

/// The note by which medsift's own references mark a retracted article.
pub(super) const RETRACTED: &str = "Retracted publication";

/// Characters of a key that is made of the content.
const KEY: usize = 16;

/// The id of a reference: the first of these that is one, else a key made of
/// its text, so that the same reference is the same article again.
///
/// A DOI is `doi:10.…` in lower case, since DOIs differ by no case.
pub(super) fn id(
    pmid: Option<&str>,
    own: &[Option<&str>],
    doi: Option<&str>,
    format: &str,
    text: &str,
) -> ArticleId {
    let pmid = pmid
        .map(str::trim)
        .filter(|pmid| is_pmid(pmid))
        .map(str::to_owned);
    let doi = doi.map(|doi| format!("doi:{}", doi.to_lowercase()));
    let own = own.iter().flatten().map(|id| (*id).to_owned());
    let candidates = pmid.into_iter().chain(own).chain(doi);
    let made = || format!("{format}-{}", &sha256(text.as_bytes())[..KEY]);
    candidates
        .chain([made()])
        .find_map(|id| ArticleId::new(&id).ok())
        .unwrap_or_else(|| unreachable!("a key of hexadecimal digits is an id"))
}

pub(super) fn is_pmid(text: &str) -> bool {
    (1..=10).contains(&text.len()) && text.bytes().all(|b| b.is_ascii_digit())
}

/// The PMID in an address of PubMed.
pub(super) fn pmid_of_address(url: &str) -> Option<&str> {
    let rest = ["pubmed.ncbi.nlm.nih.gov/", "ncbi.nlm.nih.gov/pubmed/"]
        .iter()
        .find_map(|site| Some(url.split_once(site)?.1))?;
    let digits = rest
        .find(|c: char| !c.is_ascii_digit())
        .unwrap_or(rest.len());
    Some(&rest[..digits]).filter(|pmid| is_pmid(pmid))
}

/// The bare DOI of a value that may be an address.
pub(super) fn bare_doi(text: &str) -> Option<&str> {
    let at = text.find("10.")?;
    let doi = text[at..].trim();
    (doi.contains('/') && !doi.contains(char::is_whitespace)).then_some(doi)
}

pub(super) fn add_id(article: &mut Article, kind: &str, value: &str) {
    let ids = &mut article.other_ids;
    crate::pubmed::add_id(ids, kind.to_owned(), Some(value.to_owned()), true);
}

pub(super) fn journal(article: &mut Article) -> &mut Journal {
    article.journal.get_or_insert_with(Journal::default)
}

pub(super) fn book(article: &mut Article) -> &mut Book {
    article.book.get_or_insert_with(Book::default)
}

pub(super) fn abstract_text(article: &mut Article, text: &str) {
    article.abstract_sections.push(Section {
        text: text.into(),
        ..Section::default()
    });
}

pub(super) fn keyword(article: &mut Article, text: &str) {
    if article.keywords.is_empty() {
        article.keywords.push(KeywordList::default());
    }
    if let Some(list) = article.keywords.last_mut() {
        list.keywords.push(Keyword {
            text: text.to_owned(),
            major: false,
        });
    }
}

pub(super) fn publication_type(article: &mut Article, name: &str) {
    article.publication_types.push(MeshTerm {
        name: name.to_owned(),
        ui: None,
    });
}

/// A range of pages with its ends.
pub(super) fn pages(start: Option<&str>, end: Option<&str>) -> Option<Pages> {
    let some = |text: Option<&str>| text.map(str::to_owned).filter(|text| !text.is_empty());
    let (start, end) = (some(start), some(end));
    let range = match (&start, &end) {
        (Some(start), Some(end)) if start != end => format!("{start}-{end}"),
        (Some(one), _) | (None, Some(one)) => one.clone(),
        (None, None) => return None,
    };
    Some(Pages {
        medline: Some(range),
        start,
        end,
    })
}

/// Sets what is set once; a second value is kept elsewhere.
pub(super) fn set(slot: &mut Option<String>, value: &str) -> bool {
    let free = slot.is_none();
    if free {
        *slot = Some(value.to_owned());
    }
    free
}

/// Keeps a value that has no place of its own.
pub(super) fn keep(article: &mut Article, name: &str, value: &str) {
    let values = article.metadata.entry(name.to_owned());
    if let Value::Array(values) = values.or_insert_with(|| Value::Array(Vec::new())) {
        values.push(value.into());
    }
}

/// Drops an abbreviation of a journal that is its title.
pub(super) fn drop_idle_abbreviation(article: &mut Article) {
    if let Some(journal) = &mut article.journal {
        let title = Some(&journal.title);
        if journal.medline_abbreviation.as_ref() == title {
            journal.medline_abbreviation = None;
        }
    }
}
