//! Scores on the way.

use super::learner::Learner;
use super::pretraining::MaskedSet;
use super::sentence::table;
use super::span::AnswerEvaluation;
use super::text::LabelledEvaluation;
use super::token::TaggedEvaluation;
use crate::config::{StageConfig, StageKind};
use crate::data::corpus::ArticleSource;
use crate::data::{DataSpec, Purpose, load_for};
use crate::example::{Example, Label};
use crate::network::{Backbone, Parameters};
use medsift::encoder::parts::Tokenizer;
use medsift::eval::{ScoredPair, StsScores, TripletScores};
use medsift::{Error, Result};
use serde::Deserialize;
use std::sync::Arc;

/// What a set measures.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(super) enum Kind {
    /// Spearman's coefficient of cosines and scores.
    Sts,
    /// Share of triplets whose positive is nearer than the negative.
    Triplet,
    /// Share of pairs whose positive is the nearest of all positives.
    Pairs,
    /// Loss, perplexity and accuracy of masked tokens, in held-out text.
    Mlm,
    /// Precision, recall and F1 of named entities.
    Entities,
    /// Accuracy, F1 and area under the curve of labels of texts.
    Labels,
    /// Exact match and F1 of answers in passages.
    Answers,
}

/// A set to measure on, loaded.
pub(super) struct EvaluationSet {
    name: String,
    content: Content,
}

/// What is measured.
enum Content {
    /// Vectors of texts, by one of the measures of sentence encoders.
    Vectors(Kind, Vec<Example>),
    /// Those of kind `mlm`.
    Masked(MaskedSet),
    /// Those of kind `entities`.
    Tagged(TaggedEvaluation),
    /// Those of kind `labels`.
    Labelled(LabelledEvaluation),
    /// Those of kind `answers`.
    Answers(AnswerEvaluation),
}

/// What sets are read for, and with.
struct Reading<'a> {
    stage: &'a StageConfig,
    max_tokens: usize,
    tokenizer: &'a Tokenizer,
    articles: Option<&'a ArticleSource>,
}

impl Reading<'_> {
    /// A set of held-out text, if the stage has the heads to measure it.
    fn masked(&self, name: &str, set: &toml::Table) -> Result<MaskedSet> {
        let stage = self.stage;
        let place = format!("stage `{}`, evaluation set `{name}`", stage.name);
        if stage.kind != StageKind::Mlm {
            return Err(Error::invalid(
                "kind",
                format!(
                    "{place}: a set of kind `mlm` can only be measured in a stage of kind `mlm`, \
                     which has the heads for it"
                ),
            ));
        }
        let best = stage.evaluation.best.as_deref().unwrap_or_default();
        let lower = ["loss", "perplexity", "relation_loss"];
        if lower
            .iter()
            .any(|measure| best == format!("score/{name}/{measure}"))
        {
            return Err(Error::invalid(
                "best",
                format!(
                    "{place}: `evaluation.best` keeps the largest score, and of `{best}` the \
                     smallest is best; name `score/{name}/accuracy`"
                ),
            ));
        }
        let (tokens, tokenizer) = (self.max_tokens, self.tokenizer);
        MaskedSet::load(set, &stage.objective, tokens, tokenizer, self.articles)
            .map_err(|error| Error::new(error.kind(), format!("{place}: {error}")))
    }
}

impl Reading<'_> {
    /// A set of tagged sentences, if the stage has the head to measure it.
    fn tagged(&self, name: &str, set: &toml::Table) -> Result<TaggedEvaluation> {
        let place = self.place(name, "entities", (StageKind::Token, "token"))?;
        let set = table(self.stage, "evaluation.sets", set)?;
        TaggedEvaluation::load(self.stage, &set, self.max_tokens, self.tokenizer)
            .map_err(|error| Error::new(error.kind(), format!("{place}: {error}")))
    }

    /// A set of labelled texts, if the stage has the head to measure it.
    fn labelled(&self, name: &str, set: &toml::Table) -> Result<LabelledEvaluation> {
        let place = self.place(name, "labels", (StageKind::Text, "text"))?;
        let set = table(self.stage, "evaluation.sets", set)?;
        LabelledEvaluation::load(self.stage, &set, self.max_tokens, self.tokenizer)
            .map_err(|error| Error::new(error.kind(), format!("{place}: {error}")))
    }

    /// A set of questions, if the stage has the head to measure it.
    fn answers(&self, name: &str, set: &toml::Table) -> Result<AnswerEvaluation> {
        let place = self.place(name, "answers", (StageKind::Span, "span"))?;
        let set = table(self.stage, "evaluation.sets", set)?;
        AnswerEvaluation::load(self.stage, &set, self.max_tokens, self.tokenizer)
            .map_err(|error| Error::new(error.kind(), format!("{place}: {error}")))
    }

    /// The place of a set in messages, if the stage is of the kind that can
    /// measure it.
    fn place(&self, name: &str, kind: &str, wanted: (StageKind, &str)) -> Result<String> {
        let place = format!("stage `{}`, evaluation set `{name}`", self.stage.name);
        if self.stage.kind == wanted.0 {
            return Ok(place);
        }
        Err(Error::invalid(
            "kind",
            format!(
                "{place}: a set of kind `{kind}` can only be measured in a stage of kind `{}`, \
                 which has the head for it",
                wanted.1
            ),
        ))
    }
}

impl EvaluationSet {
    /// As the configuration calls it.
    pub(super) fn name(&self) -> &str {
        &self.name
    }

    /// Its examples.
    pub(super) fn len(&self) -> usize {
        match &self.content {
            Content::Vectors(_, examples) => examples.len(),
            Content::Masked(masked) => masked.len(),
            Content::Tagged(tagged) => tagged.len(),
            Content::Labelled(labelled) => labelled.len(),
            Content::Answers(answers) => answers.len(),
        }
    }

    /// Loads the sets of a stage.
    pub(super) fn load_all(
        stage: &StageConfig,
        max_tokens: usize,
        tokenizer: &Tokenizer,
        articles: Option<&ArticleSource>,
    ) -> Result<Vec<Self>> {
        let reading = Reading {
            stage,
            max_tokens,
            tokenizer,
            articles,
        };
        stage
            .evaluation
            .sets
            .iter()
            .map(|set| Self::load(&reading, set))
            .collect()
    }

    /// A table with `name`, `kind`, and what a data set says.
    fn load(reading: &Reading<'_>, set: &toml::Table) -> Result<Self> {
        let stage = reading.stage;
        let mut set = set.clone();
        let mut take = |key: &'static str| {
            set.remove(key).ok_or_else(|| {
                Error::invalid(
                    key,
                    format!("stage `{}`: an evaluation set lacks `{key}`", stage.name),
                )
            })
        };
        let name = take("name")?;
        let name = name.as_str().unwrap_or_default().to_owned();
        let kind: Kind = take("kind")?.try_into().map_err(|_| {
            Error::invalid(
                "kind",
                format!(
                    "stage `{}`: the evaluation set `{name}` has an unknown `kind`; known are \
                     sts, triplet, pairs, mlm, entities, labels and answers",
                    stage.name
                ),
            )
        })?;
        let format = match kind {
            Kind::Sts => "sts",
            Kind::Triplet => "triplets",
            Kind::Pairs => "pairs",
            Kind::Mlm => {
                let content = Content::Masked(reading.masked(&name, &set)?);
                return Ok(Self { name, content });
            }
            Kind::Entities => {
                let content = Content::Tagged(reading.tagged(&name, &set)?);
                return Ok(Self { name, content });
            }
            Kind::Labels => {
                let content = Content::Labelled(reading.labelled(&name, &set)?);
                return Ok(Self { name, content });
            }
            Kind::Answers => {
                let content = Content::Answers(reading.answers(&name, &set)?);
                return Ok(Self { name, content });
            }
        };
        set.entry("format").or_insert(format.into());
        if kind == Kind::Sts {
            // A correlation is the same whatever range the scores are brought to.
            let range = toml::Value::Array(vec![0.into(), 5.into()]);
            set.entry("score_range").or_insert(range);
        }
        let spec: DataSpec = table(stage, "evaluation.sets", &set)?;
        let examples = load_for(&spec, Purpose::Evaluation)?.examples;
        let content = Content::Vectors(kind, examples);
        Ok(Self { name, content })
    }

    /// Measures, and gives scores by name. `heads` are those of the stage.
    pub(super) fn measure<B: Backbone>(
        &self,
        learner: &mut Learner<B>,
        heads: &Parameters,
    ) -> Result<Vec<(String, f64)>> {
        let named: Vec<(String, f64)> = match &self.content {
            Content::Vectors(kind, examples) => return self.vectors(*kind, examples, learner),
            Content::Masked(masked) => {
                let budget = learner.micro_batch_tokens;
                let scores = masked.measure(&mut learner.network, heads, budget)?;
                let named = scores.named().into_iter();
                named
                    .map(|(name, value)| (name.to_owned(), value))
                    .collect()
            }
            Content::Tagged(tagged) => tagged.measure(learner, heads)?,
            Content::Labelled(labelled) => labelled.measure(learner, heads)?,
            Content::Answers(answers) => answers.measure(learner, heads)?,
        };
        let named = named.into_iter();
        Ok(named
            .map(|(measure, value)| (self.score(&measure), value))
            .collect())
    }

    fn score(&self, measure: &str) -> String {
        format!("score/{}/{measure}", self.name)
    }

    fn vectors<B: Backbone>(
        &self,
        kind: Kind,
        examples: &[Example],
        learner: &mut Learner<B>,
    ) -> Result<Vec<(String, f64)>> {
        let width = learner.network.architecture().hidden;
        let column =
            |at: usize| -> Vec<Arc<str>> { examples.iter().map(|e| e.texts[at].clone()).collect() };
        let first = learner.encode(&column(0))?;
        let second = learner.encode(&column(1))?;
        let score = |measure: &str, value| (self.score(measure), value);
        Ok(match kind {
            // Measured by their heads, not by their vectors.
            Kind::Mlm | Kind::Entities | Kind::Labels | Kind::Answers => Vec::new(),
            Kind::Sts => {
                let pairs: Vec<ScoredPair> = examples
                    .iter()
                    .map(|example| ScoredPair {
                        first: example.texts[0].to_string(),
                        second: example.texts[1].to_string(),
                        score: match example.label {
                            Label::Score(score) => f64::from(score),
                            _ => f64::NAN,
                        },
                    })
                    .collect();
                let scores = StsScores::of(&pairs, &first, &second, width)?;
                vec![
                    score("spearman", scores.spearman),
                    score("pearson", scores.pearson),
                ]
            }
            Kind::Triplet => {
                let third = learner.encode(&column(2))?;
                let scores = TripletScores::of(&first, &second, &third, width)?;
                vec![
                    score("accuracy", scores.euclidean_accuracy),
                    score("cosine_accuracy", scores.cosine_accuracy),
                ]
            }
            Kind::Pairs => {
                let (mut right, mut reciprocal) = (0usize, 0.0);
                for (at, row) in first.chunks_exact(width).enumerate() {
                    let cosine = |other: &[f32]| medsift::eval::sentence::cosine(row, other);
                    let own = cosine(&second[at * width..(at + 1) * width]);
                    let better = second
                        .chunks_exact(width)
                        .filter(|other| cosine(other) > own)
                        .count();
                    right += usize::from(better == 0);
                    reciprocal += 1.0 / (better + 1) as f64;
                }
                let count = examples.len() as f64;
                vec![
                    score("accuracy", right as f64 / count),
                    score("mrr", reciprocal / count),
                ]
            }
        })
    }
}
