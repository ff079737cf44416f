//! The heads of BERT's pre-training (Devlin et al. 2019,
//! <https://aclanthology.org/N19-1423>) over an encoder's states.
//!
//! Masked tokens: a dense layer, the encoder's activation and layer
//! normalisation, then a decoder whose weights are the table of word
//! embeddings, with a bias of its own. Relation of two segments: a dense layer
//! with tanh over the first state (the pooler), then a linear layer.
//!
//! [`step`] gives the losses and takes them back to the states; [`measure`]
//! gives the losses alone. The masked head runs on the kernels where the
//! network does (`fast`), else on tensor operations (`plain`); the tests
//! hold the two equal.

mod fast;
mod plain;
mod relation;
#[cfg(test)]
mod tests;
mod weights;

pub(crate) use weights::checkpoint_classes;
pub use weights::{StartHeads, classes, start_heads};

use super::{Backbone, Parameters};
use candle_core::{Result, Tensor, bail};
use medsift::encoder::parts::Layout;

/// Names of the heads' modules, as `BertForPreTraining` has them.
mod name {
    pub(super) const DENSE: &str = "cls.predictions.transform.dense";
    pub(super) const NORM: &str = "cls.predictions.transform.LayerNorm";
    pub(super) const BIAS: &str = "cls.predictions.bias";
    pub(super) const POOLER: &str = "pooler.dense";
    pub(super) const RELATION: &str = "cls.seq_relationship";
}

/// What the heads are to find in some texts. Rows are those of the states,
/// `tokens × hidden`.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Targets {
    /// Rows of the masked places.
    pub masked: Vec<u32>,
    /// The token of each masked place.
    pub labels: Vec<u32>,
    /// Row of each text's first token.
    pub first: Vec<u32>,
    /// What the second segment of each text is to its first.
    pub relations: Vec<u32>,
}

/// What one masked place and one text weigh in the loss that is minimised:
/// for means, one over their number in the whole batch.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Shares {
    /// Of a masked place.
    pub masked: f64,
    /// Of a text.
    pub relation: f64,
}

/// Sums over masked places and texts.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct Sums {
    /// Cross-entropies of the masked places, in nats.
    pub masked: f64,
    /// Masked places whose token is the likeliest.
    pub masked_right: usize,
    /// Cross-entropies of the relations, in nats.
    pub relation: f64,
    /// Texts whose relation is the likeliest.
    pub relation_right: usize,
}

impl Sums {
    /// Takes in another's.
    pub fn add(&mut self, other: &Self) {
        self.masked += other.masked;
        self.masked_right += other.masked_right;
        self.relation += other.relation;
        self.relation_right += other.relation_right;
    }
}

/// What a head's part of a pass needs to know of the network.
struct Context<'a> {
    network: &'a Parameters,
    heads: &'a Parameters,
    /// Name of the table of word embeddings.
    words: String,
    activation: medsift::encoder::parts::kernel::Activation,
    epsilon: f32,
    /// Logits that are held at once, which bounds memory.
    room: usize,
}

/// Logits that are held at once: 64 MiB.
pub(crate) const ROOM: usize = 1 << 24;

/// Gradients that are still to be added, by name.
type Gradients = Vec<(String, Tensor)>;

/// Losses of the heads over a pass' states; nothing is changed. There is no
/// relation's where the heads know none. `memory` is used again from call to
/// call.
///
/// # Errors
/// When a head is missing, a label has no row, or the device fails.
pub fn measure<B: Backbone>(
    network: &B,
    heads: &Parameters,
    states: &Tensor,
    targets: &Targets,
    memory: &mut Vec<f32>,
) -> Result<Sums> {
    let (sums, _, _) = run(network, heads, states, targets, None, memory)?;
    Ok(sums)
}

/// Losses of the heads over a pass' states, cut off from the graph, and the
/// gradient at the states, `tokens × hidden`, for the pass' way back. Adds to
/// the gradients of the heads and of the word embeddings. `memory` is used
/// again from call to call.
///
/// # Errors
/// As [`measure`].
pub fn step<B: Backbone>(
    network: &mut B,
    heads: &mut Parameters,
    states: &Tensor,
    targets: &Targets,
    shares: Shares,
    memory: &mut Vec<f32>,
) -> Result<(Sums, Tensor)> {
    let (sums, gradient, found) = run(network, heads, states, targets, Some(shares), memory)?;
    for (name, gradient) in found {
        if heads.get(&name).is_ok() {
            heads.add_gradient(&name, &gradient)?;
        } else {
            network.parameters_mut().add_gradient(&name, &gradient)?;
        }
    }
    Ok((sums, gradient))
}

fn run<B: Backbone>(
    network: &B,
    heads: &Parameters,
    states: &Tensor,
    targets: &Targets,
    shares: Option<Shares>,
    memory: &mut Vec<f32>,
) -> Result<(Sums, Tensor, Gradients)> {
    let architecture = network.architecture();
    let vocabulary = architecture.vocabulary;
    if targets.masked.len() != targets.labels.len() {
        bail!("a label for each masked place");
    }
    if let Some(label) = targets.labels.iter().find(|&&l| l as usize >= vocabulary) {
        bail!("the token {label} is not among the network's {vocabulary}");
    }
    let context = Context {
        network: network.parameters(),
        heads,
        words: format!("{}.weight", Layout::of(architecture).words),
        activation: architecture.activation,
        epsilon: architecture.epsilon,
        room: ROOM,
    };
    let mut sums = Sums::default();
    let mut gradient = states.zeros_like()?;
    let mut found = Gradients::new();
    if !targets.masked.is_empty() {
        let (index, rows) = gather(states, &targets.masked)?;
        let share = shares.map(|shares| shares.masked);
        let back = match network.engine() {
            Some(engine) => fast::masked(
                &context,
                engine,
                &rows,
                &targets.labels,
                share,
                memory,
                &mut sums,
            )?,
            None => plain::masked(
                &context,
                &rows,
                &targets.labels,
                share,
                &mut sums,
                &mut found,
            )?,
        };
        if let Some(back) = back {
            gradient = gradient.index_add(&index, &back, 0)?;
        }
    }
    if !targets.first.is_empty() && classes(heads).is_some() {
        let (index, rows) = gather(states, &targets.first)?;
        let share = shares.map(|shares| shares.relation);
        let relations = &targets.relations;
        let back = relation::loss(heads, &rows, relations, share, &mut sums, &mut found)?;
        if let Some(back) = back {
            gradient = gradient.index_add(&index, &back, 0)?;
        }
    }
    Ok((sums, gradient, found))
}

/// Some rows, cut off from the graph, and their numbers.
fn gather(states: &Tensor, rows: &[u32]) -> Result<(Tensor, Tensor)> {
    let index = Tensor::new(rows, states.device())?;
    let rows = states.detach().index_select(&index, 0)?;
    Ok((index, rows))
}
