//! PMIDs: which article has which, and lists of articles in orders of their
//! own.

use super::boolean::Selection;
use super::filter::documents;
use super::results::ResultSet;
use super::schema::{FACET_JOURNAL, ID};
use super::snapshot::{KeywordSnapshot, keys_of};
use crate::ArticleKey;
use crate::deadline::{Expired, LOOKUP, Watch};
use crate::error::Result;
use crate::query::pubmed::Node;
use roaring::RoaringBitmap;
use std::collections::BTreeMap;
use tantivy::schema::IndexRecordOption;
use tantivy::{DocSet as _, SegmentReader, TERMINATED, Term};

/// Values of the tagged field that say what a record is and what it tells; no
/// tag of the query language is called so.
pub(super) const DOCUMENT: &str = "kind:document";
pub(super) const CITES: &str = "cites:";
pub(super) const TELLS_CITATIONS: &str = "tells:citations";
const FIRST_AUTHOR: &str = "1au:";

/// The PMID of every article of a commit: four bytes an article.
#[derive(Debug, Default)]
pub struct Pmids {
    /// By key; 0 for an article without.
    by_key: Vec<u32>,
    articles: u64,
}

impl Pmids {
    /// The PMID of an article.
    pub fn of(&self, key: ArticleKey) -> Option<u32> {
        let pmid = self.by_key.get(key.0 as usize).copied();
        pmid.filter(|&pmid| pmid > 0)
    }

    /// How many articles have one.
    pub fn articles(&self) -> u64 {
        self.articles
    }

    fn add(&mut self, key: u64, id: &str) {
        let (Ok(key), Some(pmid)) = (usize::try_from(key), pmid(id)) else {
            return;
        };
        if self.by_key.len() <= key {
            self.by_key.resize(key + 1, 0);
        }
        if let Some(place) = self.by_key.get_mut(key) {
            *place = pmid;
            self.articles += 1;
        }
    }
}

/// Reads a PMID: a number without leading zeros.
pub fn pmid(text: &str) -> Option<u32> {
    let plain = text.bytes().all(|byte| byte.is_ascii_digit()) && !text.starts_with('0');
    plain.then(|| text.parse().ok()).flatten()
}

impl KeywordSnapshot {
    /// Gathers the PMIDs; a look at every article. Records that come from no
    /// bibliographic source have none, though their id be a number.
    pub fn pmids(&self) -> Result<Pmids> {
        let mut pmids = Pmids::default();
        for segment in self.0.searcher.segment_readers() {
            self.read_pmids(segment, &mut pmids)
                .map_err(|error| self.failed("read the ids of", error))?;
        }
        Ok(pmids)
    }

    fn read_pmids(&self, segment: &SegmentReader, pmids: &mut Pmids) -> tantivy::Result<()> {
        let keys = keys_of(segment)?;
        let Some(ids) = segment.fast_fields().str(ID)? else {
            return Ok(());
        };
        let others = self.holding(segment, DOCUMENT)?;
        let mut id = String::new();
        for document in segment.doc_ids_alive() {
            let found = (ids.ords().first(document), keys.first(document));
            let (Some(ordinal), Some(key)) = found else {
                continue;
            };
            if others.contains(document) {
                continue;
            }
            id.clear();
            ids.ord_to_str(ordinal, &mut id)?;
            pmids.add(key, &id);
        }
        Ok(())
    }

    /// Documents of a segment with a tagged value, deleted ones among them.
    fn holding(&self, segment: &SegmentReader, value: &str) -> tantivy::Result<RoaringBitmap> {
        let term = Term::from_field_text(self.0.fields.tagged, value);
        documents(segment, &term, &self.watch())
    }

    /// Every article whose key passes, as what a query selects.
    pub fn select_keys(
        &self,
        tree: Node,
        passes: impl Fn(ArticleKey) -> bool,
    ) -> Result<Selection> {
        let all = self.all_of(tree);
        self.narrowed(all, passes)
    }

    /// A selection without the articles whose keys do not pass.
    pub fn narrowed(
        &self,
        mut selection: Selection,
        passes: impl Fn(ArticleKey) -> bool,
    ) -> Result<Selection> {
        let mut kept = RoaringBitmap::new();
        let watch = self.watch();
        for (ordinal, segment) in self.0.searcher.segment_readers().iter().enumerate() {
            watch.look().map_err(Expired::error)?;
            let keys = keys_of(segment).map_err(|error| self.failed("read the keys of", error))?;
            let base = selection.base(ordinal);
            for document in selection.of_segment(ordinal) {
                watch.step().map_err(Expired::error)?;
                let key = keys.first(document).map(|key| ArticleKey(key as u32));
                if key.is_some_and(&passes) {
                    kept.insert(base + document);
                }
            }
        }
        selection.documents = kept;
        Ok(selection)
    }

    /// The keys of a set, in no order.
    pub fn keys_in(&self, set: &ResultSet) -> Result<Vec<ArticleKey>> {
        let mut all = Vec::with_capacity(set.articles() as usize);
        let watch = self.watch();
        for (segment, documents) in self.parts(set) {
            let keys = keys_of(segment).map_err(|error| self.failed("read the keys of", error))?;
            let documents = watch.over(documents.iter());
            let found = documents.filter_map(|document| keys.first(document));
            all.extend(found.map(|key| ArticleKey(key as u32)));
            watch.look().map_err(Expired::error)?;
        }
        Ok(all)
    }

    /// The keys of a set by the name of the first author, those without one
    /// last; equal names go by key.
    pub fn by_first_author(&self, set: &ResultSet) -> Result<Vec<ArticleKey>> {
        let mut named = Named::default();
        for (segment, documents) in self.parts(set) {
            self.first_authors(segment, documents, &mut named)
                .map_err(|error| self.failed("read the authors of", error))?;
        }
        Ok(named.in_order())
    }

    /// The dictionary has the names in order, so no article is read.
    fn first_authors(
        &self,
        segment: &SegmentReader,
        documents: &RoaringBitmap,
        named: &mut Named,
    ) -> tantivy::Result<()> {
        let keys = keys_of(segment)?;
        let index = segment.inverted_index(self.0.fields.tagged)?;
        let mut left = documents.clone();
        let watch = self.watch();
        watch.look()?;
        let mut names = index.terms().range().ge(FIRST_AUTHOR).into_stream()?;
        while names.advance() && names.key().starts_with(FIRST_AUTHOR.as_bytes()) {
            watch.steps(LOOKUP)?;
            if left.is_empty() {
                break;
            }
            let name = String::from_utf8_lossy(names.key()).into_owned();
            let info = names.value();
            let mut postings = index.read_postings_from_terminfo(info, IndexRecordOption::Basic)?;
            while postings.doc() != TERMINATED {
                watch.step()?;
                // An article stands under the short form and the full one.
                if left.remove(postings.doc()) {
                    named.add(Some(&name), keys.first(postings.doc()));
                }
                postings.advance();
            }
        }
        for document in left {
            named.add(None, keys.first(document));
        }
        Ok(())
    }

    /// The keys of a set by the name of the journal, those without one last;
    /// equal names go by key.
    pub fn by_journal(&self, set: &ResultSet) -> Result<Vec<ArticleKey>> {
        let mut named = Named::default();
        let watch = self.watch();
        for (segment, documents) in self.parts(set) {
            journals(segment, documents, &mut named, &watch)
                .map_err(|error| self.failed("read the journals of", error))?;
        }
        Ok(named.in_order())
    }

    /// The articles that cite a PMID, by rising key.
    pub fn citing(&self, pmid: u32) -> Result<Vec<ArticleKey>> {
        let value = format!("{CITES}{pmid}");
        let mut found = Vec::new();
        for segment in self.0.searcher.segment_readers() {
            let citing = self.holding(segment, &value);
            let citing = citing.map_err(|error| self.failed("look up citations in", error))?;
            let keys = keys_of(segment).map_err(|error| self.failed("read the keys of", error))?;
            let alive = citing
                .iter()
                .filter(|&document| !segment.is_deleted(document));
            found.extend(alive.filter_map(|document| keys.first(document)));
        }
        found.sort_unstable();
        Ok(found
            .into_iter()
            .map(|key| ArticleKey(key as u32))
            .collect())
    }

    /// Articles that were added before it was kept what an article cites.
    pub fn without_citations(&self) -> Result<u64> {
        let mut tell = 0;
        for segment in self.0.searcher.segment_readers() {
            let found = self.holding(segment, TELLS_CITATIONS);
            let found = found.map_err(|error| self.failed("look up citations in", error))?;
            tell += found
                .iter()
                .filter(|&document| !segment.is_deleted(document))
                .count() as u64;
        }
        Ok(self.articles().saturating_sub(tell))
    }

    fn parts<'a>(
        &'a self,
        set: &'a ResultSet,
    ) -> impl Iterator<Item = (&'a SegmentReader, &'a RoaringBitmap)> {
        self.0.searcher.segment_readers().iter().zip(&set.segments)
    }
}

fn journals(
    segment: &SegmentReader,
    documents: &RoaringBitmap,
    named: &mut Named,
    watch: &Watch,
) -> tantivy::Result<()> {
    watch.look()?;
    let keys = keys_of(segment)?;
    let names = segment.fast_fields().str(FACET_JOURNAL)?;
    // Each journal is written out once.
    let mut by_journal: BTreeMap<Option<u64>, Vec<u64>> = BTreeMap::new();
    for document in documents {
        watch.step()?;
        let journal = names
            .as_ref()
            .and_then(|names| names.ords().first(document));
        by_journal
            .entry(journal)
            .or_default()
            .extend(keys.first(document));
    }
    for (journal, keys) in by_journal {
        let mut name = String::new();
        if let (Some(ordinal), Some(names)) = (journal, &names) {
            names.ord_to_str(ordinal, &mut name)?;
        }
        let name = journal.map(|_| name.to_lowercase());
        for key in keys {
            named.add(name.as_deref(), Some(key));
        }
    }
    Ok(())
}

/// Keys under names.
#[derive(Default)]
struct Named {
    named: BTreeMap<String, Vec<u64>>,
    nameless: Vec<u64>,
}

impl Named {
    fn add(&mut self, name: Option<&str>, key: Option<u64>) {
        match name {
            None => self.nameless.extend(key),
            Some(name) => match self.named.get_mut(name) {
                Some(keys) => keys.extend(key),
                None => {
                    self.named
                        .insert(name.to_owned(), key.into_iter().collect());
                }
            },
        }
    }

    fn in_order(self) -> Vec<ArticleKey> {
        let lists = self.named.into_values().chain([self.nameless]);
        let sorted = lists.flat_map(|mut keys| {
            keys.sort_unstable();
            keys
        });
        sorted.map(|key| ArticleKey(key as u32)).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_pmid_is_a_number_as_pubmed_writes_it() {
        assert_eq!(pmid("11943073"), Some(11_943_073));
        for text in ["", "0", "012", "+12", "12a", "MED-10", "99999999999"] {
            assert_eq!(pmid(text), None, "{text}");
        }
    }

    #[test]
    fn names_are_in_order_and_the_nameless_last() {
        let mut named = Named::default();
        for (name, key) in [(None, 1), (Some("b"), 2), (Some("a"), 4), (Some("a"), 3)] {
            named.add(name, Some(key));
        }
        let keys: Vec<u32> = named.in_order().iter().map(|key| key.0).collect();
        assert_eq!(keys, [3, 4, 2, 1]);
    }
}
