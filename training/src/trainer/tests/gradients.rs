//! Gradients of batches that are too large to be kept.

use super::*;
use crate::Place;
use crate::network::{Backbone, Parameters};
use crate::trainer::lesson::Lesson;
use crate::trainer::sentence::SentenceLesson;
use crate::trainer::start::Start;

/// Loss and gradients of the first batch, with dropout.
fn first_batch(config: &TrainConfig, kept: Option<usize>) -> (f64, HashMap<String, Vec<f32>>) {
    let model = fixture("models/bert-mean");
    let start = Start::open(config, Some(&model)).unwrap();
    let mut learner = start.learner(Place::Cpu).unwrap();
    learner.micro_batch_tokens = 64;
    learner.dropout = 0.1;
    let mut lesson = SentenceLesson::new(&config.stages[0], 32, 1, &Device::Cpu, None).unwrap();
    if let Some(tokens) = kept {
        lesson.keep_tokens(tokens);
    }
    let (outcome, _, _) = lesson.learn(&mut learner, 5).unwrap();
    let of = |parameters: &Parameters| -> Vec<(String, Vec<f32>)> {
        let all = parameters.iter();
        all.map(|p| (p.name.clone(), numbers(&p.gradient)))
            .collect()
    };
    let mut gradients = of(learner.network.parameters());
    gradients.extend(of(Lesson::<crate::network::PlacedBackbone>::heads(&lesson)));
    (outcome.loss, gradients.into_iter().collect())
}

#[test]
fn a_batch_computed_again_has_the_gradients_of_one_that_was_kept() {
    let work = Work::new();
    let softmax = STS
        .replace("kind = \"cosine\"", "kind = \"softmax\"")
        .replace(
            "{ format = \"sts\", files = [\"{data}/sts.tsv\"], score_range = [0, 5] }",
            "{ format = \"nli\", files = [\"{data}/nli.tsv\"] }",
        );
    let rows: String = (0..12)
        .map(|n| {
            let label = ["entailment", "neutral", "contradiction"][n % 3];
            format!("{}\t{}\t{label}\n", text(n), text(n + 50))
        })
        .collect();
    work.write("nli.tsv", &format!("premise\thypothesis\tlabel\n{rows}"));
    for rest in [TRIPLETS, &softmax] {
        let config = work.config("run", rest);
        let (loss, kept) = first_batch(&config, None);
        let (again, recomputed) = first_batch(&config, Some(0));
        assert_eq!(loss, again);
        assert_eq!(kept.len(), recomputed.len());
        let mut moved = 0;
        for (name, gradient) in &kept {
            assert_eq!(gradient, &recomputed[name], "{name}");
            moved += usize::from(gradient.iter().any(|&g| g != 0.0));
        }
        assert!(moved + 1 >= kept.len(), "{moved} of {}", kept.len());
    }
}
