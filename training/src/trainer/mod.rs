//! Runs a training: stages in order, each with its lessons, measured,
//! recorded, saved, and resumed where it stopped.
//!
//! One optimiser step of a sentence stage:
//!
//! 1. the [`Sampler`](crate::data::Sampler) draws a batch of examples;
//! 2. all their texts are tokenised, put into micro-batches of like lengths,
//!    run through the [`Backbone`](crate::network::Backbone) and pooled;
//! 3. the [`Objective`](crate::objective::Objective) turns the vectors of the
//!    whole batch into a loss and its gradient;
//! 4. the micro-batches take their part of the gradient back through the
//!    network, computed again where the batch was too large to be kept (as in
//!    Gao et al., 2021, GradCache), so memory does not grow with the batch;
//! 5. gradients are clipped, and AdamW moves the parameters.
//!
//! A stage of kind `mlm` takes its batches out of a stream of text, and its
//! losses from heads over every masked token and every pair of segments. One
//! of kind `token` learns a tag for each word of a sentence, one of kind `text` a
//! label for a whole text, one of kind `span` where in a passage the answer to a
//! question is. With `[model.whitening]` a linear layer is fitted when all stages
//! are done ([`crate::whitening`]).

mod adaptation;
mod classifier;
mod epochs;
mod evaluation;
mod fit;
mod headed;
mod learner;
mod lesson;
mod plan;
mod pretraining;
mod progress;
mod run;
mod save;
mod sentence;
mod siamese;
mod span;
mod stage;
mod start;
mod teacher;
#[cfg(test)]
mod tests;
mod text;
mod token;
mod whitening;

pub use learner::Learner;
pub use lesson::{Lesson, Outcome};
pub use plan::{Plan, StagePlan, plan};
pub use pretraining::{MaskedModel, MaskedModelOptions, MaskedScores};
pub use progress::{Progress, Silent, StepReport};
pub use run::{RunOptions, train};
pub use teacher::{TeacherFolders, Teaching};
