//! CSL-JSON: what citeproc reads. Names as in the schema of the Citation Style
//! Language 1.0.2 (`csl-data.json`).

use super::parts::{
    Reference, abstract_text, authors, day, identifier, line, page_range, pmid, pubmed_address,
    reference, subjects,
};
use crate::article::{Article, Author, PubDate};
use serde_json::{Map, Value, json};

/// Articles as an array of items.
pub fn csl(articles: &[Article]) -> String {
    let items: Vec<Value> = articles.iter().map(csl_item).collect();
    // Values of strings and numbers can always be written.
    let mut text = serde_json::to_string_pretty(&items).unwrap_or_default();
    text.push('\n');
    text
}

/// An article as one item.
pub fn csl_item(article: &Article) -> Value {
    let kind = reference(article);
    let mut item = Item::default();
    item.add("id", article.id.as_str());
    item.add(
        "type",
        match kind {
            Reference::Journal => "article-journal",
            Reference::Preprint => "article",
            Reference::Book => "book",
            Reference::Chapter => "chapter",
            Reference::Other => "document",
        },
    );
    item.add("title", &article.display_title().plain);
    item.names("author", authors(article));
    item.names("editor", article.editors.iter());
    if let Some(date) = &article.published {
        item.0.insert("issued".to_owned(), issued(date));
    } else if let Some(year) = article.year() {
        item.0
            .insert("issued".to_owned(), json!({"date-parts": [[year]]}));
    }
    source(&mut item, article, kind);
    item.add("page", &page_range(article).unwrap_or_default());
    item.add("abstract", &abstract_text(article.display_abstract().0));
    // Not commas, which MeSH headings have in them.
    item.add("keyword", &subjects(article).join("; "));
    item.add(
        "language",
        article.languages.first().map_or("", String::as_str),
    );
    item.add("DOI", identifier(article, "doi").unwrap_or_default());
    item.add("PMID", pmid(article).unwrap_or_default());
    item.add("PMCID", identifier(article, "pmc").unwrap_or_default());
    item.add("URL", &pubmed_address(article).unwrap_or_default());
    if article.is_retracted() {
        item.add("note", "Retracted publication");
    }
    Value::Object(item.0)
}

fn source(item: &mut Item, article: &Article, kind: Reference) {
    if let Some(journal) = &article.journal {
        item.add("container-title", &journal.title);
        item.add("container-title-short", journal.short_title());
        item.optional("volume", &journal.volume);
        item.optional("issue", &journal.issue);
        let number = [&journal.issn, &journal.issn_linking];
        item.add(
            "ISSN",
            number
                .into_iter()
                .flatten()
                .next()
                .map_or("", String::as_str),
        );
    }
    if let Some(book) = &article.book {
        if kind == Reference::Chapter {
            item.add("container-title", &book.title.plain);
        }
        item.optional("collection-title", &book.collection_title);
        item.optional("volume", &book.volume);
        item.optional("edition", &book.edition);
        item.optional("publisher", &book.publisher);
        item.optional("publisher-place", &book.place);
        item.add("ISBN", book.isbn.first().map_or("", String::as_str));
    }
}

/// Numbers where there are any, else the text; a season by its number from
/// spring on.
fn issued(date: &PubDate) -> Value {
    let (Some(year), month, of_month) = day(date) else {
        return json!({ "literal": date.to_string() });
    };
    let mut parts = vec![json!(year)];
    parts.extend(month.map(|month| json!(month)));
    parts.extend(month.and(of_month).map(|day| json!(day)));
    let mut issued = Map::from_iter([("date-parts".to_owned(), json!([parts]))]);
    match date {
        PubDate::Calendar { .. } => {}
        PubDate::Season { season, .. } => {
            let number = match season.to_lowercase().as_str() {
                "spring" => json!(1),
                "summer" => json!(2),
                "autumn" | "fall" => json!(3),
                "winter" => json!(4),
                other => json!(other),
            };
            issued.insert("season".to_owned(), number);
        }
        PubDate::Medline { medline_date, .. } => {
            issued.insert("raw".to_owned(), json!(medline_date));
        }
    }
    Value::Object(issued)
}

#[derive(Default)]
struct Item(Map<String, Value>);

impl Item {
    fn add(&mut self, name: &str, value: &str) {
        let value = line(value);
        if !value.is_empty() {
            self.0.insert(name.to_owned(), value.into());
        }
    }

    fn optional(&mut self, name: &str, value: &Option<String>) {
        self.add(name, value.as_deref().unwrap_or_default());
    }

    fn names<'a>(&mut self, name: &str, authors: impl Iterator<Item = &'a Author>) {
        let names: Vec<Value> = authors.filter_map(person).collect();
        if !names.is_empty() {
            self.0.insert(name.to_owned(), names.into());
        }
    }
}

fn person(author: &Author) -> Option<Value> {
    let mut person = Item::default();
    match &author.name {
        Some(name) => {
            person.add("family", &name.last);
            let given = name.fore.as_ref().or(name.initials.as_ref());
            person.add("given", given.map_or("", String::as_str));
            person.optional("suffix", &name.suffix);
        }
        None => person.optional("literal", &author.collective),
    }
    (!person.0.is_empty()).then_some(Value::Object(person.0))
}
