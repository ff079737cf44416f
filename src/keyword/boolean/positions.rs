//! Where words stand in a field: side by side, or near each other.

use super::{Documents, Evaluator, gather};
use crate::deadline::Watch;
use tantivy::postings::{Postings as _, SegmentPostings};
use tantivy::schema::{Field, IndexRecordOption};
use tantivy::{DocSet as _, InvertedIndexReader, Term};

/// What stands at one place of a phrase.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Slot {
    /// A word.
    Term(String),
    /// Any word that begins so.
    Prefix(String),
}

/// The places of a phrase.
pub(super) type Slots = Vec<Slot>;

impl Evaluator<'_> {
    /// Documents that hold every slot, at positions that `fits` accepts.
    pub(super) fn positioned(
        &mut self,
        field: Field,
        slots: &[Slot],
        fits: impl Fn(&[Vec<u32>]) -> bool,
    ) -> tantivy::Result<Documents> {
        let mut found = Documents::new();
        if slots.is_empty() {
            return Ok(found);
        }
        for (segment, base) in self.segments() {
            self.watch.look()?;
            let index = segment.inverted_index(field)?;
            let mut places = Vec::with_capacity(slots.len());
            let mut candidates: Option<Documents> = None;
            for slot in slots {
                let terms = self.terms_of(&index, field, slot)?;
                let documents = documents(&index, &terms, &self.watch)?;
                candidates = Some(match candidates {
                    None => documents,
                    Some(candidates) => candidates & documents,
                });
                places.push(terms);
            }
            let candidates = candidates.unwrap_or_default();
            if candidates.is_empty() {
                continue;
            }
            let mut places = places
                .iter()
                .map(|terms| Place::open(&index, terms))
                .collect::<tantivy::Result<Vec<_>>>()?;
            let mut positions = vec![Vec::new(); places.len()];
            for document in candidates {
                for (place, positions) in places.iter_mut().zip(&mut positions) {
                    place.positions(document, positions);
                    self.watch.steps(place.0.len() + positions.len())?;
                }
                if fits(&positions) {
                    found.insert(base + document);
                }
            }
        }
        Ok(found)
    }

    fn terms_of(
        &mut self,
        index: &InvertedIndexReader,
        field: Field,
        slot: &Slot,
    ) -> tantivy::Result<Vec<Term>> {
        match slot {
            Slot::Term(term) => Ok(vec![Term::from_field_text(field, term)]),
            Slot::Prefix(prefix) => self.expand(index, field, prefix),
        }
    }
}

fn documents(
    index: &InvertedIndexReader,
    terms: &[Term],
    watch: &Watch,
) -> tantivy::Result<Documents> {
    let mut documents = Documents::new();
    for term in terms {
        gather(index, term, 0, watch, &mut documents)?;
    }
    Ok(documents)
}

/// The postings of what may stand at one place.
struct Place(Vec<SegmentPostings>);

impl Place {
    fn open(index: &InvertedIndexReader, terms: &[Term]) -> tantivy::Result<Self> {
        let mut all = Vec::new();
        for term in terms {
            all.extend(index.read_postings(term, IndexRecordOption::WithFreqsAndPositions)?);
        }
        Ok(Self(all))
    }

    /// Puts the positions in a document, in rising order. Documents must be
    /// asked for in rising order.
    fn positions(&mut self, document: u32, positions: &mut Vec<u32>) {
        positions.clear();
        for postings in &mut self.0 {
            if postings.doc() < document {
                postings.seek(document);
            }
            if postings.doc() == document {
                postings.append_positions_with_offset(0, positions);
            }
        }
        if self.0.len() > 1 {
            positions.sort_unstable();
            positions.dedup();
        }
    }
}

/// Whether each place follows the one before it.
pub(super) fn side_by_side(positions: &[Vec<u32>]) -> bool {
    let Some((first, rest)) = positions.split_first() else {
        return false;
    };
    first.iter().any(|&start| {
        let mut follows = rest.iter().zip(1..);
        follows.all(|(positions, offset)| positions.binary_search(&(start + offset)).is_ok())
    })
}

/// Whether all places lie, in any order, in a stretch that has at most
/// `distance` other words.
pub(super) fn near(positions: &[Vec<u32>], distance: u32) -> bool {
    let mut at = vec![0; positions.len()];
    let longest = distance
        .saturating_add(positions.len() as u32)
        .saturating_sub(1);
    loop {
        let mut low = (u32::MAX, 0);
        let mut high = 0;
        for (place, (positions, &at)) in positions.iter().zip(&at).enumerate() {
            let Some(&position) = positions.get(at) else {
                return false;
            };
            low = low.min((position, place));
            high = high.max(position);
        }
        if positions.is_empty() || high - low.0 <= longest {
            return !positions.is_empty();
        }
        at[low.1] += 1;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn words_side_by_side() {
        assert!(side_by_side(&[vec![1, 5], vec![3, 6]]));
        assert!(!side_by_side(&[vec![1, 5], vec![0, 4]]));
        assert!(!side_by_side(&[]));
    }

    proptest! {
        #[test]
        fn nearness_is_that_of_some_choice(
            positions in prop::collection::vec(prop::collection::btree_set(0_u32..30, 1..5), 1..4),
            distance in 0_u32..8,
        ) {
            let positions: Vec<Vec<u32>> =
                positions.into_iter().map(|places| places.into_iter().collect()).collect();
            // Every choice of one position for each word.
            let mut choices: Vec<(u32, u32)> = vec![(u32::MAX, 0)];
            for places in &positions {
                choices = choices
                    .iter()
                    .flat_map(|&(low, high)| places.iter().map(move |&p| (low.min(p), high.max(p))))
                    .collect();
            }
            let most = distance + positions.len() as u32 - 1;
            let expected = choices.iter().any(|(low, high)| high - low <= most);
            prop_assert_eq!(near(&positions, distance), expected);
        }
    }
}
