//! From scores of tags to entities.

use super::tags::TagSet;
use std::ops::Range;

/// An entity over words.
#[derive(Debug, Clone, PartialEq)]
pub struct Span {
    /// Number of its type in the [`TagSet`].
    pub kind: usize,
    /// Its words.
    pub words: Range<usize>,
    /// How sure it is, from 0 to 1: the geometric mean of the probabilities of
    /// its words' tags.
    pub score: f32,
}

/// Turns the logits of rows of tags into logarithms of probabilities.
pub fn log_softmax(rows: &mut [f32], tags: usize) {
    for row in rows.chunks_exact_mut(tags) {
        let most = row.iter().copied().fold(f32::NEG_INFINITY, f32::max);
        let sum: f32 = row.iter().map(|x| (x - most).exp()).sum();
        let log = most + sum.ln();
        row.iter_mut().for_each(|x| *x -= log);
    }
}

/// The most probable sequence of tags that follows the rules of BIO, given the
/// logarithms of the tags' probabilities, `tags` for each word (Viterbi 1967,
/// with transitions that are either free or forbidden). Of equals the tag with
/// the smaller number.
///
/// So no sequence has to be mended afterwards: where the best tag of a word
/// would be an `I-X` behind nothing of type X, either the word before becomes
/// part of the entity, or the entity begins here, or there is none, whichever
/// is most probable as a whole. What is not a number counts as impossible.
pub fn best_tags(scores: &[f32], tags: usize) -> Vec<usize> {
    let rows = scores.chunks_exact(tags);
    let words = rows.len();
    let mut back: Vec<usize> = Vec::with_capacity(words * tags);
    let mut best: Vec<f64> = Vec::new();
    for row in rows {
        let score = |tag: usize| {
            let score = f64::from(row[tag]);
            if score.is_nan() {
                f64::NEG_INFINITY
            } else {
                score
            }
        };
        // The best sequence up to the word before, whatever its last tag.
        let any = best_of(&best);
        let mut next = Vec::with_capacity(tags);
        for tag in 0..tags {
            let from = match TagSet::kind(tag) {
                Some(kind) if !TagSet::is_begin(tag) => {
                    let (begin, inside) = (TagSet::begin(kind), TagSet::inside(kind));
                    match best.get(begin) {
                        Some(value) if *value >= best[inside] => Some(begin),
                        Some(_) => Some(inside),
                        None => None,
                    }
                }
                _ if best.is_empty() => Some(TagSet::OUTSIDE),
                _ => Some(any),
            };
            back.push(from.unwrap_or(TagSet::OUTSIDE));
            let before = match from {
                None => f64::NEG_INFINITY,
                Some(_) if best.is_empty() => 0.0,
                Some(from) => best[from],
            };
            next.push(before + score(tag));
        }
        best = next;
    }
    let mut sequence = vec![TagSet::OUTSIDE; words];
    let mut tag = best_of(&best);
    for (word, place) in sequence.iter_mut().enumerate().rev() {
        *place = tag;
        tag = back[word * tags + tag];
    }
    sequence
}

/// The first of the largest.
fn best_of(values: &[f64]) -> usize {
    let mut best = 0;
    for (place, value) in values.iter().enumerate() {
        if *value > values[best] {
            best = place;
        }
    }
    best
}

/// The entities of a sequence of tags that follows the rules, with the
/// logarithms of probabilities that it was decoded from.
pub fn spans(sequence: &[usize], scores: &[f32], tags: usize) -> Vec<Span> {
    let mut spans: Vec<Span> = Vec::new();
    let mut open = false;
    for (word, &tag) in sequence.iter().enumerate() {
        let log = scores[word * tags + tag];
        match (TagSet::kind(tag), spans.last_mut()) {
            (None, _) => open = false,
            (Some(kind), Some(span)) if open && !TagSet::is_begin(tag) && span.kind == kind => {
                span.words.end = word + 1;
                span.score += log;
            }
            (Some(kind), _) => {
                open = true;
                spans.push(Span {
                    kind,
                    words: word..word + 1,
                    score: log,
                });
            }
        }
    }
    for span in &mut spans {
        span.score = (span.score / span.words.len() as f32).exp().clamp(0.0, 1.0);
    }
    spans
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// Probability of a sequence; nothing where it breaks the rules.
    fn total(scores: &[f32], tags: usize, sequence: &[usize]) -> Option<f64> {
        let mut before = None;
        let mut sum = 0.0;
        for (word, &tag) in sequence.iter().enumerate() {
            if !TagSet::follows(before, tag) {
                return None;
            }
            before = Some(tag);
            sum += f64::from(scores[word * tags + tag]);
        }
        Some(sum)
    }

    /// The best total of all sequences.
    fn exhaustive(scores: &[f32], tags: usize) -> f64 {
        let words = scores.len() / tags;
        let mut best = f64::NEG_INFINITY;
        for number in 0..tags.pow(words as u32) {
            let sequence: Vec<usize> = (0..words)
                .map(|word| number / tags.pow(word as u32) % tags)
                .collect();
            if let Some(sum) = total(scores, tags, &sequence) {
                best = best.max(sum);
            }
        }
        best
    }

    proptest! {
        #[test]
        fn no_sequence_is_more_probable(
            numbers in prop::collection::vec(-6f32..3.0, 0..26),
            kinds in 1usize..3,
        ) {
            let tags = 1 + 2 * kinds;
            let mut scores = numbers[..numbers.len() / tags * tags].to_vec();
            log_softmax(&mut scores, tags);
            let sequence = best_tags(&scores, tags);
            prop_assert_eq!(sequence.len(), scores.len() / tags);
            let sum = total(&scores, tags, &sequence).expect("a sequence that follows the rules");
            if !scores.is_empty() {
                prop_assert!((sum - exhaustive(&scores, tags)).abs() < 1e-4);
            }
        }

        #[test]
        fn spans_are_in_order_and_apart(
            numbers in prop::collection::vec(-6f32..3.0, 0..60),
        ) {
            let mut scores = numbers[..numbers.len() / 5 * 5].to_vec();
            log_softmax(&mut scores, 5);
            let sequence = best_tags(&scores, 5);
            let found = spans(&sequence, &scores, 5);
            let mut end = 0;
            for span in &found {
                prop_assert!(span.words.start >= end && !span.words.is_empty());
                prop_assert!((0.0..=1.0).contains(&span.score));
                end = span.words.end;
            }
            let covered: usize = found.iter().map(|span| span.words.len()).sum();
            let tagged = sequence.iter().filter(|&&tag| tag != TagSet::OUTSIDE).count();
            prop_assert_eq!(covered, tagged);
        }
    }

    #[test]
    fn an_inner_tag_without_a_beginning_takes_the_most_probable_way_out() {
        // The second word is surely I-0, the first most likely O.
        let mut scores = [0.6f32, 0.3, 0.1, 0.01, 0.02, 0.97].map(f32::ln);
        assert_eq!(best_tags(&scores, 3), [1, 2]);
        // Now the first is so surely O that an entity of one word is better.
        scores[..3].copy_from_slice(&[0.998f32, 0.001, 0.001].map(f32::ln));
        assert_eq!(best_tags(&scores, 3), [0, 1]);
    }

    #[test]
    fn what_is_not_a_number_is_passed_over() {
        let scores = [f32::NAN, -0.1, -3.0, f32::NAN, f32::NAN, f32::NAN];
        assert_eq!(best_tags(&scores, 3).len(), 2);
        assert_eq!(best_tags(&scores[..3], 3), [1]);
        assert!(best_tags(&[], 3).is_empty());
    }

    #[test]
    fn scores_are_geometric_means() {
        let scores = [0.2f32, 0.8, 0.0001, 0.4, 0.1, 0.5].map(f32::ln);
        let found = spans(&[1, 2], &scores, 3);
        assert_eq!((found[0].kind, found[0].words.clone()), (0, 0..2));
        assert!((found[0].score - (0.8f32 * 0.5).sqrt()).abs() < 1e-6);
    }
}
