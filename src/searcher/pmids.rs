//! Searches that give PMIDs: everything that a query of PubMed's language
//! selects, counted, in an order, from anywhere on.

use super::Searcher;
use super::findings::Asked;
use crate::article::{ArticleId, ArticleKind};
use crate::error::{ErrorKind, Result};
use crate::index::StoredArticle;
use crate::key::ArticleKey;
use crate::keyword::{Lines, Pmids, ResultSet, Scope, Selection, Setting, TermCount};
use crate::query::Filter;
use crate::query::pubmed::{Date, Leaf, Node, plain_words};
use roaring::RoaringBitmap;
use std::collections::BTreeMap;
use std::sync::Arc;

/// In which order PMIDs are listed.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum PmidOrder {
    /// Highest PMID first: what came into PubMed last.
    #[default]
    Newest,
    /// Best first, by the words of the query.
    Relevance,
    /// Latest day of publication first.
    Date,
    /// By the name of the first author.
    FirstAuthor,
    /// By the name of the journal.
    Journal,
}

/// What is looked for, and which part of the list is wanted.
#[derive(Debug, Clone)]
pub struct PmidSearch {
    /// The query, as it was read.
    pub tree: Node,
    /// The day of the search, from which spans are counted back.
    pub day: Date,
    /// Lists of PMIDs that the query may name by their number, as `#1`.
    pub sets: BTreeMap<u32, Arc<[u32]>>,
    /// In which order.
    pub order: PmidOrder,
    /// PMIDs that are passed over.
    pub from: usize,
    /// Most PMIDs.
    pub most: usize,
}

/// What such a search found.
#[derive(Debug, Clone, PartialEq)]
pub struct PmidList {
    /// Articles with a PMID that the query selects.
    pub count: u64,
    /// Articles without one that it selects beside them.
    pub without_pmid: u64,
    /// The part of the list that was wanted.
    pub pmids: Vec<u32>,
    /// The query as it was searched.
    pub tree: Node,
    /// Words without a field, and what each was searched as, where that is more
    /// than all fields.
    pub mapped: Vec<(String, String)>,
    /// How many articles each term finds by itself.
    pub terms: Vec<TermCount>,
    /// What the user should know of how the query was understood.
    pub warnings: Vec<String>,
}

impl Searcher {
    /// PMIDs of this commit, gathered when they are first asked for.
    fn pmids(&self) -> Result<&Pmids> {
        if let Some(known) = self.gathered.pmids.get() {
            return Ok(known);
        }
        let pmids = self.unhurried().pmids()?;
        Ok(self.gathered.pmids.get_or_init(|| pmids))
    }

    /// How many articles have a PMID.
    pub fn articles_with_pmid(&self) -> Result<u64> {
        Ok(self.pmids()?.articles())
    }

    /// Whether the index holds the article of a PMID, without reading it.
    pub fn holds_pmid(&self, pmid: u32) -> Result<bool> {
        let Some(id) = id_of(pmid) else {
            return Ok(false);
        };
        let key = self.keyword.key_of(&id)?;
        let pmids = self.pmids()?;
        Ok(key.is_some_and(|key| pmids.of(key) == Some(pmid)))
    }

    /// The article of a PMID, with everything that is stored of it.
    pub fn article_of_pmid(&self, pmid: u32) -> Result<Option<StoredArticle>> {
        let Some(id) = id_of(pmid) else {
            return Ok(None);
        };
        let stored = self.article(&id)?;
        Ok(stored.filter(|stored| stored.article.kind != ArticleKind::Document))
    }

    /// PMIDs of the articles that cite one, rising.
    pub fn cited_in(&self, pmid: u32) -> Result<Vec<u32>> {
        let pmids = self.pmids()?;
        let citing = self.keyword.citing(pmid)?;
        let mut found: Vec<u32> = citing.into_iter().filter_map(|key| pmids.of(key)).collect();
        found.sort_unstable();
        Ok(found)
    }

    /// How many articles cite one, and the newest of them.
    ///
    /// # Errors
    ///
    /// `Corrupt` where the index cannot be read.
    pub fn citing(&self, pmid: u32, most: usize) -> Result<(usize, Vec<StoredArticle>)> {
        let keys = self.keyword.citing(pmid)?;
        let mut set = ResultSet::default();
        self.keyword.add_keys(&mut set, keys.iter().copied())?;
        let newest = self.keyword.by_date(&set, most, None)?.into_iter();
        let newest = newest.map(|(key, _)| self.stored(key));
        Ok((keys.len(), newest.collect::<Result<_>>()?))
    }

    /// Articles of which it is not known here what they cite, since an earlier
    /// version indexed them.
    pub fn without_citations(&self) -> Result<u64> {
        self.keyword.without_citations()
    }

    /// Searches for PMIDs.
    ///
    /// # Errors
    ///
    /// `InvalidInput` where nothing of the query can be searched, or where it
    /// names a set that is not there; `Corrupt` where the index cannot be read.
    pub fn pmid_list(&self, search: &PmidSearch) -> Result<PmidList> {
        let pmids = self.pmids()?;
        let lines = self.lines_of(search, pmids)?;
        let setting = Setting {
            mesh: self.extras.mesh.as_deref(),
            today: search.day,
            lines: &lines,
        };
        let selected = self.keyword.select(&search.tree, setting)?;
        let all = selected.articles();
        let selected = self
            .keyword
            .narrowed(selected, |key| pmids.of(key).is_some())?;
        let count = selected.articles();
        let keys = self.in_order(search, &selected, pmids)?;
        let mut warnings = selected.warnings;
        warnings.extend(self.not_enriched(Asked::in_tree(&search.tree))?);
        Ok(PmidList {
            count,
            without_pmid: all - count,
            pmids: keys.into_iter().filter_map(|key| pmids.of(key)).collect(),
            mapped: self.mapped(&search.tree, setting)?,
            tree: selected.tree,
            terms: selected.terms,
            warnings,
        })
    }

    /// The sets that a query names, as what they hold in this commit.
    fn lines_of(&self, search: &PmidSearch, pmids: &Pmids) -> Result<Lines> {
        let mut lines = Lines::new();
        for (leaf, _) in search.tree.leaves() {
            let Leaf::Line { number } = leaf else {
                continue;
            };
            let Some(set) = search.sets.get(number) else {
                continue;
            };
            let set: RoaringBitmap = set.iter().copied().collect();
            let is_in = |key| pmids.of(key).is_some_and(|pmid| set.contains(pmid));
            let tree = Node::Leaf(leaf.clone());
            lines.insert(*number, self.keyword.select_keys(tree, is_in)?);
        }
        Ok(lines)
    }

    /// The wanted part of a selection.
    fn in_order(
        &self,
        search: &PmidSearch,
        selected: &Selection,
        pmids: &Pmids,
    ) -> Result<Vec<ArticleKey>> {
        let end = search.from.saturating_add(search.most);
        let end = end.min(selected.articles() as usize);
        if search.from >= end {
            return Ok(Vec::new());
        }
        let filter = Filter::default();
        let scope = Scope {
            selection: Some(selected),
            unscored: true,
            ..Scope::of(&filter)
        };
        let set = || -> Result<ResultSet> { self.keyword.results("", &scope) };
        let mut keys = match search.order {
            PmidOrder::Newest => {
                let mut keys = self.keyword.keys_in(&set()?)?;
                keys.sort_unstable_by_key(|&key| std::cmp::Reverse(pmids.of(key)));
                keys
            }
            PmidOrder::Relevance => {
                let words = plain_words(&search.tree);
                let found = self.keyword.search_in(&words, &scope, end)?;
                found.hits.into_iter().map(|(key, _)| key).collect()
            }
            PmidOrder::Date => {
                let days = self.keyword.by_date(&set()?, end, None)?;
                days.into_iter().map(|(key, _)| key).collect()
            }
            PmidOrder::FirstAuthor => self.keyword.by_first_author(&set()?)?,
            PmidOrder::Journal => self.keyword.by_journal(&set()?)?,
        };
        keys.truncate(end);
        keys.drain(..search.from.min(keys.len()));
        Ok(keys)
    }

    fn mapped(&self, tree: &Node, setting: Setting<'_>) -> Result<Vec<(String, String)>> {
        let mut mapped: Vec<(String, String)> = Vec::new();
        for (leaf, _) in tree.leaves() {
            let Leaf::Term {
                text, field: None, ..
            } = leaf
            else {
                continue;
            };
            if mapped.iter().any(|(known, _)| known == text) {
                continue;
            }
            let searched = match self.keyword.translated(&leaf.clone().into(), setting) {
                Ok(searched) => searched,
                Err(error) if error.kind() == ErrorKind::TimedOut => return Err(error),
                // Words that cannot be searched have been told of already.
                Err(_) => continue,
            };
            if !matches!(searched, Node::Leaf(Leaf::Term { .. })) {
                mapped.push((text.clone(), searched.to_string()));
            }
        }
        Ok(mapped)
    }
}

fn id_of(pmid: u32) -> Option<ArticleId> {
    ArticleId::new(&pmid.to_string()).ok()
}
