//! Accuracy, F1 and area under the curve of a head in training.

use super::head::logits;
use super::objective::TextObjective;
use crate::config::StageConfig;
use crate::data::Purpose;
use crate::data::labelled::LabelledSpec;
use crate::network::{Backbone, Parameters};
use crate::trainer::headed::{self, Text};
use crate::trainer::learner::Learner;
use medsift::Result;
use medsift::encoder::parts::{PairIds, Tokenizer};
use medsift::enrich::log_softmax;
use medsift::eval::{LabelCounter, LabelScores, LabelledText};

/// Texts with their labels.
pub(in crate::trainer) struct LabelledEvaluation {
    objective: TextObjective,
    classes: Vec<usize>,
    /// Token numbers of each text.
    ids: Vec<PairIds>,
}

impl LabelledEvaluation {
    /// Reads the set that a stage describes, `name` and `kind` apart.
    ///
    /// # Errors
    /// When a file cannot be read or a label stands for nothing.
    pub(in crate::trainer) fn load(
        stage: &StageConfig,
        spec: &LabelledSpec,
        max_tokens: usize,
        tokenizer: &Tokenizer,
    ) -> Result<Self> {
        let objective = TextObjective::of(stage)?;
        let set = objective.load(spec, Purpose::Evaluation)?;
        let rows: Vec<&LabelledText> = set.texts.iter().collect();
        let ids = objective.encode(tokenizer, &rows, max_tokens)?;
        Ok(Self {
            objective,
            classes: set.classes,
            ids,
        })
    }

    /// Its texts.
    pub(in crate::trainer) fn len(&self) -> usize {
        self.ids.len()
    }

    /// Scores by name: accuracy; precision, recall and F1 over the labels but
    /// the negative one; the mean F1 of all labels; and with two labels the
    /// area under the ROC curve.
    pub(in crate::trainer) fn measure<B: Backbone>(
        &self,
        learner: &mut Learner<B>,
        heads: &Parameters,
    ) -> Result<Vec<(String, f64)>> {
        let scores = self.scores(learner, heads)?;
        let named = [
            ("accuracy", Some(scores.accuracy)),
            ("f1", Some(scores.micro.f1)),
            ("precision", Some(scores.micro.precision)),
            ("recall", Some(scores.micro.recall)),
            ("macro_f1", Some(scores.macro_f1)),
            ("auc", scores.auc),
        ];
        Ok(named
            .into_iter()
            .filter_map(|(name, value)| Some((name.to_owned(), value?)))
            .collect())
    }

    fn scores<B: Backbone>(
        &self,
        learner: &mut Learner<B>,
        heads: &Parameters,
    ) -> Result<LabelScores> {
        let labels = &self.objective.labels;
        let texts: Vec<Text<'_>> = self.ids.iter().map(Text::from).collect();
        let mut found: Vec<Vec<f32>> = vec![Vec::new(); self.ids.len()];
        headed::evaluate(learner, &texts, |states, tokens, places| {
            let mut values = logits(heads, states, tokens, &self.objective)?;
            log_softmax(&mut values, labels.len());
            for (&at, own) in places.iter().zip(values.chunks_exact(labels.len())) {
                found[at] = own.iter().map(|log| log.exp()).collect();
            }
            Ok(())
        })?;
        let mut counter = LabelCounter::new(labels, self.objective.negative());
        for (class, probabilities) in self.classes.iter().zip(&found) {
            counter.add(*class, probabilities)?;
        }
        Ok(counter.scores())
    }
}
