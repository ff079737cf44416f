//! What a configuration file says of an objective.

use super::Objective;
use super::batch_triplet::{BatchTriplet, BatchTripletConfig};
use super::cosine::{Cosine, CosineConfig};
use super::distillation::{Distillation, DistillationConfig};
use super::graded::{Graded, GradedConfig};
use super::listwise::{Listwise, ListwiseConfig};
use super::margin::{Margin, MarginConfig};
use super::matryoshka::{Matryoshka, MatryoshkaConfig};
use super::ranking::{Ranking, RankingConfig};
use super::relational::{Relational, RelationalConfig};
use super::softmax::{Softmax, SoftmaxConfig};
use super::triplet::{Triplet, TripletConfig};
use medsift::{Error, Result};
use serde::{Deserialize, Serialize};

/// An objective and its keys, as in `objective = { kind = "ranking",
/// temperature = 0.05 }`. A key that the kind does not have is an error; one
/// that is not given has its default.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum ObjectiveConfig {
    /// Classification of sentence pairs.
    Softmax(SoftmaxConfig),
    /// Regression of graded similarity.
    Cosine(CosineConfig),
    /// Given triplets.
    Triplet(TripletConfig),
    /// Triplets found in the batch.
    BatchTriplet(BatchTripletConfig),
    /// Ranking against the whole batch.
    Ranking(RankingConfig),
    /// Distillation of embeddings.
    Distillation(DistillationConfig),
    /// Distillation of margins.
    MarginMse(MarginConfig),
    /// Distillation of rankings.
    Listwise(ListwiseConfig),
    /// Distillation of similarities.
    Relational(RelationalConfig),
    /// The order of graded pairs.
    Graded(GradedConfig),
    /// Another objective, also on prefixes of the vectors.
    Matryoshka(MatryoshkaConfig),
}

impl ObjectiveConfig {
    /// The kind, as the configuration spells it.
    pub fn kind(&self) -> &'static str {
        match self {
            Self::Softmax(_) => "softmax",
            Self::Cosine(_) => "cosine",
            Self::Triplet(_) => "triplet",
            Self::BatchTriplet(_) => "batch_triplet",
            Self::Ranking(_) => "ranking",
            Self::Distillation(_) => "distillation",
            Self::MarginMse(_) => "margin_mse",
            Self::Listwise(_) => "listwise",
            Self::Relational(_) => "relational",
            Self::Graded(_) => "graded",
            Self::Matryoshka(_) => "matryoshka",
        }
    }

    /// Whether the first text of an example is a query, and the others are
    /// passages.
    pub fn asks(&self) -> bool {
        match self {
            Self::Ranking(_) | Self::MarginMse(_) | Self::Listwise(_) | Self::Relational(_) => true,
            Self::Matryoshka(outer) => outer.inner.asks(),
            _ => false,
        }
    }

    /// Whether a teacher's embeddings are of use to it.
    pub fn takes_a_teacher(&self) -> bool {
        match self {
            Self::Distillation(_) | Self::Relational(_) => true,
            Self::Ranking(ranking) => ranking.mask_margin.is_some(),
            Self::Matryoshka(outer) => outer.inner.takes_a_teacher(),
            _ => false,
        }
    }
}

/// Makes an objective for embeddings of `dimension` numbers. Parameters of its
/// own start from the seed.
///
/// # Errors
/// When a key has a value that makes no sense.
pub fn build(config: &ObjectiveConfig, dimension: usize, seed: u64) -> Result<Box<dyn Objective>> {
    if let ObjectiveConfig::Matryoshka(outer) = config {
        let inner = build(&outer.inner, dimension, seed)?;
        let objective = Matryoshka::new(outer, inner, dimension);
        return Ok(Box::new(objective.map_err(|e| refused(config, &e))?));
    }
    plain(config, dimension, seed).map_err(|error| refused(config, &error))
}

fn plain(
    config: &ObjectiveConfig,
    dimension: usize,
    seed: u64,
) -> candle_core::Result<Box<dyn Objective>> {
    Ok(match config {
        ObjectiveConfig::Softmax(c) => Box::new(Softmax::new(c, dimension, seed)?),
        ObjectiveConfig::Cosine(c) => Box::new(Cosine::new(c)),
        ObjectiveConfig::Triplet(c) => Box::new(Triplet::new(c)?),
        ObjectiveConfig::BatchTriplet(c) => Box::new(BatchTriplet::new(c)?),
        ObjectiveConfig::Ranking(c) => Box::new(Ranking::new(c)?),
        ObjectiveConfig::Distillation(c) => Box::new(Distillation::new(c, dimension, seed)?),
        ObjectiveConfig::MarginMse(c) => Box::new(Margin::new(c)?),
        ObjectiveConfig::Listwise(c) => Box::new(Listwise::new(c)?),
        ObjectiveConfig::Relational(c) => Box::new(Relational::new(c)?),
        ObjectiveConfig::Graded(c) => Box::new(Graded::new(c)?),
        ObjectiveConfig::Matryoshka(_) => {
            candle_core::bail!("it is built around the objective inside it")
        }
    })
}

fn refused(config: &ObjectiveConfig, error: &candle_core::Error) -> Error {
    Error::invalid(
        "objective",
        format!("objective of kind {:?}: {error}", config.kind()),
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[derive(Debug, Deserialize)]
    struct Stage {
        objective: ObjectiveConfig,
    }

    fn read(toml: &str) -> std::result::Result<ObjectiveConfig, String> {
        let stage = toml::from_str::<Stage>(&format!("objective = {toml}"));
        stage
            .map(|stage| stage.objective)
            .map_err(|e| e.to_string())
    }

    #[test]
    fn every_kind_is_read_with_its_defaults_and_built() {
        for (kind, columns) in [
            ("softmax", 2),
            ("cosine", 2),
            ("triplet", 3),
            ("batch_triplet", 1),
            ("ranking", 2),
            ("distillation", 1),
            ("margin_mse", 3),
            ("listwise", 9),
            ("relational", 2),
            ("graded", 2),
        ] {
            let config = read(&format!("{{ kind = \"{kind}\" }}")).unwrap();
            assert_eq!(config.kind(), kind);
            assert_eq!(build(&config, 8, 1).unwrap().columns(), columns, "{kind}");
            let written = toml::to_string(&config).unwrap();
            assert_eq!(toml::from_str::<ObjectiveConfig>(&written).unwrap(), config);
        }
    }

    #[test]
    fn keys_are_read_and_unknown_ones_refused() {
        let config = read("{ kind = \"ranking\", temperature = 0.1, negatives = 2 }").unwrap();
        let ObjectiveConfig::Ranking(ranking) = &config else {
            panic!("{config:?}");
        };
        assert_eq!((ranking.temperature, ranking.negatives), (0.1, 2));
        let error = read("{ kind = \"ranking\", temprature = 0.1 }").unwrap_err();
        assert!(error.contains("temprature"), "{error}");
        assert!(error.contains("temperature"), "{error}");
        let error = read("{ kind = \"rankign\" }").unwrap_err();
        assert!(
            error.contains("rankign") && error.contains("ranking"),
            "{error}"
        );
        let error = read("{ kind = \"cosine\", target = \"half\" }").unwrap_err();
        assert!(error.contains("half"), "{error}");
        let nested = "{ kind = \"matryoshka\", inner = { kind = \"triplet\", x = 1 } }";
        assert!(read(nested).unwrap_err().contains('x'));
    }

    #[test]
    fn matryoshka_goes_around_another() {
        let text = "{ kind = \"matryoshka\", dimensions = [4, 8], weights = [0.5, 1.0], \
                    inner = { kind = \"ranking\", negatives = 1 } }";
        let config = read(text).unwrap();
        assert_eq!(build(&config, 8, 1).unwrap().columns(), 3);
        let error = build(&config, 6, 1).err().unwrap().to_string();
        assert!(
            error.contains("matryoshka") && error.contains('6'),
            "{error}"
        );
    }

    #[test]
    fn senseless_values_are_refused_with_their_key() {
        for (text, key) in [
            ("{ kind = \"softmax\", classes = 1 }", "classes"),
            ("{ kind = \"triplet\", margin = 0.0 }", "margin"),
            ("{ kind = \"batch_triplet\", margin = nan }", "margin"),
            ("{ kind = \"ranking\", temperature = 0.0 }", "temperature"),
            ("{ kind = \"ranking\", mask_margin = inf }", "mask_margin"),
            ("{ kind = \"listwise\", passages = 1 }", "passages"),
            (
                "{ kind = \"listwise\", teacher_temperature = -1.0 }",
                "teacher_temperature",
            ),
            ("{ kind = \"margin_mse\", negatives = 0 }", "negatives"),
            ("{ kind = \"distillation\", texts = 0 }", "texts"),
            ("{ kind = \"relational\", passages = 0 }", "passages"),
            ("{ kind = \"graded\", scale = 0.0 }", "scale"),
            (
                "{ kind = \"matryoshka\", inner = { kind = \"softmax\" } }",
                "inside",
            ),
            (
                "{ kind = \"matryoshka\", dimensions = [300], inner = { kind = \"ranking\" } }",
                "300",
            ),
            (
                "{ kind = \"matryoshka\", dimensions = [4, 4], inner = { kind = \"ranking\" } }",
                "twice",
            ),
            (
                "{ kind = \"matryoshka\", dimensions = [4], weights = [1.0, 1.0], inner = { kind = \"ranking\" } }",
                "weights",
            ),
        ] {
            let error = build(&read(text).unwrap(), 256, 1).err().expect(text);
            assert_eq!(error.kind(), medsift::ErrorKind::InvalidInput);
            assert!(error.to_string().contains(key), "{error}");
        }
    }
}
