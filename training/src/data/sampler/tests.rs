use super::*;
use crate::example::Label;
use proptest::prelude::*;
use std::collections::HashSet;

/// Examples whose two texts are numbers.
fn examples(texts: &[(u32, u32)]) -> Vec<Example> {
    texts
        .iter()
        .map(|(first, second)| Example {
            texts: vec![format!("a{first}").into(), format!("b{second}").into()],
            label: Label::None,
        })
        .collect()
}

fn numbered(count: u32) -> Vec<Example> {
    examples(&(0..count).map(|n| (n, n)).collect::<Vec<_>>())
}

fn settings(batch_size: usize) -> SamplerSettings {
    SamplerSettings {
        batch_size,
        seed: 7,
        ..SamplerSettings::default()
    }
}

proptest! {
    #[test]
    fn every_example_once_and_no_text_twice_in_a_batch(
        texts in prop::collection::vec((0u32..12, 0u32..30), 1..120),
        size in 1usize..9,
        epoch in 0u64..3,
    ) {
        let set = examples(&texts);
        let settings = SamplerSettings { no_duplicates: true, ..settings(size) };
        let sampler = Sampler::new(&[&set], settings).unwrap();
        let batches = sampler.epoch(epoch);
        let mut seen: Vec<usize> = batches.iter().flat_map(|b| b.examples.clone()).collect();
        seen.sort_unstable();
        prop_assert_eq!(seen, (0..set.len()).collect::<Vec<_>>());
        for batch in &batches {
            prop_assert!((1..=size).contains(&batch.examples.len()));
            let texts: Vec<_> = batch.examples.iter().flat_map(|&e| &set[e].texts).collect();
            let distinct: HashSet<_> = texts.iter().collect();
            prop_assert_eq!(texts.len(), distinct.len());
        }
    }

    #[test]
    fn a_run_that_stopped_goes_on_as_if_it_had_not(
        first in 1u32..40,
        second in 1u32..40,
        stop in 0usize..30,
        mix in prop::sample::select(vec![Mix::Proportional, Mix::RoundRobin, Mix::Sequential]),
    ) {
        let (first, second) = (numbered(first), numbered(second));
        let settings = SamplerSettings { mix, ..settings(4) };
        let sampler = Sampler::new(&[&first, &second], settings).unwrap();
        let whole: Vec<_> = sampler.starting_at(0, 0).take(60).collect();
        let (epoch, step, _) = whole[stop].clone();
        let again = Sampler::new(&[&first, &second], settings).unwrap();
        let rest: Vec<_> = again.starting_at(epoch, step).take(60 - stop).collect();
        prop_assert_eq!(&whole[stop..], &rest[..]);
    }
}

#[test]
fn epochs_and_seeds_have_orders_of_their_own() {
    let set = numbered(50);
    let sampler = Sampler::new(&[&set], settings(10)).unwrap();
    assert_ne!(sampler.epoch(0), sampler.epoch(1));
    let other = SamplerSettings {
        seed: 8,
        ..settings(10)
    };
    let other = Sampler::new(&[&set], other).unwrap();
    assert_ne!(sampler.epoch(0), other.epoch(0));
}

#[test]
fn sets_take_turns_as_told() {
    let (small, large) = (numbered(8), numbered(40));
    let turns = |mix| {
        let settings = SamplerSettings { mix, ..settings(4) };
        let sampler = Sampler::new(&[&small, &large], settings).unwrap();
        let batches = sampler.epoch(0);
        batches.iter().map(|batch| batch.set).collect::<Vec<_>>()
    };
    assert_eq!(turns(Mix::RoundRobin), [0, 1, 0, 1]);
    assert_eq!(
        turns(Mix::Sequential),
        [[0; 2].as_slice(), &[1; 10]].concat()
    );
    let mut proportional = turns(Mix::Proportional);
    assert!(!proportional.is_sorted(), "{proportional:?}");
    proportional.sort_unstable();
    assert_eq!(proportional, turns(Mix::Sequential));
}

#[test]
fn batches_that_are_not_full_go_when_told() {
    let set = numbered(10);
    let sizes = |drop_last| {
        let settings = SamplerSettings {
            drop_last,
            ..settings(4)
        };
        let batches = Sampler::new(&[&set], settings).unwrap().epoch(0);
        batches
            .iter()
            .map(|batch| batch.examples.len())
            .collect::<Vec<_>>()
    };
    assert_eq!(sizes(false), [4, 4, 2]);
    assert_eq!(sizes(true), [4, 4]);
    let settings = SamplerSettings {
        drop_last: true,
        ..settings(11)
    };
    let error = Sampler::new(&[&set], settings).unwrap_err();
    assert!(error.to_string().contains("drop_last"), "{error}");
}

#[test]
fn one_shared_text_makes_batches_of_one_in_linear_time() {
    let set = examples(&(0..4_000).map(|n| (0, n)).collect::<Vec<_>>());
    let settings = SamplerSettings {
        no_duplicates: true,
        ..settings(8)
    };
    let batches = Sampler::new(&[&set], settings).unwrap().epoch(0);
    assert_eq!(batches.len(), 4_000);
}

#[test]
fn nothing_to_sample_is_an_error() {
    assert!(Sampler::new(&[], settings(4)).is_err());
    assert!(Sampler::new(&[&[]], settings(4)).is_err());
    assert!(Sampler::new(&[&numbered(3)], settings(0)).is_err());
}
