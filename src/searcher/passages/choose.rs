//! Filling the budget: whole passages, neighbours joined, cuts at sentence ends.

use super::diversity::Marginal;
use super::gather::{Row, Source};
use super::request::PassageQuery;
use crate::error::Result;
use crate::passage::sentence_ranges;
use crate::searcher::AnswerField;
use std::ops::Range;

/// Fewest tokens of a passage that was cut: less says nothing by itself.
const LEAST: usize = 24;

/// A passage that was taken.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Taken {
    /// Its article, among the sources.
    pub(super) source: usize,
    pub(super) field: AnswerField,
    /// Bytes of that field.
    pub(super) range: Range<usize>,
    pub(super) tokens: usize,
    /// Whether the end of the window was left out.
    pub(super) cut: bool,
    pub(super) similarity: Option<f32>,
}

/// What was taken.
pub(super) struct Chosen {
    /// In the order in which they were taken.
    pub(super) passages: Vec<Taken>,
    /// Passages that were too large for what was left of the budget.
    pub(super) passed_over: usize,
}

/// Counts the tokens of a text.
pub(super) type Count<'a> = &'a dyn Fn(&str) -> Result<usize>;

/// Takes passages until the budget or the candidates are used up.
pub(super) struct Chooser<'a> {
    asked: &'a PassageQuery,
    sources: &'a [Source],
    rows: &'a [Row<'a>],
    count: Count<'a>,
    left: usize,
    taken: Vec<Taken>,
}

impl<'a> Chooser<'a> {
    pub(super) fn new(
        asked: &'a PassageQuery,
        sources: &'a [Source],
        rows: &'a [Row<'a>],
        count: Count<'a>,
    ) -> Self {
        Self {
            asked,
            sources,
            rows,
            count,
            left: asked.budget,
            taken: Vec::new(),
        }
    }

    pub(super) fn run(mut self) -> Result<Chosen> {
        let candidates = self.rows.iter().map(|row| (row.relevance, row.vector));
        let lambda = 1.0 - self.asked.diversity;
        let mut marginal = Marginal::new(lambda, candidates.collect());
        let mut passed_over = 0;
        while self.left > 0
            && self.taken.len() < self.asked.query.limit()
            && let Some(next) = marginal.next()
        {
            if self.consider(next)? {
                marginal.take(next);
            } else {
                passed_over += 1;
            }
        }
        Ok(Chosen {
            passages: self.taken,
            passed_over,
        })
    }

    /// Takes a passage, if there is room for it.
    fn consider(&mut self, at: usize) -> Result<bool> {
        let row = &self.rows[at];
        let text = self.sources[row.source].text(row.field);
        if let Some(beside) = self.neighbour(row.source, row.field, &row.range) {
            return self.join(beside, row);
        }
        let citation = self.citation_cost(row.source)?;
        let room = self.left.saturating_sub(citation);
        let Some((range, tokens)) = fit(text, &row.range, room, self.count)? else {
            return Ok(false);
        };
        self.left -= citation + tokens;
        self.taken.push(Taken {
            source: row.source,
            field: row.field,
            cut: range != trimmed(text, row.range.clone()),
            range,
            tokens,
            similarity: row.similarity,
        });
        Ok(true)
    }

    /// What a citation takes of the budget: that of an article counts once.
    fn citation_cost(&self, source: usize) -> Result<usize> {
        if !self.asked.count_citations || self.taken.iter().any(|one| one.source == source) {
            return Ok(0);
        }
        (self.count)(&self.sources[source].citation)
    }

    /// A passage that was taken and has nothing but white space between itself
    /// and this range.
    fn neighbour(&self, source: usize, field: AnswerField, range: &Range<usize>) -> Option<usize> {
        let text = self.sources[source].text(field);
        self.taken.iter().position(|one| {
            let same = one.source == source && one.field == field;
            same && touch(text, &one.range, range)
        })
    }

    /// Makes one passage of two neighbours, and of a third that they then meet.
    fn join(&mut self, beside: usize, row: &Row<'_>) -> Result<bool> {
        let text = self.sources[row.source].text(row.field);
        let range = union(&self.taken[beside].range, &trimmed(text, row.range.clone()));
        let tokens = (self.count)(&text[range.clone()])?;
        let more = tokens.saturating_sub(self.taken[beside].tokens);
        if more > self.left {
            return Ok(false);
        }
        self.left -= more;
        let joined = &mut self.taken[beside];
        // The end that was left out is in the neighbour, or still left out.
        joined.cut = joined.cut && range.end == joined.range.end;
        joined.range = range;
        joined.tokens = tokens;
        joined.similarity = larger(joined.similarity, row.similarity);
        self.close_gap(beside)?;
        Ok(true)
    }

    /// Joins a passage that has grown with another that it touches now.
    fn close_gap(&mut self, grown: usize) -> Result<()> {
        let one = self.taken[grown].clone();
        let text = self.sources[one.source].text(one.field);
        let other = (0..self.taken.len()).find(|&at| {
            let other = &self.taken[at];
            let same = other.source == one.source && other.field == one.field;
            at != grown && same && touch(text, &other.range, &one.range)
        });
        let Some(other) = other else {
            return Ok(());
        };
        let range = union(&one.range, &self.taken[other].range);
        let tokens = (self.count)(&text[range.clone()])?;
        let before = one.tokens + self.taken[other].tokens;
        if tokens > before + self.left {
            return Ok(());
        }
        self.left = self.left + before - tokens;
        let (kept, gone) = (grown.min(other), grown.max(other));
        let gone = self.taken.remove(gone);
        let kept = &mut self.taken[kept];
        let last = if gone.range.end > kept.range.end {
            &gone
        } else {
            &*kept
        };
        let cut = last.cut;
        *kept = Taken {
            cut,
            range,
            tokens,
            similarity: larger(kept.similarity, gone.similarity),
            ..kept.clone()
        };
        Ok(())
    }
}

/// As much of a window as `room` tokens hold: the whole, or its first sentences.
/// Nothing where these would be fewer than [`LEAST`] tokens.
fn fit(
    text: &str,
    window: &Range<usize>,
    room: usize,
    count: Count<'_>,
) -> Result<Option<(Range<usize>, usize)>> {
    let window = trimmed(text, window.clone());
    if window.is_empty() || room == 0 {
        return Ok(None);
    }
    let inner = &text[window.clone()];
    let tokens = count(inner)?;
    if tokens <= room {
        return Ok(Some((window, tokens)));
    }
    if room < LEAST {
        return Ok(None);
    }
    let ends: Vec<usize> = sentence_ranges(inner)
        .map(|sentence| sentence.start + inner[sentence.clone()].trim_end().len())
        .collect();
    // The longest beginning that fits: more sentences are more tokens.
    let (mut fits, mut over) = (0, ends.len());
    let mut best = None;
    while fits + 1 < over {
        let middle = fits.midpoint(over);
        let tokens = count(&inner[..ends[middle - 1]])?;
        if tokens <= room {
            fits = middle;
            best = Some((ends[middle - 1], tokens));
        } else {
            over = middle;
        }
    }
    Ok(best
        .filter(|&(_, tokens)| tokens >= LEAST)
        .map(|(end, tokens)| (window.start..window.start + end, tokens)))
}

/// Whether two ranges overlap or have only white space between them.
fn touch(text: &str, a: &Range<usize>, b: &Range<usize>) -> bool {
    let (first, second) = if a.start <= b.start { (a, b) } else { (b, a) };
    second.start <= first.end || text[first.end..second.start].trim().is_empty()
}

fn larger(a: Option<f32>, b: Option<f32>) -> Option<f32> {
    a.into_iter().chain(b).reduce(f32::max)
}

fn union(a: &Range<usize>, b: &Range<usize>) -> Range<usize> {
    a.start.min(b.start)..a.end.max(b.end)
}

fn trimmed(text: &str, range: Range<usize>) -> Range<usize> {
    let inner = &text[range.clone()];
    let start = range.start + (inner.len() - inner.trim_start().len());
    start..start + inner.trim().len()
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// A word is a token.
    fn words(text: &str) -> Result<usize> {
        Ok(text.split_whitespace().count())
    }

    fn text(sentences: &[usize]) -> String {
        let sentence = |&words: &usize| match words {
            1 => "End.".to_owned(),
            more => format!("Word {}end.", "word ".repeat(more - 2)),
        };
        let sentences: Vec<String> = sentences.iter().map(sentence).collect();
        sentences.join(" ")
    }

    #[test]
    fn what_fits_stays_whole_and_what_does_not_ends_with_a_sentence() {
        let text = text(&[10, 20, 30]);
        let all = 0..text.len();
        let (range, tokens) = fit(&text, &all, 60, &words).unwrap().unwrap();
        assert_eq!((range, tokens), (all.clone(), 60));
        let (range, tokens) = fit(&text, &all, 59, &words).unwrap().unwrap();
        assert_eq!(tokens, 30);
        assert!(text[range].ends_with("end."));
        // Ten tokens of a larger passage are not worth having.
        assert_eq!(fit(&text, &all, 29, &words).unwrap(), None);
        // A small passage that fits as a whole is.
        assert!(fit(&text, &(0..49), 29, &words).unwrap().is_some());
    }

    #[test]
    fn neighbours_touch() {
        let text = "One. Two.  Three.";
        assert!(touch(text, &(0..4), &(5..9)) && touch(text, &(11..17), &(5..9)));
        assert!(!touch(text, &(0..4), &(11..17)) && touch(text, &(0..6), &(5..9)));
    }

    proptest! {
        #[test]
        fn a_fit_is_within_the_room_and_the_longest(
            sentences in prop::collection::vec(1usize..40, 1..12), room in 0usize..200,
        ) {
            let text = text(&sentences);
            let found = fit(&text, &(0..text.len()), room, &words).unwrap();
            let whole: usize = sentences.iter().sum();
            let mut longest = 0;
            for &words in &sentences {
                if longest + words > room {
                    break;
                }
                longest += words;
            }
            match found {
                Some((range, tokens)) => {
                    prop_assert!(tokens <= room && tokens == longest);
                    prop_assert_eq!(words(&text[range]).unwrap(), tokens);
                }
                None => prop_assert!(longest < LEAST && longest < whole),
            }
        }
    }
}
