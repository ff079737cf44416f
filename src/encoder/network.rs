//! The network as tensor operations: every device, every batch shape, and
//! gradients. The fast path in `inference.rs` is checked against it.
//!
//! Layer normalisation and softmax are put together from elementary
//! operations, because candle's fused ones have no gradient.

use super::architecture::Architecture;
use super::distance::class;
use super::kernel::Activation;
use super::layout::{LayerNames, Layout};
use super::weights::{Weights, internal};
use crate::Result;
use candle_core::{D, DType, Tensor};

/// A BERT-like network.
#[derive(Debug)]
pub(super) struct Network {
    architecture: Architecture,
    words: Tensor,
    positions: Tensor,
    token_types: Option<Tensor>,
    norm: Norm,
    /// Table of relative positions.
    distances: Option<Tensor>,
    layers: Vec<Layer>,
}

#[derive(Debug)]
struct Linear {
    weight: Tensor,
    bias: Tensor,
}

#[derive(Debug)]
struct Norm {
    scale: Tensor,
    shift: Tensor,
}

#[derive(Debug)]
struct Layer {
    query: Linear,
    key: Linear,
    value: Linear,
    output: Linear,
    attention_norm: Norm,
    widen: Linear,
    narrow: Linear,
    final_norm: Norm,
}

impl Network {
    /// Puts the network together from loaded parameters.
    pub(super) fn new(weights: &Weights, architecture: &Architecture) -> Result<Self> {
        let layout = Layout::of(architecture);
        let table = |name: &String| weights.tensor(&format!("{name}.weight"));
        Ok(Self {
            architecture: architecture.clone(),
            words: table(&layout.words)?,
            positions: table(&layout.positions)?,
            token_types: layout.token_types.as_ref().map(table).transpose()?,
            norm: Norm::new(weights, &layout.embedding_norm)?,
            distances: layout.distances.as_ref().map(table).transpose()?,
            layers: layout
                .layers
                .iter()
                .map(|names| Layer::new(weights, names))
                .collect::<Result<_>>()?,
        })
    }

    /// States of the last layer, `texts × longest × hidden`.
    ///
    /// Texts are filled up to the longest; filled places are masked.
    pub(super) fn forward(&self, texts: &[&[u32]]) -> Result<Tensor> {
        self.states(texts).map_err(|error| internal(&error))
    }

    fn states(&self, texts: &[&[u32]]) -> candle_core::Result<Tensor> {
        let longest = texts.iter().map(|ids| ids.len()).max().unwrap_or(0);
        let device = self.words.device();
        let mut ids = Vec::with_capacity(texts.len() * longest);
        let mut mask = Vec::with_capacity(texts.len() * longest);
        for text in texts {
            let filling = longest - text.len();
            ids.extend_from_slice(text);
            ids.extend(std::iter::repeat_n(0, filling));
            mask.extend(std::iter::repeat_n(0f32, text.len()));
            mask.extend(std::iter::repeat_n(f32::MIN, filling));
        }
        let ids = Tensor::from_vec(ids, (texts.len(), longest), device)?;
        let mask = Tensor::from_vec(mask, (texts.len(), 1, 1, longest), device)?;
        let mask = match &self.distances {
            Some(table) => mask.broadcast_add(&self.distances(table, longest)?)?,
            None => mask,
        };
        let mut states = self.embed(&ids)?;
        for layer in &self.layers {
            states = layer.forward(&states, &mask, &self.architecture)?;
        }
        Ok(states)
    }

    /// What the scores of each head get, `1 × heads × queries × keys`.
    fn distances(&self, table: &Tensor, longest: usize) -> candle_core::Result<Tensor> {
        let pairs = (0..longest).flat_map(|query| (0..longest).map(move |key| (query, key)));
        let classes: Vec<u32> = pairs
            .map(|(query, key)| class(query, key, self.architecture.distances) as u32)
            .collect();
        let classes = Tensor::new(classes, table.device())?;
        table
            .index_select(&classes, 0)?
            .reshape((1, longest, longest, ()))?
            .permute((0, 3, 1, 2))?
            .contiguous()
    }

    fn embed(&self, ids: &Tensor) -> candle_core::Result<Tensor> {
        let (texts, longest) = ids.dims2()?;
        let words =
            self.words
                .index_select(&ids.flatten_all()?, 0)?
                .reshape((texts, longest, ()))?;
        let first = self.architecture.first_position;
        let mut sum = words.broadcast_add(&self.positions.narrow(0, first, longest)?)?;
        if let Some(types) = &self.token_types {
            sum = sum.broadcast_add(&types.narrow(0, 0, 1)?)?;
        }
        self.norm.forward(&sum, self.architecture.epsilon)
    }
}

impl Linear {
    fn new(weights: &Weights, name: &str) -> Result<Self> {
        Ok(Self {
            weight: weights.tensor(&format!("{name}.weight"))?,
            bias: weights.tensor(&format!("{name}.bias"))?,
        })
    }

    fn forward(&self, input: &Tensor) -> candle_core::Result<Tensor> {
        let (texts, tokens, width) = input.dims3()?;
        input
            .reshape((texts * tokens, width))?
            .matmul(&self.weight.t()?)?
            .broadcast_add(&self.bias)?
            .reshape((texts, tokens, ()))
    }
}

impl Norm {
    fn new(weights: &Weights, name: &str) -> Result<Self> {
        Ok(Self {
            scale: weights.tensor(&format!("{name}.weight"))?,
            shift: weights.tensor(&format!("{name}.bias"))?,
        })
    }

    fn forward(&self, input: &Tensor, epsilon: f32) -> candle_core::Result<Tensor> {
        let apart = input.broadcast_sub(&input.mean_keepdim(D::Minus1)?)?;
        let variance = apart.sqr()?.mean_keepdim(D::Minus1)?;
        apart
            .broadcast_div(&(variance + f64::from(epsilon))?.sqrt()?)?
            .broadcast_mul(&self.scale)?
            .broadcast_add(&self.shift)
    }
}

impl Layer {
    fn new(weights: &Weights, names: &LayerNames) -> Result<Self> {
        Ok(Self {
            query: Linear::new(weights, &names.query)?,
            key: Linear::new(weights, &names.key)?,
            value: Linear::new(weights, &names.value)?,
            output: Linear::new(weights, &names.output)?,
            attention_norm: Norm::new(weights, &names.attention_norm)?,
            widen: Linear::new(weights, &names.widen)?,
            narrow: Linear::new(weights, &names.narrow)?,
            final_norm: Norm::new(weights, &names.final_norm)?,
        })
    }

    fn forward(
        &self,
        states: &Tensor,
        mask: &Tensor,
        architecture: &Architecture,
    ) -> candle_core::Result<Tensor> {
        let epsilon = architecture.epsilon;
        let mixed = self.attention(states, mask, architecture)?;
        let states = (self.output.forward(&mixed)? + states)?;
        let states = self.attention_norm.forward(&states, epsilon)?;
        let wide = activate(architecture.activation, &self.widen.forward(&states)?)?;
        let narrow = (self.narrow.forward(&wide)? + states)?;
        self.final_norm.forward(&narrow, epsilon)
    }

    fn attention(
        &self,
        states: &Tensor,
        mask: &Tensor,
        architecture: &Architecture,
    ) -> candle_core::Result<Tensor> {
        let (texts, tokens, hidden) = states.dims3()?;
        let (heads, width) = (architecture.heads, architecture.head());
        let split = |linear: &Linear| {
            linear
                .forward(states)?
                .reshape((texts, tokens, heads, width))?
                .transpose(1, 2)?
                .contiguous()
        };
        let (query, key, value) = (split(&self.query)?, split(&self.key)?, split(&self.value)?);
        let scores = (query.matmul(&key.t()?)? / (width as f64).sqrt())?;
        let scores = scores.broadcast_add(mask)?.to_dtype(DType::F32)?;
        candle_nn::ops::softmax(&scores, D::Minus1)?
            .matmul(&value)?
            .transpose(1, 2)?
            .reshape((texts, tokens, hidden))
    }
}

fn activate(activation: Activation, input: &Tensor) -> candle_core::Result<Tensor> {
    match activation {
        Activation::Gelu => input.gelu_erf(),
        Activation::GeluTanh => input.gelu(),
        Activation::Relu => input.relu(),
        Activation::Silu => input.silu(),
    }
}
