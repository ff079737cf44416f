//! PubMed XML, as NLM's dumps and `efetch` have it.
//!
//! The structure is that of NLM's DTD of 2019
//! (<https://dtd.nlm.nih.gov/ncbi/pubmed/out/pubmed_190101.dtd>), which NCBI
//! still names and programs have at hand; its later versions add nothing that
//! an [`Article`] holds. What is written is read back as an equal article,
//! except for what the format has no place for:
//!
//! - full text, and metadata other than identifiers of versions and Bookshelf
//!   places, objects and lists of items;
//! - the kind of a record that is no PubMed record, which comes back as an
//!   article in a journal;
//! - in a journal article the book, in a book the journal, MeSH headings,
//!   substances, links, and whatever else `BookDocument` lacks;
//! - of a date of the history the season as such: it comes back as text; and
//!   the place of the event `created`, which stands before the other events;
//! - runs of white space, which are one space, and control characters.

mod article;
mod book;
mod citation;
mod data;
mod date;
mod people;
mod subject;

use crate::article::{Article, ArticleKind};
use crate::xml::XmlWriter;

const ROOT: &str = "PubmedArticleSet";
const PUBLIC: &str = "-//NLM//DTD PubMedArticle, 1st January 2019//EN";
const SYSTEM: &str = "https://dtd.nlm.nih.gov/ncbi/pubmed/out/pubmed_190101.dtd";

/// What stands before the first article of a set.
pub fn pubmed_xml_head() -> String {
    let mut xml = XmlWriter::document(ROOT, PUBLIC, SYSTEM);
    xml.open(ROOT);
    xml.raw("\n");
    xml.finish()
}

/// What stands behind the last article of a set.
pub fn pubmed_xml_tail() -> String {
    format!("</{ROOT}>\n")
}

/// An article as an element of a set: `PubmedArticle`, or `PubmedBookArticle`
/// for books and their chapters.
pub fn pubmed_xml(article: &Article) -> String {
    let mut xml = XmlWriter::new();
    match article.kind {
        ArticleKind::Book => book::write(&mut xml, article),
        ArticleKind::Journal | ArticleKind::Document => {
            xml.inside("PubmedArticle", &[], |xml| {
                citation::write(xml, article);
                data::of_article(xml, article);
            });
        }
    }
    xml.finish()
}

/// `PMID` with its version.
fn pmid(xml: &mut XmlWriter, article: &Article) {
    let version = article.version.to_string();
    xml.leaf_with("PMID", &[("Version", Some(&version))], article.id.as_str());
}

/// `Y` or `N`.
fn yes_or_no(flag: bool) -> Option<&'static str> {
    Some(if flag { "Y" } else { "N" })
}

/// A text of the metadata.
fn metadata<'a>(article: &'a Article, key: &str) -> Option<&'a str> {
    article.metadata.get(key)?.as_str()
}
