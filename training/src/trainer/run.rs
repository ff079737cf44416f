//! A whole run.

use super::learner::Learner;
use super::progress::Progress;
use super::save::{copy_model, save_model};
use super::stage::{End, StageRun};
use super::start::Start;
use super::teacher::TeacherFolders;
use super::whitening;
use crate::checkpoint::{Checkpoint, CheckpointStore};
use crate::config::TrainConfig;
use crate::data::corpus::ArticleSource;
use crate::files::{remove_folder, write_file};
use crate::network::PlacedBackbone;
use crate::record::{
    Environment, MetricsWriter, PlotOptions, RunFolder, RunRecord, Status, now, plot, read_metrics,
};
use medsift::encoder::parts::Dense;
use medsift::{Error, ErrorKind, Result};
use std::path::{Path, PathBuf};

/// What a run needs beside its configuration.
#[derive(Debug, Clone, Default)]
pub struct RunOptions {
    /// Folder of the start model.
    pub model: Option<PathBuf>,
    /// The command that does the run again.
    pub command: String,
    /// Whether to go on where the run in the output folder stopped.
    pub resume: bool,
    /// Whether a finished or stopped run in the output folder may be
    /// overwritten.
    pub overwrite: bool,
    /// Reads files of a pre-training corpus that are neither JSON lines nor
    /// plain text, such as PubMed XML.
    pub articles: Option<ArticleSource>,
    /// Folders of the teachers that stages name.
    pub teachers: TeacherFolders,
}

/// Runs a training from its beginning, or from its last checkpoint, to its
/// end, or until it is stopped.
///
/// # Errors
/// When the configuration or data do not fit, a loss is not a number, or
/// files cannot be read or written. What was saved before stays.
pub fn train(
    config: &TrainConfig,
    options: &RunOptions,
    progress: &dyn Progress,
) -> Result<RunRecord> {
    let folder = RunFolder::new(&config.output);
    let store = CheckpointStore::new(folder.checkpoints(), config.checkpoint.keep);
    let digest = CheckpointStore::configuration_digest(&(
        &config.base,
        &config.model,
        config.seed,
        &config.stages,
    ))?;
    let resumed = resumed(&folder, &store, options, &digest)?;
    let start = Start::open(config, options.model.as_deref())?;
    refuse_base_inside(&folder, options.model.as_deref(), resumed.is_some())?;
    let threads = match config.threads {
        0 => std::thread::available_parallelism().map_or(1, usize::from),
        threads => threads,
    };
    let pool = rayon::ThreadPoolBuilder::new()
        .num_threads(threads)
        .build()
        .map_err(|error| {
            Error::new(
                ErrorKind::Internal,
                format!("cannot start {threads} threads: {error}"),
            )
        })?;
    folder.create()?;
    if resumed.is_none() {
        // Only now, when the start model is in memory.
        discard(&folder, &store)?;
    }
    let (record, metrics) = match &resumed {
        Some(checkpoint) => {
            let mut record = RunRecord::read(&folder.run())?;
            let step = checkpoint.state.step;
            record.resumed_at.push(step);
            // Later ones will be measured again.
            record.scores.retain(|score| score.step <= step);
            (record.finished, record.output) = (None, Vec::new());
            record.status = Status::Running;
            let metrics = MetricsWriter::resume(&folder.metrics(), step)?;
            (record, metrics)
        }
        None => (
            RunRecord::begin(
                options.command.clone(),
                config.clone(),
                start.record.clone(),
                Environment::detect(threads, &config.device.to_string()),
            ),
            MetricsWriter::create(&folder.metrics())?,
        ),
    };
    let mut run = Run {
        config,
        folder,
        store,
        digest,
        start,
        record,
        metrics,
        progress,
        articles: options.articles.clone(),
        teachers: options.teachers.clone(),
        step: resumed.as_ref().map_or(0, |found| found.state.step),
    };
    run.record.write(&run.folder.run())?;
    let ended = pool.install(|| stages(&mut run, resumed));
    run.close(ended)
}

/// A run under way.
pub(super) struct Run<'a> {
    pub(super) config: &'a TrainConfig,
    pub(super) folder: RunFolder,
    pub(super) store: CheckpointStore,
    pub(super) digest: String,
    pub(super) start: Start,
    pub(super) record: RunRecord,
    pub(super) metrics: MetricsWriter,
    pub(super) progress: &'a dyn Progress,
    pub(super) articles: Option<ArticleSource>,
    pub(super) teachers: TeacherFolders,
    /// Steps done, over all stages.
    pub(super) step: u64,
}

/// The checkpoint to go on from, after a look at what is in the folder.
fn resumed(
    folder: &RunFolder,
    store: &CheckpointStore,
    options: &RunOptions,
    digest: &str,
) -> Result<Option<Checkpoint>> {
    if options.resume {
        let finished = RunRecord::read(&folder.run()).map(|record| record.status);
        if matches!(finished, Ok(Status::Finished)) {
            return Err(Error::new(
                ErrorKind::InvalidInput,
                format!(
                    "the run in {} is finished, its model is {}; there is nothing to resume",
                    folder.root().display(),
                    folder.model().display()
                ),
            ));
        }
        let Some(checkpoint) = store.load_newest()? else {
            return Err(Error::new(
                ErrorKind::NotFound,
                format!(
                    "{} holds no checkpoint to resume; begin anew, without --resume and with \
                     --overwrite where a run is recorded there",
                    folder.root().display()
                ),
            ));
        };
        store.check_configuration(&checkpoint, digest)?;
        return Ok(Some(checkpoint));
    }
    if folder.run().exists() && !options.overwrite && !never_began(folder) {
        return Err(Error::new(
            ErrorKind::InvalidInput,
            format!(
                "{} holds a run already; go on with it by --resume, replace it by --overwrite, \
                 or name another folder in `output`",
                folder.root().display()
            ),
        ));
    }
    Ok(None)
}

/// Whether the recorded run failed before its first step, so that nothing is
/// lost with it.
fn never_began(folder: &RunFolder) -> bool {
    let status = RunRecord::read(&folder.run()).map(|record| record.status);
    matches!(status, Ok(Status::Failed { step: 0, .. }))
}

/// Refuses to begin a run whose start model goes with what the run replaces.
fn refuse_base_inside(folder: &RunFolder, model: Option<&Path>, resumed: bool) -> Result<()> {
    let whole = |path: &Path| path.canonicalize().ok();
    let (Some(base), Some(root)) = (model.and_then(whole), whole(folder.root())) else {
        return Ok(());
    };
    if resumed || !base.starts_with(&root) {
        return Ok(());
    }
    Err(Error::invalid(
        "output",
        format!(
            "the start model {} lies in the output folder, whose models a new run replaces; \
             name another folder in `output`",
            base.display()
        ),
    ))
}

/// Removes what an earlier run left, so that nothing of it can be taken for
/// the new one's.
fn discard(folder: &RunFolder, store: &CheckpointStore) -> Result<()> {
    for (_, dir) in store.list()? {
        remove_folder(&dir)?;
    }
    remove_folder(&folder.model())?;
    remove_folder(&folder.root().join("stages"))?;
    let entries = std::fs::read_dir(folder.root())
        .map_err(|error| Error::io("read", folder.root(), error))?;
    for path in entries.flatten().map(|entry| entry.path()) {
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        if name.starts_with("best-") && name.ends_with(".safetensors") {
            std::fs::remove_file(&path).map_err(|error| Error::io("remove", &path, error))?;
        }
    }
    Ok(())
}

/// Says at which step the run was stopped, if it was.
fn stages(run: &mut Run<'_>, mut resumed: Option<Checkpoint>) -> Result<Option<u64>> {
    let mut step = resumed
        .as_ref()
        .map_or(0, |checkpoint| checkpoint.state.step);
    let mut learner = run.start.learner(run.config.device)?;
    let first = resumed
        .as_ref()
        .map_or(0, |checkpoint| checkpoint.state.stage);
    let config = run.config;
    for stage in &config.stages[..first] {
        let model = run.folder.stage_model(&stage.name);
        run.start.take_up_heads(&model)?;
    }
    for (number, stage) in config.stages.iter().enumerate().skip(first) {
        let mut state = StageRun::begin(run, number, stage, &mut learner, step)?;
        if let Some(checkpoint) = resumed.take() {
            state.restore(&mut learner, checkpoint)?;
        }
        match state.learn(run, &mut learner)? {
            End::Stopped => return Ok(Some(state.step())),
            End::Finished => step = state.step(),
        }
        run.start.keep_heads(state.heads())?;
        let left = run.folder.stage_model(&stage.name);
        save_state(run, &learner, &state, &run.start.dense, &left)?;
        run.record.write(&run.folder.run())?;
        if number + 1 == config.stages.len() {
            let Some(dense) = dense(run)? else {
                return Ok(Some(state.step()));
            };
            run.record.finished = Some(now());
            run.record.status = Status::Finished;
            save_state(run, &learner, &state, &dense, &run.folder.model())?;
        }
    }
    if config.stages.is_empty() {
        let Some(dense) = dense(run)? else {
            return Ok(Some(step));
        };
        run.record.finished = Some(now());
        run.record.status = Status::Finished;
        let model = run.folder.model();
        save_model(
            &model,
            config,
            &run.start,
            &learner,
            None,
            &dense,
            &run.record,
        )?;
    }
    Ok(None)
}

/// The linear layers of the finished model: one fitted to what the last stage
/// left, else those of the start model; nothing when the run is stopped
/// meanwhile.
fn dense(run: &mut Run<'_>) -> Result<Option<Vec<Dense>>> {
    let Some(settings) = &run.config.model.whitening else {
        return Ok(Some(run.start.dense.clone()));
    };
    let model = match (run.config.stages.last(), &run.start.folder) {
        (Some(stage), _) => run.folder.stage_model(&stage.name),
        (None, Some(folder)) => folder.clone(),
        (None, None) => {
            return Err(Error::new(
                ErrorKind::Internal,
                "there is no model to whiten: the run began from none",
            ));
        }
    };
    let layer = whitening::fit(run, settings, &model)?;
    Ok(layer.map(|layer| vec![layer]))
}

/// Writes the model as a stage leaves it.
fn save_state(
    run: &Run<'_>,
    learner: &Learner<PlacedBackbone>,
    state: &StageRun<'_>,
    dense: &[Dense],
    dir: &Path,
) -> Result<()> {
    if state.leaves_the_encoder() {
        copy_model(&run.start, dir)?;
    } else {
        let heads = Some(state.heads());
        save_model(
            dir,
            run.config,
            &run.start,
            learner,
            heads,
            dense,
            &run.record,
        )?;
    }
    state.save_beside(dir)
}

impl Run<'_> {
    /// Records how the run ended.
    fn close(mut self, ended: Result<Option<u64>>) -> Result<RunRecord> {
        match &ended {
            Ok(None) => {
                let model = self.folder.model();
                self.record.enter_output(&model)?;
            }
            Ok(Some(step)) => self.record.status = Status::Stopped { step: *step },
            Err(error) => {
                self.record.status = Status::Failed {
                    step: self.step,
                    reason: error.to_string(),
                };
            }
        }
        self.record.write(&self.folder.run())?;
        let options = PlotOptions {
            title: self.folder.root().display().to_string(),
            log_loss: false,
        };
        let drawing = plot(&read_metrics(&self.folder.metrics())?, &options);
        write_file(&self.folder.plot(), drawing.as_bytes())?;
        ended.map(|_| self.record)
    }
}
