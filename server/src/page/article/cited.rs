//! The articles of the index that cite this one.

use super::super::citation::{self, article_address};
use super::super::html::Html;
use super::super::{badges, rich};
use medsift::article::{Article, ArticleKind};
use medsift::keyword::pmid;
use medsift::searcher::Searcher;

/// Articles that are listed.
const LISTED: usize = 10;

/// Who cites an article, as far as the index knows.
#[derive(Debug, Default)]
pub(super) struct Cited {
    /// How many.
    pub(super) total: usize,
    /// The newest of them.
    pub(super) newest: Vec<Article>,
    /// Articles of which it is not known what they cite.
    pub(super) unknown: u64,
}

impl Cited {
    /// Looks them up; what has no PMID is cited by none that could be found.
    pub(super) fn of(article: &Article, searcher: &Searcher) -> medsift::Result<Self> {
        let pmid = pmid(article.id.as_str()).filter(|_| article.kind != ArticleKind::Document);
        let Some(pmid) = pmid else {
            return Ok(Self::default());
        };
        let (total, newest) = searcher.citing(pmid, LISTED)?;
        Ok(Self {
            total,
            newest: newest.into_iter().map(|stored| stored.article).collect(),
            unknown: searcher.without_citations()?,
        })
    }

    /// Titles that lead to the articles, newest first. `query` is the query
    /// string of the search that led here.
    pub(super) fn write(&self, html: &mut Html, query: &str) {
        if self.total == 0 {
            return;
        }
        html.element("section", &[("class", "similar cited")], |html| {
            html.leaf("h2", &[], format_args!("Cited by ({})", self.total));
            html.element("ol", &[], |html| {
                for article in &self.newest {
                    html.element("li", &[], |html| entry(html, article, query));
                }
            });
            let listed = self.newest.len();
            if self.total > listed {
                html.leaf(
                    "p",
                    &[],
                    format_args!("The newest {listed} of {} in this index.", self.total),
                );
            }
            if self.unknown > 0 {
                html.leaf(
                    "p",
                    &[],
                    format_args!(
                        "Of {} articles of this index it is not known what they cite.",
                        self.unknown
                    ),
                );
            }
        });
    }
}

fn entry(html: &mut Html, article: &Article, query: &str) {
    let address = article_address(article.id.as_str(), query);
    let title = article.display_title();
    html.element("a", &[("href", &address)], |html| {
        if title.is_empty() {
            html.raw("<i>Without a title</i>");
        } else {
            rich::write(html, title);
        }
    });
    citation::write(html, article);
    let (_, origin) = article.display_abstract();
    badges::write(html, article, &origin);
}
