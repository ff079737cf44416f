use super::super::citation::{article_address, outward, pmid_address};
use super::super::html::Html;
use medsift::ArticleId;
use medsift::article::Article;
use medsift::searcher::Searcher;
use std::collections::HashSet;

/// Which of the articles that a record names are in the index, so that they
/// can be read here.
#[derive(Debug, Default)]
pub(super) struct Linked {
    held: HashSet<String>,
    /// The query string of the search that led here, which goes along.
    query: String,
}

impl Linked {
    /// Looks up every PMID among an article's links and references.
    pub(super) fn of(
        article: &Article,
        searcher: &Searcher,
        query: String,
    ) -> medsift::Result<Self> {
        let links = article.links.iter().filter_map(|link| link.pmid.as_deref());
        let cited = article
            .references
            .iter()
            .flat_map(|reference| &reference.ids);
        let cited = cited
            .filter(|id| id.kind.eq_ignore_ascii_case("pubmed"))
            .map(|id| id.value.as_str());
        let mut held = HashSet::new();
        for pmid in links.chain(cited) {
            // What is no id is in no index.
            if let Ok(id) = ArticleId::new(pmid)
                && !held.contains(pmid)
                && searcher.holds(&id)?
            {
                held.insert(pmid.to_owned());
            }
        }
        Ok(Self { held, query })
    }

    /// A PMID that leads to the article here, else to PubMed.
    pub(super) fn write(&self, html: &mut Html, pmid: &str) {
        let text = format!("PMID {pmid}");
        if self.held.contains(pmid) {
            let address = article_address(pmid, &self.query);
            html.leaf("a", &[("href", &address)], text);
        } else if let Some(address) = pmid_address(pmid) {
            outward(html, &address, &text);
        } else {
            html.text(text);
        }
    }

    /// As if the index held these.
    #[cfg(test)]
    pub(super) fn holding(pmids: &[&str], query: &str) -> Self {
        Self {
            held: pmids.iter().map(|pmid| (*pmid).to_owned()).collect(),
            query: query.to_owned(),
        }
    }
}
