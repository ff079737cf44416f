//! The summary of an article, as `esummary` gives it.

use medsift::Article;
use medsift::article::citation::{page_range, source};
use medsift::article::{Author, HistoryDate, PubDate};
use medsift::query::pubmed::language_name;
use medsift::xml::XmlWriter;
use serde_json::{Value, json};

/// What a summary says.
pub(super) struct Summary<'a> {
    pub(super) pmid: u32,
    pub(super) article: &'a Article,
    /// Articles of the index that cite it.
    pub(super) cited: usize,
}

/// An entry of a summary in XML.
enum Item {
    Text(&'static str, &'static str, String),
    List(&'static str, Vec<(String, &'static str, String)>),
}

impl Summary<'_> {
    /// `DocSum`, of version 1.0.
    pub(super) fn write(&self, xml: &mut XmlWriter) {
        let item = |xml: &mut XmlWriter, name: &str, kind: &str, text: &str| {
            let attributes = [("Name", Some(name)), ("Type", Some(kind))];
            xml.leaf_with("Item", &attributes, text);
        };
        xml.inside("DocSum", &[], |xml| {
            xml.leaf("Id", &self.pmid.to_string());
            for entry in self.items() {
                match entry {
                    Item::Text(name, kind, text) => item(xml, name, kind, &text),
                    Item::List(name, entries) => {
                        let attributes = [("Name", Some(name)), ("Type", Some("List"))];
                        xml.inside("Item", &attributes, |xml| {
                            for (name, kind, text) in &entries {
                                item(xml, name, kind, text);
                            }
                        });
                    }
                }
            }
        });
    }

    fn items(&self) -> Vec<Item> {
        let article = self.article;
        let text = |name, value: String| Item::Text(name, "String", value);
        let list = |name, entry: &str, values: Vec<String>| {
            let entries = values.into_iter();
            let entries = entries.map(|value| (entry.to_owned(), "String", value));
            Item::List(name, entries.collect())
        };
        let names: Vec<String> = authors(article).map(Author::display).collect();
        let ids = self
            .ids()
            .into_iter()
            .map(|(kind, id)| (kind, "String", id));
        let events = article.history.iter();
        let events = events.map(|event| (event.event.clone(), "Date", moment(event)));
        let date = |name, value: String| Item::Text(name, "Date", value);
        let number = |name, value: usize| Item::Text(name, "Integer", value.to_string());
        vec![
            date("PubDate", published(article)),
            date("EPubDate", electronic(article)),
            text(
                "Source",
                journal(article, |journal| journal.short_title().to_owned()),
            ),
            list("AuthorList", "Author", names.clone()),
            text("LastAuthor", names.last().cloned().unwrap_or_default()),
            text("Title", article.display_title().plain.clone()),
            text(
                "Volume",
                journal(article, |j| j.volume.clone().unwrap_or_default()),
            ),
            text(
                "Issue",
                journal(article, |j| j.issue.clone().unwrap_or_default()),
            ),
            text("Pages", page_range(article).unwrap_or_default()),
            list(
                "LangList",
                "Lang",
                article.languages.iter().map(|l| language(l)).collect(),
            ),
            text(
                "NlmUniqueID",
                journal(article, |j| j.nlm_id.clone().unwrap_or_default()),
            ),
            text("ISSN", issn(article, "Print")),
            text("ESSN", issn(article, "Electronic")),
            list("PubTypeList", "PubType", types(article)),
            text("RecordStatus", record_status(article).to_owned()),
            text(
                "PubStatus",
                article.publication_status.clone().unwrap_or_default(),
            ),
            Item::List("ArticleIds", ids.collect()),
            text(
                "DOI",
                article.other_id("doi").unwrap_or_default().to_owned(),
            ),
            Item::List("History", events.collect()),
            Item::List("References", Vec::new()),
            number("HasAbstract", usize::from(has_abstract(article))),
            number("PmcRefCount", self.cited),
            text(
                "FullJournalName",
                journal(article, |journal| journal.title.clone()),
            ),
            text("ELocationID", location(article)),
            text("SO", issue(article)),
        ]
    }

    /// The same in the form of JSON, of version 2.0.
    pub(super) fn json(&self) -> Value {
        let article = self.article;
        let kind = |author: &Author| match &author.name {
            Some(_) => "Author",
            None => "CollectiveName",
        };
        let names: Vec<Value> = authors(article)
            .map(|author| {
                json!({"name": author.display(), "authtype": kind(author), "clusterid": ""})
            })
            .collect();
        let ids = self.ids().into_iter();
        let ids: Vec<Value> = ids
            .map(|(kind, id)| json!({"idtype": kind, "value": id}))
            .collect();
        let events = article.history.iter();
        let events: Vec<Value> = events
            .map(|event| json!({"pubstatus": event.event, "date": moment(event)}))
            .collect();
        let attributes = has_abstract(article).then_some("Has Abstract");
        let title = article.display_title().plain.as_str();
        let of_journal = |field: fn(&medsift::article::Journal) -> Option<&String>| {
            journal(article, |journal| {
                field(journal).cloned().unwrap_or_default()
            })
        };
        let last = authors(article).last().map(Author::display);
        json!({
            "uid": self.pmid.to_string(),
            "pubdate": published(article), "epubdate": electronic(article),
            "source": journal(article, |journal| journal.short_title().to_owned()),
            "authors": names, "lastauthor": last.unwrap_or_default(),
            "title": title, "sorttitle": title.to_lowercase(),
            "volume": of_journal(|journal| journal.volume.as_ref()),
            "issue": of_journal(|journal| journal.issue.as_ref()),
            "pages": page_range(article).unwrap_or_default(),
            "lang": article.languages,
            "nlmuniqueid": of_journal(|journal| journal.nlm_id.as_ref()),
            "issn": issn(article, "Print"), "essn": issn(article, "Electronic"),
            "pubtype": types(article),
            "recordstatus": record_status(article),
            "pubstatus": article.publication_status.clone().unwrap_or_default(),
            "articleids": ids, "history": events, "references": [],
            "attributes": Vec::from_iter(attributes),
            "pmcrefcount": self.cited,
            "fulljournalname": journal(article, |journal| journal.title.clone()),
            "elocationid": location(article), "doctype": "citation",
            "booktitle": article.book.as_ref().map_or("", |book| book.title.plain.as_str()),
            "sortfirstauthor": authors(article).next().map(Author::display).unwrap_or_default(),
        })
    }

    fn ids(&self) -> Vec<(String, String)> {
        let own = ("pubmed".to_owned(), self.pmid.to_string());
        let others = self.article.other_ids.iter().filter(|id| id.valid);
        let others = others.map(|id| (id.kind.clone(), id.value.clone()));
        [own].into_iter().chain(others).collect()
    }
}

fn authors(article: &Article) -> impl Iterator<Item = &Author> {
    article.authors.iter().filter(|author| author.valid)
}

fn journal(article: &Article, field: impl Fn(&medsift::article::Journal) -> String) -> String {
    article.journal.as_ref().map(field).unwrap_or_default()
}

fn types(article: &Article) -> Vec<String> {
    let kinds = article.publication_types.iter();
    kinds.map(|kind| kind.name.clone()).collect()
}

fn published(article: &Article) -> String {
    article
        .published
        .as_ref()
        .map_or(String::new(), ToString::to_string)
}

fn electronic(article: &Article) -> String {
    let found = article
        .history
        .iter()
        .find(|event| event.event == "electronic");
    found.map_or(String::new(), |event| event.date.to_string())
}

/// `2019/03/04 06:00`
fn moment(event: &HistoryDate) -> String {
    let time = event.time.as_deref().unwrap_or("00:00");
    match &event.date {
        PubDate::Calendar { year, month, day } => {
            let (month, day) = (month.unwrap_or(1), day.unwrap_or(1));
            format!("{year:04}/{month:02}/{day:02} {time}")
        }
        other => other.to_string(),
    }
}

/// `English`, of `eng`.
fn language(code: &str) -> String {
    let Some(name) = language_name(code) else {
        return code.to_owned();
    };
    let mut letters = name.chars();
    let first = letters.next().map(|c| c.to_ascii_uppercase());
    first.into_iter().chain(letters).collect()
}

fn issn(article: &Article, kind: &str) -> String {
    journal(article, |journal| {
        let is_it = journal.issn_type.as_deref() == Some(kind);
        journal.issn.clone().filter(|_| is_it).unwrap_or_default()
    })
}

/// As PubMed words it.
fn record_status(article: &Article) -> &'static str {
    match article.status.as_deref() {
        Some("MEDLINE") => "PubMed - indexed for MEDLINE",
        Some("Publisher") => "PubMed - as supplied by publisher",
        Some("In-Process" | "In-Data-Review") => "PubMed - in process",
        Some("OLDMEDLINE") => "PubMed - OLDMEDLINE",
        _ => "PubMed",
    }
}

fn has_abstract(article: &Article) -> bool {
    !article.display_abstract().0.is_empty()
}

/// `doi: 10.5555/sample. pii: S1`
fn location(article: &Article) -> String {
    let kinds = ["doi", "pii"];
    let found = kinds.into_iter().filter_map(|kind| {
        let value = article.other_id(kind)?;
        Some(format!("{kind}: {value}"))
    });
    found.collect::<Vec<_>>().join(". ")
}

/// Date, volume, issue and pages, without the journal: `2023 Dec;12(3):123-9`.
fn issue(article: &Article) -> String {
    let whole = source(article);
    let journal = journal(article, |journal| journal.short_title().to_owned());
    let rest = whole.strip_prefix(journal.as_str()).unwrap_or(&whole);
    rest.trim_start_matches('.').trim_start().to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;
    use medsift::ArticleId;
    use medsift::article::{Journal, OtherId};

    #[test]
    fn values_are_written_as_ncbi_does() {
        let mut article = Article::new(ArticleId::new("7").unwrap());
        article.journal = Some(Journal {
            title: "The Journal of Samples".into(),
            medline_abbreviation: Some("J Samples".into()),
            volume: Some("12".into()),
            issn: Some("0000-0019".into()),
            issn_type: Some("Electronic".into()),
            ..Journal::default()
        });
        article.published = Some(PubDate::calendar(2023, Some(12), None).unwrap());
        article.languages = vec!["eng".into(), "xyz".into()];
        article.history = vec![HistoryDate {
            event: "pubmed".into(),
            date: PubDate::calendar(2023, Some(12), Some(4)).unwrap(),
            time: Some("06:00".into()),
        }];
        article.other_ids = vec![OtherId {
            kind: "doi".into(),
            value: "10.5555/x".into(),
            valid: true,
        }];
        let summary = Summary {
            pmid: 7,
            article: &article,
            cited: 2,
        };
        let mut xml = XmlWriter::new();
        summary.write(&mut xml);
        let xml = xml.finish();
        for part in [
            "<Id>7</Id>",
            "<Item Name=\"PubDate\" Type=\"Date\">2023 Dec</Item>",
            "<Item Name=\"Lang\" Type=\"String\">English</Item>\n<Item Name=\"Lang\" Type=\"String\">xyz",
            "<Item Name=\"pubmed\" Type=\"Date\">2023/12/04 06:00</Item>",
            "<Item Name=\"SO\" Type=\"String\">2023 Dec;12</Item>",
            "<Item Name=\"ESSN\" Type=\"String\">0000-0019</Item>",
            "<Item Name=\"ISSN\" Type=\"String\"></Item>",
            "<Item Name=\"PmcRefCount\" Type=\"Integer\">2</Item>",
        ] {
            assert!(xml.contains(part), "{part} is not in {xml}");
        }
        let json = summary.json();
        assert_eq!(json["source"], "J Samples");
        assert_eq!(json["articleids"][1]["value"], "10.5555/x");
        assert_eq!(json["elocationid"], "doi: 10.5555/x");
    }
}
