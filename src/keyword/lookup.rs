//! Articles by their key and by their id.

use super::filter::documents;
use super::schema::ID;
use super::snapshot::{KeywordSnapshot, keys_of};
use crate::ArticleKey;
use crate::article::ArticleId;
use crate::error::Result;
use roaring::RoaringBitmap;
use std::collections::BTreeMap;
use tantivy::schema::{Field, IndexRecordOption, Value as _};
use tantivy::{
    DocAddress, DocSet as _, SegmentReader, TERMINATED, TantivyDocument, TantivyError, Term,
};

impl KeywordSnapshot {
    /// Key of the current state of an article.
    pub fn key_of(&self, id: &ArticleId) -> Result<Option<ArticleKey>> {
        let term = Term::from_field_text(self.0.fields.id, id.as_str());
        let keys = self.find(&term).and_then(|addresses| {
            let keys = addresses.into_iter().map(|address| self.key_at(address));
            keys.collect::<tantivy::Result<Vec<_>>>()
        });
        let keys = keys.map_err(|error| self.failed("look up", error))?;
        Ok(keys.into_iter().flatten().max())
    }

    /// What was stored with an article.
    pub fn stored_by_key(&self, key: ArticleKey) -> Result<Option<Vec<u8>>> {
        self.try_stored(key, self.0.fields.stored)
            .map_err(|error| self.failed("read an article of", error))
    }

    /// What was found in an article and stored with it.
    pub fn findings_by_key(&self, key: ArticleKey) -> Result<Option<Vec<u8>>> {
        self.try_stored(key, self.0.fields.findings.stored)
            .map_err(|error| self.failed("read the findings of an article of", error))
    }

    /// Keys of the articles whose findings were not made by `by`: first those
    /// that have none, then those of another making, each in rising order.
    pub fn not_enriched_by(&self, by: &str) -> Result<Vec<ArticleKey>> {
        let failed = |error| self.failed("read the findings of", error);
        let field = self.0.fields.findings.by;
        let others: Vec<String> = self
            .enriched()?
            .into_keys()
            .filter(|one| one != by)
            .collect();
        let (mut unread, mut outdated) = (Vec::new(), Vec::new());
        let watch = self.watch();
        for segment in self.0.searcher.segment_readers() {
            let read_by = |by: &str| documents(segment, &Term::from_field_text(field, by), &watch);
            let enriched = read_by(by).map_err(failed)?;
            let mut otherwise = RoaringBitmap::new();
            for other in &others {
                otherwise |= read_by(other).map_err(failed)?;
            }
            let column = keys_of(segment).map_err(failed)?;
            for document in segment.doc_ids_alive() {
                let keys = match otherwise.contains(document) {
                    true => &mut outdated,
                    false if enriched.contains(document) => continue,
                    false => &mut unread,
                };
                keys.extend(column.first(document));
            }
        }
        unread.sort_unstable();
        outdated.sort_unstable();
        let keys = unread.into_iter().chain(outdated);
        Ok(keys.map(|key| ArticleKey(key as u32)).collect())
    }

    /// By what findings of articles were made, and of how many articles each.
    pub fn enriched(&self) -> Result<BTreeMap<String, u64>> {
        self.try_enriched()
            .map_err(|error| self.failed("count the findings of", error))
    }

    fn try_enriched(&self) -> tantivy::Result<BTreeMap<String, u64>> {
        let field = self.0.fields.findings.by;
        let mut counts = BTreeMap::new();
        let watch = self.watch();
        for segment in self.0.searcher.segment_readers() {
            let index = segment.inverted_index(field)?;
            let mut terms = index.terms().stream()?;
            while terms.advance() {
                let Ok(by) = std::str::from_utf8(terms.key()) else {
                    continue;
                };
                let articles = documents(segment, &Term::from_field_text(field, by), &watch)?
                    .iter()
                    .filter(|&document| !segment.is_deleted(document))
                    .count() as u64;
                if articles > 0 {
                    *counts.entry(by.to_owned()).or_default() += articles;
                }
            }
        }
        Ok(counts)
    }

    fn try_stored(&self, key: ArticleKey, field: Field) -> tantivy::Result<Option<Vec<u8>>> {
        let term = Term::from_field_u64(self.0.fields.key, u64::from(key.0));
        let Some(address) = self.find(&term)?.pop() else {
            return Ok(None);
        };
        let document: TantivyDocument = self.0.searcher.doc(address)?;
        let stored = document.get_first(field);
        Ok(stored.and_then(|value| value.as_bytes().map(<[u8]>::to_vec)))
    }

    /// Key and id of every article, by rising key.
    pub fn keys_and_ids(&self) -> Result<Vec<(ArticleKey, ArticleId)>> {
        let mut all = Vec::with_capacity(self.articles() as usize);
        for segment in self.0.searcher.segment_readers() {
            let read = self.read_ids(segment, &mut all);
            read.map_err(|error| self.failed("read the ids of", error))?;
        }
        all.sort_unstable_by_key(|&(key, _)| key);
        Ok(all)
    }

    fn read_ids(
        &self,
        segment: &SegmentReader,
        all: &mut Vec<(ArticleKey, ArticleId)>,
    ) -> tantivy::Result<()> {
        let keys = keys_of(segment)?;
        let ids = segment.fast_fields().str(ID)?;
        let missing = || TantivyError::InternalError("an article without id".to_owned());
        let ids = ids.ok_or_else(missing)?;
        let mut id = String::new();
        for document in segment.doc_ids_alive() {
            let ordinal = ids.ords().first(document).ok_or_else(missing)?;
            id.clear();
            ids.ord_to_str(ordinal, &mut id)?;
            let key = keys.first(document).ok_or_else(missing)?;
            let id = ArticleId::new(&id)
                .map_err(|error| TantivyError::InternalError(error.to_string()))?;
            all.push((ArticleKey(key as u32), id));
        }
        Ok(())
    }

    /// Places of the documents that hold a term and are not deleted.
    pub(super) fn find(&self, term: &Term) -> tantivy::Result<Vec<DocAddress>> {
        let mut found = Vec::new();
        for (segment, ordinal) in self.0.searcher.segment_readers().iter().zip(0..) {
            let index = segment.inverted_index(term.field())?;
            let Some(mut postings) = index.read_postings(term, IndexRecordOption::Basic)? else {
                continue;
            };
            while postings.doc() != TERMINATED {
                if !segment.is_deleted(postings.doc()) {
                    found.push(DocAddress::new(ordinal, postings.doc()));
                }
                postings.advance();
            }
        }
        Ok(found)
    }

    fn key_at(&self, address: DocAddress) -> tantivy::Result<Option<ArticleKey>> {
        let segment = self.0.searcher.segment_reader(address.segment_ord);
        let key = keys_of(segment)?.first(address.doc_id);
        Ok(key.map(|key| ArticleKey(key as u32)))
    }
}
