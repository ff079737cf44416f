//! Documents, segments, masks and streams.

mod source;
mod stream;

use super::*;
use crate::data::random::generator;
use proptest::prelude::*;
use rand::Rng;
use std::collections::HashSet;

/// `[PAD] [UNK] [CLS] [SEP] [MASK]`, then words, each third one a piece that
/// goes on with the word before it.
fn vocabulary(words: u32) -> Vocabulary {
    let special = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]"];
    let special = (0..)
        .zip(special)
        .map(|(n, word)| (word.to_owned(), n, true));
    let words = (0..words).map(|n| {
        let prefix = if n % 3 == 2 { "##" } else { "" };
        (format!("{prefix}w{n}"), n + 5, false)
    });
    Vocabulary::from_words(special.chain(words)).unwrap()
}

/// A sequence with special tokens at both ends and in the middle.
fn sequence(length: usize, seed: u64) -> Vec<u32> {
    let mut random = generator(seed, "test", &[]);
    let mut ids: Vec<u32> = (0..length).map(|_| random.random_range(5..105)).collect();
    ids.insert(length / 2, 3);
    ids.insert(0, 2);
    ids.push(3);
    ids
}

/// Whether `hits` of `all` fit a probability within three standard deviations.
fn within_three_sigma(hits: usize, all: usize, probability: f64) -> bool {
    let (hits, all) = (hits as f64, all as f64);
    (hits - all * probability).abs() <= 3.0 * (all * probability * (1.0 - probability)).sqrt()
}

#[test]
fn shares_of_masking_are_those_of_bert() {
    let vocabulary = vocabulary(100);
    let settings = MaskingSettings::default();
    let (mut tokens, mut chosen, mut masked, mut kept) = (0, 0, 0, 0);
    for seed in 0..2000 {
        let original = sequence(97, seed);
        let mut ids = original.clone();
        let hidden = mask(
            &mut ids,
            &vocabulary,
            &settings,
            &mut generator(seed, "mask", &[]),
        );
        tokens += 97;
        chosen += hidden.positions.len();
        for &at in &hidden.positions {
            let (before, after) = (original[at as usize], ids[at as usize]);
            masked += usize::from(after == vocabulary.mask);
            kept += usize::from(after == before);
        }
    }
    assert!(
        within_three_sigma(chosen, tokens, 0.15),
        "{chosen} of {tokens}"
    );
    assert!(
        within_three_sigma(masked, chosen, 0.8),
        "{masked} of {chosen}"
    );
    // One in a hundred random tokens is the one that stood there.
    assert!(
        within_three_sigma(kept, chosen, 0.1 + 0.1 / 100.0),
        "{kept} of {chosen}"
    );
}

proptest! {
    #[test]
    fn labels_are_what_stood_there_and_the_rest_is_untouched(
        length in 0usize..60,
        seed in 0u64..1000,
        whole_word in any::<bool>(),
    ) {
        let vocabulary = vocabulary(100);
        let settings = MaskingSettings { whole_word, ..MaskingSettings::default() };
        let original = sequence(length, seed);
        let mut ids = original.clone();
        let hidden = mask(&mut ids, &vocabulary, &settings, &mut generator(seed, "mask", &[]));
        prop_assert_eq!(hidden.positions.len(), hidden.labels.len());
        prop_assert_eq!(hidden.positions.is_empty(), length == 0);
        prop_assert!(hidden.positions.is_sorted_by(|a, b| a < b));
        let chosen: HashSet<usize> = hidden.positions.iter().map(|&at| at as usize).collect();
        for at in 0..ids.len() {
            if chosen.contains(&at) {
                prop_assert!(!vocabulary.is_special(original[at]));
            } else {
                prop_assert_eq!(ids[at], original[at]);
            }
        }
        for (&at, &label) in hidden.positions.iter().zip(&hidden.labels) {
            prop_assert_eq!(original[at as usize], label);
        }
        if whole_word {
            for at in 1..ids.len() {
                let one_word = vocabulary.continues_word(original[at])
                    && !vocabulary.is_special(original[at - 1]);
                prop_assert!(!one_word || chosen.contains(&at) == chosen.contains(&(at - 1)));
            }
        }
        let mut again = original.clone();
        let repeated = mask(&mut again, &vocabulary, &settings, &mut generator(seed, "mask", &[]));
        prop_assert_eq!((again, repeated), (ids, hidden));
    }

    #[test]
    fn sequences_fit_and_hold_pieces_of_their_documents(
        lengths in prop::collection::vec(prop::collection::vec(1usize..30, 0..12), 1..12),
        max_length in 8usize..70,
        relations in prop::sample::select(vec![Relations::None, Relations::NextSentence, Relations::Linked]),
        seed in 0u64..100,
    ) {
        let documents = token_documents(&lengths);
        let mut segmenter = Segmenter::new(&documents, relations, max_length, 0.1);
        let mut random = generator(seed, "segments", &[]);
        for (number, document) in documents.iter().enumerate() {
            let all = document.sentences.concat();
            for pair in segmenter.sequences(number, &mut random) {
                let special = if relations == Relations::None { 2 } else { 3 };
                prop_assert!(pair.first.len() + pair.second.len() + special <= max_length);
                prop_assert!(is_part(&pair.first, &all));
                prop_assert_eq!(pair.second.is_empty(), relations == Relations::None);
                if pair.second.is_empty() { continue; }
                let own = is_part(&pair.second, &all);
                prop_assert_eq!(own, pair.relation == 0);
                if pair.relation == 2 {
                    let source = &documents[pair.second[0] as usize / 10_000];
                    prop_assert!(document.cites.contains(&source.pmid.unwrap()));
                }
            }
        }
    }
}

/// Documents in which no token comes twice: document `d` has the tokens from
/// `10,000 d` on. Each cites the one before it.
fn token_documents(lengths: &[Vec<usize>]) -> Vec<TokenDocument> {
    (0u32..)
        .zip(lengths)
        .map(|(number, lengths)| {
            let mut next = number * 10_000;
            let sentences = lengths.iter().map(|&length| {
                let start = next;
                next += length as u32;
                (start..next).collect()
            });
            TokenDocument {
                pmid: Some(number),
                cites: number.checked_sub(1).into_iter().collect(),
                sentences: sentences.collect(),
            }
        })
        .collect()
}

fn is_part(part: &[u32], whole: &[u32]) -> bool {
    part.is_empty() || whole.windows(part.len()).any(|window| window == part)
}

fn relations(relations: Relations) -> [usize; 3] {
    let documents = token_documents(&vec![vec![12; 9]; 300]);
    let mut segmenter = Segmenter::new(&documents, relations, 64, 0.1);
    let mut random = generator(5, "relations", &[]);
    let mut counts = [0; 3];
    for document in 1..documents.len() {
        for pair in segmenter.sequences(document, &mut random) {
            counts[pair.relation as usize] += 1;
        }
    }
    counts
}

#[test]
fn half_of_the_second_segments_follow() {
    let [continued, random, linked] = relations(Relations::NextSentence);
    assert!(
        within_three_sigma(continued, continued + random, 0.5),
        "{continued} {random}"
    );
    assert_eq!(linked, 0);
}

#[test]
fn a_third_of_the_second_segments_are_linked() {
    let counts = relations(Relations::Linked);
    let all = counts.iter().sum();
    for count in counts {
        assert!(within_three_sigma(count, all, 1.0 / 3.0), "{counts:?}");
    }
}

#[test]
fn one_segment_takes_every_token_once() {
    let documents = token_documents(&[vec![40, 3, 7], vec![5]]);
    let mut segmenter = Segmenter::new(&documents, Relations::None, 16, 0.0);
    let mut random = generator(1, "single", &[]);
    let pairs = segmenter.sequences(0, &mut random);
    let tokens: Vec<u32> = pairs.into_iter().flat_map(|pair| pair.first).collect();
    assert_eq!(tokens, documents[0].sentences.concat());
}

#[test]
fn a_lone_document_has_no_random_segments() {
    let documents = token_documents(&[vec![9]]);
    let mut segmenter = Segmenter::new(&documents, Relations::NextSentence, 32, 0.0);
    let pairs = segmenter.sequences(0, &mut generator(1, "lone", &[]));
    assert_eq!(pairs.len(), 1);
    assert_eq!(pairs[0].relation, 0);
    assert_eq!(
        [&pairs[0].first[..], &pairs[0].second].concat(),
        documents[0].sentences[0]
    );
}

#[test]
fn a_shuffle_is_a_permutation_that_its_seed_decides() {
    let shuffled = |seed| Shuffle::new(0..500, 64, seed).collect::<Vec<_>>();
    assert_eq!(shuffled(1), shuffled(1));
    assert_ne!(shuffled(1), shuffled(2));
    assert_ne!(shuffled(1), (0..500).collect::<Vec<_>>());
    let mut sorted = shuffled(1);
    sorted.sort_unstable();
    assert_eq!(sorted, (0..500).collect::<Vec<_>>());
    assert_eq!(
        Shuffle::new(0..9, 1, 3).collect::<Vec<_>>(),
        (0..9).collect::<Vec<_>>()
    );
}
