//! Precision, recall and F1 of a tagger in training.

use super::head::logits;
use super::objective::TokenObjective;
use crate::config::StageConfig;
use crate::data::Purpose;
use crate::data::tagged::{TaggedSet, TaggedSpec};
use crate::network::{Backbone, Parameters};
use crate::trainer::headed::{self, Text};
use crate::trainer::learner::Learner;
use medsift::Result;
use medsift::encoder::parts::Tokenizer;
use medsift::enrich::{Reader, Reading, TagSet, best_tags, log_softmax};
use medsift::eval::{Counting, EntityCounter, EntityScores};

/// Sentences with the entities that are to be found.
pub(in crate::trainer) struct TaggedEvaluation {
    set: TaggedSet,
    tags: TagSet,
    /// The windows of each sentence.
    readings: Vec<Vec<Reading>>,
}

impl TaggedEvaluation {
    /// Reads the set that a stage describes, `name` and `kind` apart.
    ///
    /// # Errors
    /// When a file cannot be read or a type stands for nothing.
    pub(in crate::trainer) fn load(
        stage: &StageConfig,
        spec: &TaggedSpec,
        max_tokens: usize,
        tokenizer: &Tokenizer,
    ) -> Result<Self> {
        let (_, tags) = TokenObjective::of(stage)?;
        let set = spec.load(&tags, Purpose::Evaluation)?;
        let reader = Reader::new(tokenizer, max_tokens)?;
        let readings = set
            .sentences
            .iter()
            .map(|sentence| reader.read_words(&sentence.words))
            .collect::<Result<_>>()?;
        Ok(Self {
            set,
            tags,
            readings,
        })
    }

    /// Its sentences.
    pub(in crate::trainer) fn len(&self) -> usize {
        self.readings.len()
    }

    /// Scores by name: precision, recall and F1 over all types, and the F1 of
    /// each where there are several.
    pub(in crate::trainer) fn measure<B: Backbone>(
        &self,
        learner: &mut Learner<B>,
        heads: &Parameters,
    ) -> Result<Vec<(String, f64)>> {
        let scores = self.scores(learner, heads)?;
        let micro = &scores.micro;
        let mut named = vec![
            ("f1".to_owned(), micro.f1),
            ("precision".to_owned(), micro.precision),
            ("recall".to_owned(), micro.recall),
        ];
        if scores.types.len() > 1 {
            let types = scores.types.iter();
            named.extend(types.map(|(name, score)| (format!("f1/{name}"), score.f1)));
        }
        Ok(named)
    }

    fn scores<B: Backbone>(
        &self,
        learner: &mut Learner<B>,
        heads: &Parameters,
    ) -> Result<EntityScores> {
        let windows: Vec<&Reading> = self.readings.iter().flatten().collect();
        let texts: Vec<Text<'_>> = windows.iter().map(|one| Text::from(&one.ids[..])).collect();
        let tags = self.tags.len();
        let mut scored: Vec<Vec<f32>> = vec![Vec::new(); windows.len()];
        headed::evaluate(learner, &texts, |states, tokens, places| {
            let starts = tokens.bounds().iter();
            let rows: Vec<u32> = places
                .iter()
                .zip(starts)
                .flat_map(|(&at, &start)| {
                    let own = windows[at].rows.iter().flatten();
                    own.map(move |row| start as u32 + row)
                })
                .collect();
            let mut values = Vec::new();
            if !rows.is_empty() {
                values = logits(heads, states, &rows)?;
                log_softmax(&mut values, tags);
            }
            let mut values = values.chunks_exact(tags);
            for &at in places {
                let scores = &mut scored[at];
                for row in &windows[at].rows {
                    match row.and_then(|_| values.next()) {
                        Some(own) => scores.extend_from_slice(own),
                        // As the finished tagger: it goes with its neighbours.
                        None => scores.resize(scores.len() + tags, 0.0),
                    }
                }
            }
            Ok(())
        })?;
        self.count(scored.into_iter())
    }

    fn count(&self, mut scored: impl Iterator<Item = Vec<f32>>) -> Result<EntityScores> {
        let mut counter = EntityCounter::new(Counting::Conll);
        for (sentence, windows) in self.set.sentences.iter().zip(&self.readings) {
            let scores: Vec<f32> = scored.by_ref().take(windows.len()).flatten().collect();
            let found = best_tags(&scores, self.tags.len()).into_iter();
            let found: Vec<String> = found.map(|tag| self.set.types.predicted(tag)).collect();
            let gold = sentence.tags.iter().map(|tag| self.set.types.gold(tag));
            counter.add(&gold.collect::<Result<Vec<_>>>()?, &found)?;
        }
        Ok(counter.scores())
    }
}
