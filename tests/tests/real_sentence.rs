//! Sentence embeddings of all-MiniLM-L6-v2 on real data sets: the published
//! figures of semantic textual similarity, and section triplets.

use medsift::encoder::{Encoder, EncoderOptions};
use medsift::eval::{NliPair, ScoredPair, StsScores, Triplet, TripletScores};
use medsift_tests::real_data;
use std::path::{Path, PathBuf};

/// The published value has four places and was computed with another
/// arithmetic.
const TOLERANCE: f64 = 0.0006;

/// Triplets that are measured.
const TRIPLETS: usize = 300;

fn minilm() -> Encoder {
    let model = PathBuf::from(std::env::var_os("MEDSIFT_MINILM").expect("MEDSIFT_MINILM"));
    Encoder::open(&model, EncoderOptions::default()).unwrap()
}

fn embed<'a>(encoder: &Encoder, texts: impl Iterator<Item = &'a String>) -> Vec<f32> {
    let texts: Vec<&String> = texts.collect();
    encoder.encode_passages(&texts).unwrap().into_values()
}

fn sts(encoder: &Encoder, file: &Path) -> StsScores {
    let pairs = ScoredPair::read(file).unwrap();
    let first = embed(encoder, pairs.iter().map(|pair| &pair.first));
    let second = embed(encoder, pairs.iter().map(|pair| &pair.second));
    StsScores::of(&pairs, &first, &second, encoder.dimension()).unwrap()
}

/// Spearman's coefficient of the model on the test split, as MTEB has it.
#[test]
#[cfg_attr(
    any(no_real_data, no_minilm),
    ignore = "needs MEDSIFT_DATA and MEDSIFT_MINILM"
)]
fn the_published_correlation_is_met() {
    let Some(data) = real_data("the_published_correlation_is_met") else {
        return;
    };
    let encoder = minilm();
    let scores = sts(&encoder, &data.join("sts/stsb/test.tsv"));
    assert_eq!(scores.pairs, 1379);
    let off = (scores.spearman - 0.8203).abs();
    assert!(off <= TOLERANCE, "{scores:?}");
}

#[test]
#[cfg_attr(
    any(no_real_data, no_minilm),
    ignore = "needs MEDSIFT_DATA and MEDSIFT_MINILM"
)]
fn sections_of_an_article_are_told_apart() {
    let Some(data) = real_data("sections_of_an_article_are_told_apart") else {
        return;
    };
    let encoder = minilm();
    let file = data.join("triplets/pmc_rct_sections/triplets.dev.tsv.gz");
    let mut triplets = Triplet::read(&file).unwrap();
    assert_eq!(triplets.len(), 906);
    triplets.truncate(TRIPLETS);
    let scores = TripletScores::of(
        &embed(&encoder, triplets.iter().map(|triplet| &triplet.anchor)),
        &embed(&encoder, triplets.iter().map(|triplet| &triplet.positive)),
        &embed(&encoder, triplets.iter().map(|triplet| &triplet.negative)),
        encoder.dimension(),
    )
    .unwrap();
    // Vectors of length 1: both orders are the same but for rounding.
    let apart = (scores.euclidean_accuracy - scores.cosine_accuracy).abs();
    assert!(apart < 0.005, "{scores:?}");
    assert!(scores.cosine_accuracy > 0.6, "{scores:?}");
}

/// Every table with these columns is read whole.
#[test]
#[cfg_attr(no_real_data, ignore = "needs MEDSIFT_DATA")]
fn the_tables_at_hand_are_read_whole() {
    let Some(data) = real_data("the_tables_at_hand_are_read_whole") else {
        return;
    };
    for (file, count) in [
        ("sts/stsb/train.tsv.gz", 5749),
        ("sts/stsb/dev.tsv", 1500),
        ("sts/sick/test.tsv.gz", 4927),
        ("sts/sts2012-2016/sts2016.test.tsv", 1186),
    ] {
        assert_eq!(
            ScoredPair::read(&data.join(file)).unwrap().len(),
            count,
            "{file}"
        );
    }
    for (file, count) in NLI {
        assert_eq!(
            NliPair::read(&data.join(file)).unwrap().len(),
            count,
            "{file}"
        );
    }
}

/// Three-way sets and their pairs.
const NLI: [(&str, usize); 5] = [
    ("nli/snli/dev.tsv.gz", 9842),
    ("nli/lingnli/dev.tsv.gz", 7371),
    ("nli/multinli_hw_slice/dev.tsv.gz", 5000),
    ("nli/healthver/dev.tsv.gz", 1917),
    ("sts/sick/dev.tsv", 500),
];
