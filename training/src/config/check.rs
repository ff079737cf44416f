//! Whether values are in range and fit each other.

use super::{BaseConfig, ScratchConfig, StageConfig, StageKind, TrainConfig};
use crate::whitening::WhiteningConfig;
use medsift::{Error, ErrorKind, Result};
use std::collections::HashSet;
use std::ops::RangeBounds;
use std::path::Path;

/// What is wrong, beginning with the key in backquotes.
type Complaint = std::result::Result<(), String>;

impl TrainConfig {
    /// Checks all values.
    pub(super) fn check(&self, path: &Path) -> Result<()> {
        let at = |place: String, what: String| {
            Error::new(
                ErrorKind::InvalidInput,
                format!("{}: {place}{what}", path.display()),
            )
        };
        self.check_run().map_err(|what| at(String::new(), what))?;
        let mut names = HashSet::new();
        for (index, stage) in self.stages.iter().enumerate() {
            let place = || format!("stage {} (\"{}\"): ", index + 1, stage.name);
            if !names.insert(&stage.name) {
                let what = format!("`name`: another stage is called `{}` too", stage.name);
                return Err(at(place(), what));
            }
            stage
                .check(self.checkpoint.keep)
                .map_err(|what| at(place(), what))?;
            if stage.adapter.is_some() && (self.stages.len() > 1 || self.base.model.is_none()) {
                let what = "`adapter`: what is learnt lies beside a model that stays as it is; \
                            give the stage a run of its own, with `base.model`";
                return Err(at(place(), what.to_owned()));
            }
        }
        Ok(())
    }

    fn check_run(&self) -> Complaint {
        if self.output.as_os_str().is_empty() {
            return Err("`output` names no folder".into());
        }
        if self.stages.is_empty() && (self.model.whitening.is_none() || self.base.model.is_none()) {
            return Err("there is no stage; add a `[[stage]]`".into());
        }
        if let Some(whitening) = &self.model.whitening {
            self.check_whitening(whitening)?;
        }
        self.base.check()?;
        within(
            "checkpoint.every_minutes",
            self.checkpoint.every_minutes,
            0.0..1e6,
        )?;
        within("checkpoint.keep", self.checkpoint.keep, 1..)?;
        if let Some(tokens) = self.model.max_tokens {
            within("model.max_tokens", tokens, 16..)?;
        }
        Ok(())
    }
}

impl TrainConfig {
    fn check_whitening(&self, whitening: &WhiteningConfig) -> Complaint {
        within("model.whitening.power", whitening.power, 0.0..=1.0)?;
        within("model.whitening.shrinkage", whitening.shrinkage, 0.0..=10.0)?;
        within("model.whitening.texts", whitening.texts, 1..)?;
        if whitening.data.is_empty() {
            return Err(
                "`model.whitening.data`: there is none; add a `[[model.whitening.data]]`".into(),
            );
        }
        if let Err(error) = whitening.corpora() {
            return Err(format!("`model.whitening.data`: {error}"));
        }
        let others =
            |stage: &StageConfig| !matches!(stage.kind, StageKind::Sentence | StageKind::Mlm);
        match self.stages.iter().find(|stage| others(stage)) {
            None => Ok(()),
            Some(stage) => Err(format!(
                "`model.whitening` and stage \"{}\", which learns a head, exclude each other; \
                 give each a run of its own",
                stage.name
            )),
        }
    }
}

impl BaseConfig {
    fn check(&self) -> Complaint {
        match (&self.model, &self.scratch, &self.vocabulary) {
            (Some(_), Some(_), _) => {
                Err("`base.model` and `base.scratch` exclude each other; remove one".into())
            }
            (None, None, _) => {
                Err("`base` is empty; give `model`, or `scratch` and `vocabulary`".into())
            }
            (None, Some(_), None) => Err(
                "`base.vocabulary`: a network from scratch needs a vocabulary; \
                 `medsift train vocab` makes one"
                    .into(),
            ),
            (Some(name), None, _) if name.trim().is_empty() => {
                Err("`base.model` names no model".into())
            }
            (None, Some(scratch), Some(_)) => scratch.check(),
            (Some(_), None, _) => Ok(()),
        }
    }
}

impl ScratchConfig {
    fn check(&self) -> Complaint {
        for (key, value) in [
            ("hidden", self.hidden),
            ("layers", self.layers),
            ("heads", self.heads),
            ("intermediate", self.intermediate),
            ("token_types", self.token_types),
        ] {
            within(&format!("base.scratch.{key}"), value, 1..)?;
        }
        within("base.scratch.positions", self.positions, 16..)?;
        if !self.hidden.is_multiple_of(self.heads) {
            return Err(format!(
                "`base.scratch.hidden`: {} is not a multiple of the {} heads",
                self.hidden, self.heads
            ));
        }
        Ok(())
    }
}

impl StageConfig {
    fn check(&self, keep: usize) -> Complaint {
        if self.name.trim().is_empty() {
            return Err("`name` is empty".into());
        }
        if self.data.is_empty() {
            return Err("`data`: there is none; add a `[[stage.data]]`".into());
        }
        if self.objective.is_empty() {
            match self.kind {
                // A head for answers has a name and lengths, which have defaults.
                StageKind::Mlm | StageKind::Span => {}
                StageKind::Sentence => {
                    return Err("`objective`: a sentence stage needs a `[stage.objective]`".into());
                }
                StageKind::Token => {
                    return Err(
                        "`objective`: a token stage needs a `[stage.objective]` with its `types`"
                            .into(),
                    );
                }
                StageKind::Text => {
                    return Err(
                        "`objective`: a text stage needs a `[stage.objective]` with its `labels`"
                            .into(),
                    );
                }
            }
        }
        self.check_length()?;
        within("batch", self.batch, 1..)?;
        within("micro_batch_tokens", self.micro_batch_tokens, 1..)?;
        if let Some(tokens) = self.max_tokens {
            within("max_tokens", tokens, 3..)?;
        }
        self.check_optimiser()?;
        within("log_steps", self.log_steps, 1..)?;
        if let Some(best) = &self.evaluation.best
            && self.evaluation.sets.is_empty()
        {
            return Err(format!(
                "`evaluation.best`: there is no set to measure `{best}` on; add \
                 `[[stage.evaluation.sets]]`"
            ));
        }
        if self.average_last > keep {
            return Err(format!(
                "`average_last`: {} checkpoints are to be averaged, but only \
                 `checkpoint.keep` = {keep} are kept",
                self.average_last
            ));
        }
        within("start_share", self.start_share, 0.0..=1.0)?;
        self.check_adapter()?;
        self.check_teachers()?;
        for (key, given) in [
            ("average_last", self.average_last > 1),
            ("start_share", self.start_share > 0.0),
        ] {
            if given && self.evaluation.best.is_some() {
                return Err(format!(
                    "`{key}` and `evaluation.best` both say what the stage ends with; remove one"
                ));
            }
        }
        Ok(())
    }

    fn check_adapter(&self) -> Complaint {
        let Some(adapter) = &self.adapter else {
            return Ok(());
        };
        within("adapter.rank", adapter.rank, 1..=1024)?;
        above("adapter.alpha", adapter.scale())?;
        if !matches!(
            self.kind,
            StageKind::Token | StageKind::Text | StageKind::Span
        ) {
            return Err(
                "`adapter`: only a stage of kind `token`, `text` or `span` writes one".into(),
            );
        }
        if self.start_share > 0.0 {
            return Err("`adapter` and `start_share` exclude each other; remove one".into());
        }
        Ok(())
    }

    fn check_teachers(&self) -> Complaint {
        if self.teachers.is_empty() {
            return Ok(());
        }
        if self.kind != StageKind::Sentence {
            return Err("`teacher`: only a stage of kind `sentence` learns from one".into());
        }
        let mut names = HashSet::new();
        for teacher in &self.teachers {
            if teacher.model.trim().is_empty() {
                return Err("`teacher.model` names no model".into());
            }
            if !names.insert(&teacher.model) {
                return Err(format!("`teacher`: `{}` stands there twice", teacher.model));
            }
            above("teacher.weight", teacher.weight)?;
            within("teacher.weight", teacher.weight, ..=1e6)?;
        }
        Ok(())
    }

    fn check_length(&self) -> Complaint {
        match (self.epochs, self.steps) {
            (Some(_), Some(_)) => Err("`epochs` and `steps` exclude each other; remove one".into()),
            (Some(epochs), None) => {
                above("epochs", epochs)?;
                within("epochs", epochs, ..=1e6)
            }
            (None, Some(steps)) => within("steps", steps, 1..),
            (None, None) => Ok(()),
        }
    }

    fn check_optimiser(&self) -> Complaint {
        above("learning_rate", self.learning_rate)?;
        within("learning_rate", self.learning_rate, ..=1.0)?;
        above("layer_decay", self.layer_decay)?;
        within("layer_decay", self.layer_decay, ..=1.0)?;
        within("head_factor", self.head_factor, 0.0..=1e4)?;
        within("warm_up", self.warm_up, 0.0..=1.0)?;
        if let Some(steps) = self.schedule_steps {
            within("schedule_steps", steps, self.steps.unwrap_or(1)..)?;
        }
        within("weight_decay", self.weight_decay, 0.0..=1.0)?;
        for beta in self.betas {
            within("betas", beta, 0.0..1.0)?;
        }
        above("epsilon", self.epsilon)?;
        within("clip_norm", self.clip_norm, 0.0..=1e6)?;
        if let Some(dropout) = self.dropout {
            within("dropout", dropout, 0.0..1.0)?;
        }
        for group in &self.groups {
            if group.parameters.is_empty() {
                return Err("`group.parameters` names no parameter".into());
            }
            within("group.factor", group.factor, 0.0..=1e3)?;
            if let Some(decay) = group.weight_decay {
                within("group.weight_decay", decay, 0.0..=1.0)?;
            }
        }
        Ok(())
    }
}

/// NaN is within no range.
fn within<T: PartialOrd + std::fmt::Display + std::fmt::Debug>(
    key: &str,
    value: T,
    range: impl RangeBounds<T> + std::fmt::Debug,
) -> Complaint {
    if range.contains(&value) {
        Ok(())
    } else {
        Err(format!("`{key}`: {value} is out of range ({range:?})"))
    }
}

fn above(key: &str, value: f64) -> Complaint {
    if value > 0.0 {
        Ok(())
    } else {
        Err(format!("`{key}`: {value} is out of range (more than 0)"))
    }
}
