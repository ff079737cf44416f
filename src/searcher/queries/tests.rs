use super::*;
use crate::encoder::EncoderOptions;
use std::path::Path;
use std::thread;

fn encoder(name: &str) -> Arc<Encoder> {
    let model = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures/models");
    Arc::new(Encoder::open(&model.join(name), EncoderOptions::default()).unwrap())
}

fn texts() -> Vec<String> {
    let words = ["statins", "muscle", "pain", "in", "old", "age", "β-blocker"];
    (0..48)
        .map(|number| {
            let length = 1 + number % 11;
            let words: Vec<&str> = (0..length)
                .map(|place| words[(number * 5 + place * 3) % words.len()])
                .collect();
            format!("{} {number}", words.join(" "))
        })
        .collect()
}

/// As a search without any of this would embed it.
fn plain(encoder: &Encoder, text: &str) -> Vec<u32> {
    let mut vector = encoder.encode_query(text).unwrap();
    normalise(&mut vector);
    vector.iter().map(|number| number.to_bits()).collect()
}

fn bits(vector: &[f32]) -> Vec<u32> {
    vector.iter().map(|number| number.to_bits()).collect()
}

#[test]
fn a_vector_is_the_same_to_the_bit_alone_together_and_kept() {
    let encoder = encoder("bert-mean");
    let texts = texts();
    let expected: Vec<Vec<u32>> = texts.iter().map(|text| plain(&encoder, text)).collect();
    for cache_bytes in [0, 1 << 20] {
        let queries = QueryEncoder::new(Arc::clone(&encoder), cache_bytes);
        let held: Vec<_> = texts.iter().map(|text| queries.expect(text)).collect();
        thread::scope(|scope| {
            for worker in 0..4 {
                let (queries, texts, expected) = (&queries, &texts, &expected);
                scope.spawn(move || {
                    for at in 0..texts.len() {
                        let at = (at + 12 * worker) % texts.len();
                        let vector = queries.vector(&texts[at]).unwrap();
                        assert_eq!(bits(&vector), expected[at], "{}", texts[at]);
                    }
                });
            }
        });
        let counts = queries.counts();
        assert!(counts.batches < counts.encoded, "{counts:?}");
        assert_eq!(counts.hits + counts.misses, 4 * texts.len() as u64);
        drop(held);
        for (text, expected) in texts.iter().zip(&expected) {
            assert_eq!(&bits(&queries.vector(text).unwrap()), expected);
        }
        let again = queries.counts();
        let kept = again.hits - counts.hits == texts.len() as u64;
        assert_eq!(kept, cache_bytes > 0, "{again:?}");
    }
}

#[test]
fn searches_within_a_pool_do_not_wait_for_themselves() {
    // A thread of a work-stealing pool that waits for another pool takes up
    // other work of its own; here that work waits for the encoding in turn.
    let encoder = encoder("bert-mean");
    let queries = QueryEncoder::new(encoder, 0);
    let pool = rayon::ThreadPoolBuilder::new()
        .num_threads(2)
        .build()
        .unwrap();
    let texts = texts();
    pool.scope(|scope| {
        for _ in 0..20 {
            for text in &texts {
                scope.spawn(|_| {
                    queries.vector(text).unwrap();
                });
            }
        }
    });
    let counts = queries.counts();
    assert_eq!(counts.hits + counts.misses, 20 * texts.len() as u64);
}
