use super::*;
use crate::error::{Error, ErrorKind};
use std::sync::atomic::{AtomicUsize, Ordering::SeqCst};
use std::sync::mpsc;
use std::thread;
use std::time::Duration;

const PLENTY: usize = 1 << 20;

/// A stand-in for the encoder: the same text gives the same numbers.
fn vector(text: &str) -> Vector {
    let sum: u32 = text.bytes().map(u32::from).sum();
    vec![text.len() as f32, sum as f32].into()
}

fn encode(texts: &[Arc<str>]) -> Result<Vec<Vector>> {
    Ok(texts.iter().map(|text| vector(text)).collect())
}

/// Fails on texts with "bad" in them, panics on those with "worse".
fn picky(texts: &[Arc<str>]) -> Result<Vec<Vector>> {
    assert!(!texts.iter().any(|text| text.contains("worse")), "worse");
    match texts.iter().find(|text| text.contains("bad")) {
        Some(bad) => Err(Error::invalid("q", format!("{bad} cannot be read"))),
        None => encode(texts),
    }
}

#[test]
fn the_same_text_is_encoded_once_and_then_kept() {
    let batches = Batches::new(PLENTY);
    for _ in 0..3 {
        assert_eq!(batches.get("statins", &encode).unwrap(), vector("statins"));
    }
    let counts = batches.counts();
    assert_eq!((counts.hits, counts.misses), (2, 1));
    assert_eq!((counts.batches, counts.encoded, counts.kept), (1, 1, 1));
}

#[test]
fn without_a_cache_each_is_encoded_anew() {
    let batches = Batches::new(0);
    for _ in 0..3 {
        assert_eq!(batches.get("statins", &encode).unwrap(), vector("statins"));
    }
    let counts = batches.counts();
    assert_eq!((counts.misses, counts.encoded, counts.kept), (3, 3, 0));
    assert!(batches.lock().entries.is_empty());
}

#[test]
fn what_was_announced_is_encoded_along_in_the_order_of_arrival() {
    let batches = Batches::new(0);
    let held: Vec<_> = (0..50)
        .map(|number| batches.announce(&format!("query {number:02}")).unwrap())
        .collect();
    let sizes = Mutex::new(Vec::new());
    let watched = |texts: &[Arc<str>]| {
        sizes.lock().unwrap().push(texts.len());
        encode(texts)
    };
    for interest in held {
        let got = batches.get(&interest.text, &watched).unwrap();
        assert_eq!(got, vector(&interest.text));
    }
    assert_eq!(*sizes.lock().unwrap(), [MOST_TEXTS, 50 - MOST_TEXTS]);
    let counts = batches.counts();
    assert_eq!((counts.hits, counts.misses, counts.batches), (0, 50, 2));
    assert!(batches.lock().entries.is_empty());
}

#[test]
fn long_texts_do_not_delay_a_short_one_without_bound() {
    let batches = Batches::new(0);
    let long = |number: usize| format!("{number} {}", "word ".repeat(300));
    let _held: Vec<_> = (0..9)
        .map(|number| batches.announce(&long(number)))
        .collect();
    let most = AtomicUsize::new(0);
    let watched = |texts: &[Arc<str>]| {
        most.fetch_max(texts.iter().map(|text| text.len()).sum(), SeqCst);
        encode(texts)
    };
    batches.get("short", &watched).unwrap();
    assert!((1500..=MOST_BYTES).contains(&most.load(SeqCst)));
    // One that is longer than a batch may be goes alone.
    let huge = "word ".repeat(MOST_BYTES);
    assert_eq!(batches.get(&huge, &encode).unwrap(), vector(&huge));
}

#[test]
fn what_nobody_wants_any_more_is_not_encoded() {
    let batches = Batches::new(PLENTY);
    let first = batches.announce("first").unwrap();
    let again = batches.announce("first").unwrap();
    drop(batches.announce("second").unwrap());
    drop(first);
    let seen = Mutex::new(Vec::new());
    let watched = |texts: &[Arc<str>]| {
        seen.lock().unwrap().extend(texts.to_vec());
        encode(texts)
    };
    batches.get("third", &watched).unwrap();
    assert_eq!(*seen.lock().unwrap(), ["third".into(), "first".into()]);
    drop(again);
    assert!(batches.lock().entries.is_empty());
}

#[test]
fn whoever_comes_while_another_is_encoded_goes_with_the_next_batch() {
    let batches = Batches::new(0);
    let (go, wait) = mpsc::channel::<()>();
    let wait = Mutex::new(wait);
    let (begun, begins) = mpsc::channel();
    let begun = Mutex::new(begun);
    let sizes = Mutex::new(Vec::new());
    let slow = |texts: &[Arc<str>]| {
        sizes.lock().unwrap().push(texts.len());
        let _ = begun.lock().unwrap().send(());
        if texts.len() == 1 {
            let _ = wait.lock().unwrap().recv_timeout(Duration::from_secs(20));
        }
        encode(texts)
    };
    thread::scope(|scope| {
        scope.spawn(|| assert_eq!(batches.get("first", &slow).unwrap(), vector("first")));
        begins.recv_timeout(Duration::from_secs(20)).unwrap();
        for text in ["a", "b", "c", "c"] {
            let (batches, slow) = (&batches, &slow);
            scope.spawn(move || assert_eq!(batches.get(text, slow).unwrap(), vector(text)));
        }
        let all = |state: &State| {
            state
                .entries
                .values()
                .map(|entry| entry.interest)
                .sum::<usize>()
        };
        while all(&batches.lock()) < 5 {
            thread::yield_now();
        }
        go.send(()).unwrap();
    });
    assert_eq!(*sizes.lock().unwrap(), [1, 3]);
    let counts = batches.counts();
    assert_eq!((counts.hits, counts.misses), (1, 4));
    assert!(batches.lock().entries.is_empty());
}

#[test]
fn a_text_that_fails_fails_alone_and_is_tried_again() {
    let batches = Batches::new(PLENTY);
    let texts = ["good", "bad", "fine", "worse"];
    let held: Vec<_> = texts.iter().map(|text| batches.announce(text)).collect();
    let outcomes = texts.map(|text| batches.get(text, &picky));
    assert_eq!(*outcomes[0].as_ref().unwrap(), vector("good"));
    assert_eq!(*outcomes[2].as_ref().unwrap(), vector("fine"));
    let error = outcomes[1].as_ref().unwrap_err();
    assert_eq!(error.kind(), ErrorKind::InvalidInput);
    assert_eq!(error.to_string(), "bad cannot be read");
    let panic = outcomes[3].as_ref().unwrap_err();
    assert_eq!(panic.kind(), ErrorKind::Internal);
    assert!(panic.to_string().ends_with("worse"), "{panic}");
    drop(held);
    assert!(batches.lock().entries.is_empty());
    // Nothing of a failure is kept.
    assert_eq!(batches.get("bad", &encode).unwrap(), vector("bad"));
}

#[test]
fn an_encoder_that_loses_a_vector_is_an_error() {
    let batches = Batches::new(PLENTY);
    let error = batches
        .get("a", &|_: &[Arc<str>]| Ok(Vec::new()))
        .unwrap_err();
    assert!(error.to_string().contains("0 vectors for 1"), "{error}");
}

#[test]
fn many_threads_get_what_each_would_get_alone() {
    for cache in [0, 500, PLENTY] {
        let batches = Batches::new(cache);
        thread::scope(|scope| {
            for worker in 0..8 {
                let batches = &batches;
                scope.spawn(move || {
                    for turn in 0..200 {
                        let text = format!("query {}", (worker * 7 + turn * 3) % 40);
                        let ahead = (turn % 3 == 0).then(|| batches.announce(&text));
                        if turn % 5 == 0 {
                            drop(ahead);
                        }
                        assert_eq!(batches.get(&text, &encode).unwrap(), vector(&text));
                    }
                });
            }
        });
        let counts = batches.counts();
        assert_eq!(counts.hits + counts.misses, 1600);
        assert!(counts.kept_bytes <= cache);
        assert!(batches.lock().entries.is_empty());
    }
}
