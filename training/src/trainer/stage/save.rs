//! The states of a stage: saved, restored, and the one that it ends with.

use super::StageRun;
use super::since::{LOSSES, Since};
use crate::checkpoint::{Checkpoint, average};
use crate::error::device;
use crate::network::{Backbone, PlacedBackbone};
use crate::trainer::learner::Learner;
use crate::trainer::run::Run;
use candle_core::Tensor;
use medsift::encoder::parts::read_checkpoint;
use medsift::{Error, ErrorKind, Result};
use std::collections::HashMap;
use std::path::Path;
use std::time::Instant;

impl StageRun<'_> {
    /// Writes what belongs beside the encoder into a model directory.
    pub(in crate::trainer) fn save_beside(&self, model: &Path) -> Result<()> {
        let heads = self.lesson.heads();
        let adapter = self.adaptation.as_ref().map(|one| one.adapter(heads));
        self.lesson
            .save_beside(model, adapter.transpose()?.as_ref())
    }

    /// Whether the encoder is still the run's start model.
    pub(in crate::trainer) fn leaves_the_encoder(&self) -> bool {
        self.adaptation.is_some()
    }

    /// Brings what an adapter has learnt into the network that runs.
    pub(super) fn change_encoder(&self, learner: &mut Learner<PlacedBackbone>) -> Result<()> {
        match &self.adaptation {
            None => Ok(()),
            Some(adaptation) => adaptation
                .change(&mut learner.network, self.lesson.heads())
                .map_err(device),
        }
    }

    /// Takes up a checkpoint of this stage.
    pub(in crate::trainer) fn restore(
        &mut self,
        learner: &mut Learner<PlacedBackbone>,
        checkpoint: Checkpoint,
    ) -> Result<()> {
        self.set_parameters(learner, &checkpoint.parameters)?;
        let step = checkpoint.state.stage_step as usize;
        self.optimiser
            .restore(step, &checkpoint.optimiser)
            .map_err(device)?;
        self.lesson
            .seek(checkpoint.state.epoch, checkpoint.state.epoch_step)?;
        self.resumed = true;
        self.state = checkpoint.state;
        let saved = self.state.generators.remove(LOSSES);
        let saved = saved.and_then(|value| serde_json::from_value(value).ok());
        self.since = Since::after(saved.unwrap_or_default());
        Ok(())
    }

    pub(super) fn set_parameters(
        &mut self,
        learner: &mut Learner<PlacedBackbone>,
        values: &HashMap<String, Tensor>,
    ) -> Result<()> {
        let all = learner.network.parameters().iter();
        for parameter in all.chain(self.lesson.heads().iter()) {
            let value = values.get(&parameter.name).ok_or_else(|| {
                Error::new(
                    ErrorKind::Corrupt,
                    format!("the checkpoint lacks the parameter `{}`", parameter.name),
                )
            })?;
            parameter.value.set(value).map_err(device)?;
        }
        learner.network.values_changed();
        self.change_encoder(learner)
    }

    pub(super) fn parameters(
        &self,
        learner: &Learner<PlacedBackbone>,
    ) -> Result<HashMap<String, Tensor>> {
        let mut all = learner.network.parameters().snapshot().map_err(device)?;
        all.extend(self.lesson.heads().snapshot().map_err(device)?);
        Ok(all)
    }

    pub(super) fn is_time_to_save(&self, run: &Run<'_>) -> bool {
        let settings = &run.config.checkpoint;
        let by_steps =
            settings.every_steps > 0 && self.state.stage_step.is_multiple_of(settings.every_steps);
        let minutes = self.saved.elapsed().as_secs_f64() / 60.0;
        by_steps || (settings.every_minutes > 0.0 && minutes >= settings.every_minutes)
    }

    pub(super) fn save(
        &mut self,
        run: &mut Run<'_>,
        learner: &Learner<PlacedBackbone>,
    ) -> Result<()> {
        let clock = Instant::now();
        let mut state = self.state.clone();
        if let Ok(losses) = serde_json::to_value(self.since.saved()) {
            state.generators.insert(LOSSES.to_owned(), losses);
        }
        run.store.save(&Checkpoint {
            parameters: self.parameters(learner)?,
            optimiser: self.optimiser.state(),
            state,
        })?;
        run.record.write(&run.folder.run())?;
        self.saved = Instant::now();
        self.since.clock += clock.elapsed();
        Ok(())
    }

    /// Moves the encoder's weights part of the way back to the run's start.
    fn blend(&self, run: &Run<'_>, learner: &mut Learner<PlacedBackbone>) -> Result<()> {
        let share = self.stage.start_share;
        for parameter in learner.network.parameters().iter() {
            let value = parameter.value.as_tensor();
            let start = run.start.tensors[&parameter.name].to_device(value.device());
            let blended = start
                .and_then(|start| (start * share)? + (value * (1.0 - share))?)
                .map_err(device)?;
            parameter.value.set(&blended).map_err(device)?;
        }
        learner.network.values_changed();
        run.progress.note(&format!(
            "the weights are {share} of the start model's and {:.2} of what was learnt",
            1.0 - share
        ));
        Ok(())
    }

    /// The state that the stage ends with: the last, the best, the mean of
    /// the last ones, or one on the way back to the start.
    pub(super) fn finish(
        &mut self,
        run: &mut Run<'_>,
        learner: &mut Learner<PlacedBackbone>,
    ) -> Result<()> {
        if self.stage.average_last > 1 {
            self.save(run, learner)?;
            // What the stage began with is not one of its states.
            let from = self.state.step - self.state.stage_step + 1;
            let states = run.store.newest_parameters(self.stage.average_last, from)?;
            let mean = average(&states)?;
            self.set_parameters(learner, &mean)?;
            run.progress.note(&format!(
                "the mean of {} checkpoints is taken",
                states.len()
            ));
        }
        if self.stage.start_share > 0.0 {
            self.blend(run, learner)?;
        }
        self.measure(run, learner)?;
        if let Some((value, step)) = self.state.best
            && step != self.state.step
        {
            let path = self.best_file(run);
            self.set_parameters(learner, &read_checkpoint(&path)?)?;
            run.progress.note(&format!(
                "the state of step {step} is taken, which scored {value:.4}"
            ));
            // The scores that the record ends with are those of the model
            // that is written.
            self.measure(run, learner)?;
        }
        Ok(())
    }
}
