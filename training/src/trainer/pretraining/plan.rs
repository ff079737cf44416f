//! What a stage of pre-training would do, found out without doing it.

use super::objective::classes;
use super::{corpora_of, objective_of};
use crate::config::StageConfig;
use crate::data::corpus::{ArticleSource, Vocabulary};
use crate::network::head::{ROOM, start_heads};
use crate::record::DataRecord;
use crate::trainer::start::Start;
use candle_core::Device;
use medsift::Result;
use medsift::encoder::parts::Layout;

/// What a stage of pre-training takes.
pub(crate) struct PretrainingPlan {
    /// The files of its corpora.
    pub(crate) data: Vec<DataRecord>,
    /// Numbers of its heads that are trained.
    pub(crate) numbers: usize,
    /// Bytes of the logits that are held at once.
    pub(crate) memory: u64,
}

impl PretrainingPlan {
    /// Checks the objective, the vocabulary, the heads and the files.
    pub(crate) fn of(
        stage: &StageConfig,
        start: &Start,
        max_tokens: usize,
        articles: Option<&ArticleSource>,
    ) -> Result<Self> {
        let objective = objective_of(stage, max_tokens)?;
        let settings = objective.settings(max_tokens, 0);
        let vocabulary = Vocabulary::of(start.tokenizer.inner())?;
        settings.masking.check(&vocabulary)?;
        let classes = classes(objective.relations);
        let (architecture, checkpoint) = (&start.architecture, &start.others);
        let heads = start_heads(architecture, checkpoint, classes, 0, &Device::Cpu)?;
        let layout = Layout::of(architecture);
        let trained = heads
            .parameters
            .iter()
            .filter(|parameter| !stage.parameter(&parameter.name, &layout).frozen);
        let numbers = trained.map(|parameter| parameter.value.elem_count()).sum();
        let places = stage.batch.min(stage.micro_batch_tokens) * max_tokens;
        let logits = (places * architecture.vocabulary).min(ROOM);
        Ok(Self {
            data: corpora_of(stage, articles.cloned())?.records(&stage.name)?,
            numbers,
            memory: 4 * logits as u64,
        })
    }
}
