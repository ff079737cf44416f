//! MEDLINE tagged text, as PubMed exports it: four characters of tag, a hyphen,
//! a blank, a value that goes on in lines indented by six.
//! Tags: <https://www.nlm.nih.gov/bsd/mms/medlineelements.html>.

mod people;
mod subjects;

use super::parts::{abstract_text, line, page_range, pmid};
use super::plain::source;
use crate::article::{Article, HistoryDate, Journal, PubDate};
use serde_json::Value;

/// Columns of a line.
const WIDTH: usize = 88;

/// Columns before a value.
const INDENT: usize = 6;

/// An article as MEDLINE tagged text, with a blank line behind it.
///
/// What MEDLINE has no tag for is left out: markup, identifiers of MeSH terms,
/// labels of sections as such (they stand in the text), full text, references.
/// A record that is no PubMed record has no `PMID` line.
pub fn nbib(article: &Article) -> String {
    let mut out = Lines::default();
    out.add("PMID", pmid(article).unwrap_or_default());
    out.optional("OWN", article.owner.as_ref());
    out.optional("STAT", article.status.as_ref());
    dates(&mut out, article, &RECORD_DATES);
    journal_numbers(&mut out, article.journal.as_ref());
    out.add(
        "DP",
        &article
            .published
            .as_ref()
            .map_or(String::new(), ToString::to_string),
    );
    out.add("TI", &article.title.plain);
    book(&mut out, article);
    out.add("PG", &page_range(article).unwrap_or_default());
    texts(&mut out, article);
    people::write(&mut out, article);
    for language in &article.languages {
        out.add("LA", language);
    }
    subjects::databanks_and_grants(&mut out, article);
    for kind in &article.publication_types {
        out.add("PT", &kind.name);
    }
    dates(&mut out, article, &[("electronic", "DEP")]);
    journal_names(&mut out, article.journal.as_ref());
    for subset in &article.citation_subsets {
        out.add("SB", subset);
    }
    subjects::write(&mut out, article);
    subjects::links(&mut out, article);
    out.optional("RF", article.reference_count.as_ref());
    out.optional("COIS", article.conflict_of_interest.as_ref());
    for mission in &article.space_flight_missions {
        out.add("SFM", mission);
    }
    for note in &article.notes {
        out.add("GN", &note.text);
    }
    subjects::identifiers(&mut out, article);
    history(&mut out, article);
    out.optional("PST", article.publication_status.as_ref());
    out.optional("PUBM", article.publication_model.as_ref());
    rest(&mut out, article);
    out.text.push('\n');
    out.text
}

/// Dates of the record and of its entry into PubMed, by their tags.
const RECORD_DATES: [(&str, &str); 5] = [
    ("created", "DA"),
    ("completed", "DCOM"),
    ("last-revised", "LR"),
    ("contribution", "CTDT"),
    ("pmc-release", "PMCR"),
];
const ENTRY_DATES: [(&str, &str); 3] =
    [("pubmed", "EDAT"), ("medline", "MHDA"), ("entrez", "CRDT")];

/// Events that have tags of their own, without time.
fn dates(out: &mut Lines, article: &Article, tags: &[(&str, &'static str)]) {
    for event in &article.history {
        let tag = tags.iter().find(|(name, _)| *name == event.event);
        if let Some((_, tag)) = tag {
            out.add(tag, &day(&event.date, ""));
        }
    }
}

/// The days of the entry, then all other events by name.
fn history(out: &mut Lines, article: &Article) {
    let entry = |event: &&HistoryDate| {
        let tag = ENTRY_DATES.iter().find(|(name, _)| *name == event.event);
        tag.map(|(_, tag)| *tag)
    };
    for event in &article.history {
        if let Some(tag) = entry(&event) {
            out.add(tag, &moment(event));
        }
    }
    for event in &article.history {
        let name = event.event.as_str();
        let own = RECORD_DATES.iter().any(|(known, _)| *known == name) || name == "electronic";
        if !own && entry(&event).is_none() {
            out.add("PHST", &format!("{} [{name}]", moment(event)));
        }
    }
}

/// `2010/05/27 06:00`
fn moment(event: &HistoryDate) -> String {
    match &event.time {
        Some(time) => format!("{} {time}", day(&event.date, "/")),
        None => day(&event.date, "/"),
    }
}

/// Year, month and day with a sign between them; what is less than a day stands
/// as it is printed.
fn day(date: &PubDate, sign: &str) -> String {
    match date {
        PubDate::Calendar {
            year,
            month: Some(month),
            day: Some(day),
        } => format!("{year:04}{sign}{month:02}{sign}{day:02}"),
        other => other.to_string(),
    }
}

fn journal_numbers(out: &mut Lines, journal: Option<&Journal>) {
    let Some(journal) = journal else { return };
    if let Some(number) = &journal.issn {
        match &journal.issn_type {
            Some(kind) => out.add("IS", &format!("{number} ({kind})")),
            None => out.add("IS", number),
        }
    }
    if let Some(number) = &journal.issn_linking {
        out.add("IS", &format!("{number} (Linking)"));
    }
    out.optional("VI", journal.volume.as_ref());
    out.optional("IP", journal.issue.as_ref());
}

fn journal_names(out: &mut Lines, journal: Option<&Journal>) {
    let Some(journal) = journal else { return };
    out.optional("PL", journal.country.as_ref());
    let short = journal.medline_abbreviation.as_ref();
    out.optional("TA", short.or(journal.iso_abbreviation.as_ref()));
    out.add("JT", &journal.title);
    out.optional("JID", journal.nlm_id.as_ref());
}

fn book(out: &mut Lines, article: &Article) {
    let Some(book) = &article.book else { return };
    out.add("BTI", &book.title.plain);
    out.optional("CTI", book.collection_title.as_ref());
    out.optional("VTI", book.volume_title.as_ref());
    out.optional("EN", book.edition.as_ref());
    out.optional("PB", book.publisher.as_ref());
    for number in &book.isbn {
        out.add("ISBN", number);
    }
    for place in &book.location {
        if let Some(chapter) = place.strip_prefix("chapter ") {
            out.add("CP", chapter);
        }
    }
}

fn texts(out: &mut Lines, article: &Article) {
    out.add("AB", &abstract_text(&article.abstract_sections));
    out.optional("CI", article.copyright.as_ref());
    for other in &article.other_abstracts {
        let text = abstract_text(&other.sections);
        match &other.kind {
            Some(kind) => out.add("OAB", &format!("{kind}: {text}")),
            None => out.add("OAB", &text),
        }
        out.optional("OABL", other.language.as_ref());
        out.optional("OCI", other.copyright.as_ref());
    }
    out.add("TT", &article.vernacular_title.plain);
}

/// Tags of the source that an article has no place for, and the source line.
fn rest(out: &mut Lines, article: &Article) {
    for (tag, values) in &article.metadata {
        let is_tag = (2..=4).contains(&tag.len())
            && tag
                .bytes()
                .all(|b| b.is_ascii_uppercase() || b.is_ascii_digit());
        // Such a line would begin another record, for whoever reads this one.
        let begins_a_record = tag == "PMID";
        if let (true, Value::Array(values)) = (is_tag && !begins_a_record, values) {
            for value in values.iter().filter_map(Value::as_str) {
                out.add(tag, value);
            }
        }
    }
    if !article.metadata.contains_key("SO") {
        out.add("SO", &source(article));
    }
}

/// Lines under construction.
#[derive(Default)]
struct Lines {
    text: String,
}

impl Lines {
    /// A field, broken between words; nothing where the value is empty.
    fn add(&mut self, tag: &str, value: &str) {
        let value = line(value);
        if value.is_empty() {
            return;
        }
        self.text.push_str(&format!("{tag:<4}-"));
        let mut column = INDENT - 1;
        for word in value.split(' ') {
            let width = word.chars().count();
            if column > INDENT && column + 1 + width > WIDTH {
                self.text.push('\n');
                self.text.push_str(&" ".repeat(INDENT));
                column = INDENT;
            } else {
                self.text.push(' ');
                column += 1;
            }
            self.text.push_str(word);
            column += width;
        }
        self.text.push('\n');
    }

    fn optional(&mut self, tag: &str, value: Option<&String>) {
        self.add(tag, value.map_or("", String::as_str));
    }
}
