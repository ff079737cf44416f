use super::super::architecture::Architecture;
use super::super::inference::{Inference, Scratch};
use super::super::kernel::InstructionSet;
use super::super::network::Network;
use super::super::weights::{Weights, find_checkpoint};
use super::*;
use proptest::prelude::*;

const MODELS: [&str; 5] = [
    "bert-mean",
    "bert-cls-old",
    "roberta-max",
    "distilbert",
    "mpnet",
];

fn ids(most: usize) -> impl Strategy<Value = Vec<Vec<u32>>> {
    let text = proptest::collection::vec(0u32..100, 1..most);
    proptest::collection::vec(text, 1..6)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]

    #[test]
    fn packed_inference_equals_the_tensor_network(
        model in 0..MODELS.len(),
        texts in ids(45),
        tasks in 1usize..4,
    ) {
        let dir = fixture(MODELS[model]);
        let architecture = Architecture::read(&dir.join("config.json")).unwrap();
        let weights = Weights::read(&find_checkpoint(&dir).unwrap(), &architecture).unwrap();
        let texts: Vec<&[u32]> = texts.iter().map(|ids| &ids[..]).collect();
        let network = Network::new(&weights, &architecture).unwrap();
        let expected: Vec<Vec<Vec<f32>>> = network.forward(&texts).unwrap().to_vec3().unwrap();
        for set in InstructionSet::all() {
            let inference = Inference::new(&weights, &architecture, set).unwrap();
            let mut scratch = Scratch::default();
            let states = inference.forward(&texts, None, tasks, &mut scratch);
            let mut rows = states.chunks_exact(architecture.hidden);
            for (text, expected) in texts.iter().zip(&expected) {
                for (row, expected) in rows.by_ref().take(text.len()).zip(expected) {
                    let off = distance(row, expected);
                    prop_assert!(off < 2e-5, "{set:?}: {off}");
                }
            }
            prop_assert!(rows.next().is_none());
        }
    }

    #[test]
    fn a_second_segment_is_another_row_of_the_table(
        text in proptest::collection::vec(0u32..100, 1..30),
        border in 0usize..30,
    ) {
        let dir = fixture("bert-mean");
        let architecture = Architecture::read(&dir.join("config.json")).unwrap();
        let weights = Weights::read(&find_checkpoint(&dir).unwrap(), &architecture).unwrap();
        let inference = Inference::new(&weights, &architecture, InstructionSet::detect()).unwrap();
        let mut scratch = Scratch::default();
        let border = border.min(text.len());
        let run = |border: usize, scratch: &mut Scratch| {
            inference.forward_segments(&[(&text, border)], None, 1, scratch).to_vec()
        };
        let (whole, one) = (run(text.len(), &mut scratch), run(border, &mut scratch));
        let plain = inference.forward(&[&text], None, 1, &mut scratch);
        prop_assert_eq!(&whole[..], plain);
        prop_assert_eq!(border < text.len(), distance(&whole, &one) > 1e-4);
    }

    #[test]
    fn a_text_gets_the_same_bits_in_every_company(
        words in proptest::collection::vec("[a-z]{1,9}( [a-z0-9-]{1,7}){0,40}", 1..24),
        threads in 1usize..4,
    ) {
        let options = EncoderOptions { threads: Some(threads), ..EncoderOptions::default() };
        let encoder = Encoder::open(&fixture("bert-mean"), options).unwrap();
        let together = encoder.encode_passages(&words).unwrap();
        prop_assert_eq!(together.len(), words.len());
        for (text, row) in words.iter().zip(together.rows()) {
            let alone = encoder.encode_passages(&[text]).unwrap();
            prop_assert_eq!(alone.row(0), row);
        }
    }
}

#[test]
fn threads_share_one_encoder() {
    let encoder = open("bert-mean");
    let expected = encoder.encode_query("muscle pain").unwrap();
    std::thread::scope(|scope| {
        for _ in 0..4 {
            scope.spawn(|| {
                for _ in 0..50 {
                    assert_eq!(encoder.encode_query("muscle pain").unwrap(), expected);
                }
            });
        }
    });
}

#[test]
fn no_texts_give_no_vectors() {
    let none: [&str; 0] = [];
    let embeddings = open("bert-mean").encode_passages(&none).unwrap();
    assert!(embeddings.is_empty());
    assert_eq!(embeddings.rows().len(), 0);
}
