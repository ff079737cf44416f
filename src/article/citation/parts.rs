//! Parts of a citation that several formats share.

use super::super::{Article, ArticleKind, Author, MeshTerm, Pages, PersonName, PubDate, Section};

/// Text on one line: line ends and repeated blanks are one blank.
pub(super) fn line(text: &str) -> String {
    text.split_ascii_whitespace().collect::<Vec<_>>().join(" ")
}

/// Authors that the source does not list as misspelt.
pub(super) fn authors(article: &Article) -> impl Iterator<Item = &Author> {
    article.authors.iter().filter(|author| author.valid)
}

/// `Smith, Jane A, Jr` as reference managers take names apart; groups as they
/// are.
pub(super) fn family_first(author: &Author) -> Option<String> {
    let Some(name) = &author.name else {
        return author.collective.as_deref().map(line);
    };
    let given = name.fore.as_ref().or(name.initials.as_ref());
    let parts = [Some(&name.last), given, name.suffix.as_ref()];
    let parts = parts.into_iter().flatten().map(|part| line(part));
    let parts: Vec<String> = parts.filter(|part| !part.is_empty()).collect();
    (!parts.is_empty()).then(|| parts.join(", "))
}

/// `Long, Vicky Jr`: the full form of MEDLINE.
pub(super) fn full_name(name: &PersonName) -> String {
    let mut text = line(&name.last);
    let rest = [&name.fore, &name.suffix].into_iter().flatten();
    let rest: Vec<String> = rest.map(|part| line(part)).collect();
    let rest = rest.join(" ");
    if !rest.is_empty() {
        text.push_str(", ");
        text.push_str(&rest);
    }
    text
}

/// The abstract as one text, labels before their sections.
pub(super) fn abstract_text(sections: &[Section]) -> String {
    let sections = sections.iter().map(|section| {
        let text = line(&section.text.plain);
        match &section.label {
            Some(label) => format!("{}: {text}", line(label)),
            None => text,
        }
    });
    sections.collect::<Vec<_>>().join(" ")
}

/// Keywords and MeSH headings, each once.
pub(super) fn subjects(article: &Article) -> Vec<String> {
    let keywords = article.keywords.iter().flat_map(|list| &list.keywords);
    let headings = article.mesh.iter().map(|found| &found.descriptor);
    let mut subjects: Vec<String> = Vec::new();
    let texts = keywords
        .map(|keyword| keyword.text.as_str())
        .chain(headings.map(|MeshTerm { name, .. }| name.as_str()));
    for text in texts.map(line) {
        if !text.is_empty() && !subjects.contains(&text) {
            subjects.push(text);
        }
    }
    subjects
}

/// First and last page. `123-9` ends on page 129: the last page is written
/// without the digits that it shares with the first.
pub(super) fn page_ends(pages: &Pages) -> (Option<String>, Option<String>) {
    if pages.start.is_some() || pages.end.is_some() {
        return (pages.start.clone(), pages.end.clone());
    }
    let Some(range) = pages.medline.as_deref() else {
        return (None, None);
    };
    // `S1-5, discussion S6`: the range is what comes first.
    let range = range.split([',', ';']).next().unwrap_or_default().trim();
    let Some((start, end)) = range.split_once('-') else {
        return (
            Some(range.to_owned()).filter(|range| !range.is_empty()),
            None,
        );
    };
    let (start, end) = (start.trim(), end.trim());
    let is_number = |text: &str| !text.is_empty() && text.bytes().all(|b| b.is_ascii_digit());
    let digits = start.len() - start.trim_end_matches(|c: char| c.is_ascii_digit()).len();
    let end = if is_number(end) && end.len() < digits {
        format!("{}{end}", &start[..start.len() - end.len()])
    } else {
        end.to_owned()
    };
    let some = |text: String| Some(text).filter(|text| !text.is_empty());
    (some(start.to_owned()), some(end))
}

/// The pages as they are written.
pub fn page_range(article: &Article) -> Option<String> {
    let pages = article.pages.as_ref()?;
    if let Some(range) = &pages.medline {
        return Some(line(range)).filter(|range| !range.is_empty());
    }
    match page_ends(pages) {
        (Some(start), Some(end)) if start != end => Some(format!("{start}-{end}")),
        (start, end) => start.or(end),
    }
}

/// Year, month and day as far as they are numbers.
pub(super) fn day(date: &PubDate) -> (Option<i32>, Option<u8>, Option<u8>) {
    match date {
        PubDate::Calendar { year, month, day } => (Some(*year), *month, *day),
        PubDate::Season { year, .. } => (Some(*year), None, None),
        PubDate::Medline { year, .. } => (*year, None, None),
    }
}

/// What sort of reference it is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Reference {
    /// An article in a journal.
    Journal,
    /// A preprint.
    Preprint,
    /// A book.
    Book,
    /// A chapter of a book.
    Chapter,
    /// A record of another sort.
    Other,
}

/// The sort of an article.
pub(super) fn reference(article: &Article) -> Reference {
    let is = |kind: &str| {
        let mut kinds = article.publication_types.iter();
        kinds.any(|found| found.name.eq_ignore_ascii_case(kind))
    };
    match article.kind {
        ArticleKind::Book => {
            let own = !article.title.is_empty();
            let book = article.book.as_ref();
            let other = book.is_some_and(|book| book.title.plain != article.title.plain);
            if own && other {
                Reference::Chapter
            } else {
                Reference::Book
            }
        }
        _ if is("Preprint") => Reference::Preprint,
        _ if article.journal.is_some() => Reference::Journal,
        ArticleKind::Journal => Reference::Journal,
        ArticleKind::Document => Reference::Other,
    }
}

/// PubMed's page of an article, where the id is a PMID.
pub(super) fn pubmed_address(article: &Article) -> Option<String> {
    // PubMed's own have eight digits at most.
    let pmid = pmid(article).filter(|pmid| pmid.len() <= 8)?;
    Some(format!("https://pubmed.ncbi.nlm.nih.gov/{pmid}/"))
}

/// The id, where it is a PMID.
pub(super) fn pmid(article: &Article) -> Option<&str> {
    let id = article.id.as_str();
    let is_pmid = !id.is_empty() && id.bytes().all(|b| b.is_ascii_digit());
    (article.kind != ArticleKind::Document && is_pmid).then_some(id)
}

/// The value of an identifier that the source does not call wrong.
pub(super) fn identifier<'a>(article: &'a Article, kind: &str) -> Option<&'a str> {
    let ids = article.other_ids.iter();
    ids.filter(|id| id.valid && id.kind.eq_ignore_ascii_case(kind))
        .map(|id| id.value.trim())
        .find(|value| !value.is_empty())
}
