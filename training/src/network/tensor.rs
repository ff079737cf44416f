//! The network as tensor operations, on every device, with gradients by
//! candle.
//!
//! Layer normalisation and softmax are put together from elementary
//! operations, because candle's fused ones have no gradient.

use super::{Backbone, DropoutPass, Parameters, Tokens, embedding, site};
use crate::kernel::dropout::Dropout;
use candle_core::{D, DType, Device, Result, Tensor};
use medsift::encoder::parts::kernel::Activation;
use medsift::encoder::parts::{Architecture, LayerNames, Layout};

/// A network of tensors.
#[derive(Debug)]
pub struct TensorBackbone {
    architecture: Architecture,
    layout: Layout,
    parameters: Parameters,
    device: Device,
}

/// Where the tokens of a pass stand when texts are filled up to the longest.
struct Filled {
    texts: usize,
    longest: usize,
    /// For each place, the token there; the first where there is none.
    tokens: Tensor,
    /// For each token, its place.
    places: Tensor,
    /// Added to attention scores, `texts × 1 × 1 × longest`.
    mask: Tensor,
}

impl Filled {
    fn of(tokens: &Tokens, device: &Device) -> Result<Self> {
        let bounds = tokens.bounds();
        let texts = tokens.texts();
        let longest = bounds.windows(2).map(|p| p[1] - p[0]).max().unwrap_or(0);
        let mut at = vec![0u32; texts * longest];
        let mut places = Vec::with_capacity(tokens.len());
        let mut mask = vec![f32::MIN; texts * longest];
        for (text, pair) in bounds.windows(2).enumerate() {
            for token in pair[0]..pair[1] {
                let place = text * longest + token - pair[0];
                at[place] = token as u32;
                mask[place] = 0.0;
                places.push(place as u32);
            }
        }
        Ok(Self {
            texts,
            longest,
            tokens: Tensor::from_vec(at, texts * longest, device)?,
            places: Tensor::from_vec(places, tokens.len(), device)?,
            mask: Tensor::from_vec(mask, (texts, 1, 1, longest), device)?,
        })
    }
}

impl TensorBackbone {
    /// A network over parameters on a device.
    pub fn new(architecture: Architecture, parameters: Parameters, device: &Device) -> Self {
        Self {
            layout: Layout::of(&architecture),
            architecture,
            parameters,
            device: device.clone(),
        }
    }

    fn tensor(&self, name: &str, part: &str) -> Result<Tensor> {
        let parameter = self.parameters.get(&format!("{name}.{part}"))?;
        Ok(if parameter.trained {
            parameter.value.as_tensor().clone()
        } else {
            parameter.value.as_detached_tensor()
        })
    }

    fn linear(&self, name: &str, input: &Tensor) -> Result<Tensor> {
        input
            .matmul(&self.tensor(name, "weight")?.t()?)?
            .broadcast_add(&self.tensor(name, "bias")?)
    }

    fn norm(&self, name: &str, input: &Tensor) -> Result<Tensor> {
        let apart = input.broadcast_sub(&input.mean_keepdim(D::Minus1)?)?;
        let variance = apart.sqr()?.mean_keepdim(D::Minus1)?;
        apart
            .broadcast_div(&(variance + f64::from(self.architecture.epsilon))?.sqrt()?)?
            .broadcast_mul(&self.tensor(name, "weight")?)?
            .broadcast_add(&self.tensor(name, "bias")?)
    }

    /// Dropout on states, `tokens × hidden`.
    fn drop(&self, states: Tensor, pass: Option<DropoutPass>, site: u64) -> Result<Tensor> {
        let Some(pass) = pass.filter(|pass| pass.hidden > 0.0) else {
            return Ok(states);
        };
        if !self.device.is_cpu() {
            return candle_nn::ops::dropout(&states, pass.hidden);
        }
        let (rows, width) = states.dims2()?;
        let dropout = Dropout::new(pass.seed, site, pass.hidden);
        let mut mask = vec![1.0; rows * width];
        for (row, mask) in mask.chunks_exact_mut(width).enumerate() {
            dropout.apply(row, mask);
        }
        states * Tensor::from_vec(mask, (rows, width), &self.device)?
    }

    /// Dropout on probabilities, `texts × heads × longest × longest`.
    fn drop_probabilities(
        &self,
        p: Tensor,
        tokens: &Tokens,
        pass: Option<DropoutPass>,
        layer: usize,
    ) -> Result<Tensor> {
        let Some(pass) = pass.filter(|pass| pass.attention > 0.0) else {
            return Ok(p);
        };
        if !self.device.is_cpu() {
            return candle_nn::ops::dropout(&p, pass.attention);
        }
        let (texts, heads, longest, _) = p.dims4()?;
        let dropout = Dropout::new(pass.seed, site::probabilities(layer), pass.attention);
        let mut mask = vec![1.0; texts * heads * longest * longest];
        for (text, pair) in tokens.bounds().windows(2).enumerate() {
            let count = pair[1] - pair[0];
            for head in 0..heads {
                for row in 0..count {
                    let at = ((text * heads + head) * longest + row) * longest;
                    let number = pair[0] * heads + head * count + row;
                    dropout.apply(number, &mut mask[at..at + count]);
                }
            }
        }
        p * Tensor::from_vec(mask, (texts, heads, longest, longest), &self.device)?
    }

    fn embed(&self, tokens: &Tokens) -> Result<Tensor> {
        let count = tokens.len();
        let index = |numbers: Vec<u32>| Tensor::from_vec(numbers, count, &self.device);
        let ids = index(tokens.ids().to_vec())?;
        let first = self.architecture.first_position;
        let positions = tokens
            .bounds()
            .windows(2)
            .flat_map(|pair| (0..pair[1] - pair[0]).map(|at| (first + at) as u32))
            .collect();
        let mut sum = (self
            .tensor(&self.layout.words, "weight")?
            .index_select(&ids, 0)?
            + self
                .tensor(&self.layout.positions, "weight")?
                .index_select(&index(positions)?, 0)?)?;
        if let Some(types) = &self.layout.token_types {
            let which = index((0..count).map(|token| tokens.token_type(token)).collect())?;
            sum = (sum + self.tensor(types, "weight")?.index_select(&which, 0)?)?;
        }
        self.norm(&self.layout.embedding_norm, &sum)
    }

    fn layer(
        &self,
        layer: usize,
        states: &Tensor,
        tokens: &Tokens,
        filled: &Filled,
        dropout: Option<DropoutPass>,
    ) -> Result<Tensor> {
        let names = &self.layout.layers[layer];
        let mixed = self.attention(layer, names, states, tokens, filled, dropout)?;
        let dense = self.linear(&names.output, &mixed)?;
        let states = (self.drop(dense, dropout, site::attention(layer))? + states)?;
        let states = self.norm(&names.attention_norm, &states)?;
        let wide = activate(
            self.architecture.activation,
            &self.linear(&names.widen, &states)?,
        )?;
        let dense = self.linear(&names.narrow, &wide)?;
        let sum = (self.drop(dense, dropout, site::feed_forward(layer))? + states)?;
        self.norm(&names.final_norm, &sum)
    }

    fn attention(
        &self,
        layer: usize,
        names: &LayerNames,
        states: &Tensor,
        tokens: &Tokens,
        filled: &Filled,
        dropout: Option<DropoutPass>,
    ) -> Result<Tensor> {
        let (heads, width) = (self.architecture.heads, self.architecture.head());
        let split = |name: &str| {
            self.linear(name, states)?
                .index_select(&filled.tokens, 0)?
                .reshape((filled.texts, filled.longest, heads, width))?
                .transpose(1, 2)?
                .contiguous()
        };
        let (query, key, value) = (
            split(&names.query)?,
            split(&names.key)?,
            split(&names.value)?,
        );
        let scores = (query.matmul(&key.t()?)? / (width as f64).sqrt())?;
        let scores = scores.broadcast_add(&filled.mask)?;
        let p = candle_nn::ops::softmax(&scores, D::Minus1)?;
        self.drop_probabilities(p, tokens, dropout, layer)?
            .matmul(&value)?
            .transpose(1, 2)?
            .reshape((filled.texts * filled.longest, heads * width))?
            .index_select(&filled.places, 0)
    }
}

fn activate(activation: Activation, input: &Tensor) -> Result<Tensor> {
    match activation {
        Activation::Gelu => input.gelu_erf(),
        Activation::GeluTanh => input.gelu(),
        Activation::Relu => input.relu(),
        Activation::Silu => input.silu(),
    }
}

impl Backbone for TensorBackbone {
    /// The states with the graph behind them.
    type Pass = Tensor;

    fn architecture(&self) -> &Architecture {
        &self.architecture
    }

    fn parameters(&self) -> &Parameters {
        &self.parameters
    }

    fn parameters_mut(&mut self) -> &mut Parameters {
        &mut self.parameters
    }

    fn values_changed(&mut self) {}

    fn device(&self) -> &Device {
        &self.device
    }

    fn forward(
        &mut self,
        tokens: &Tokens,
        dropout: Option<DropoutPass>,
    ) -> Result<(Tensor, Tensor)> {
        embedding::check(tokens, &self.architecture)?;
        if let (Some(pass), false) = (dropout, self.device.is_cpu()) {
            // The same pass, run again, has to drop the same.
            self.device.set_seed(pass.seed)?;
        }
        let filled = Filled::of(tokens, &self.device)?;
        let mut states = self.drop(self.embed(tokens)?, dropout, site::EMBEDDING)?;
        for layer in 0..self.architecture.layers {
            states = self.layer(layer, &states, tokens, &filled, dropout)?;
        }
        Ok((states.detach(), states))
    }

    fn backward(&mut self, pass: Tensor, gradient: &Tensor) -> Result<()> {
        let gradients = (pass * gradient)?
            .sum_all()?
            .to_dtype(DType::F32)?
            .backward()?;
        let found: Vec<(String, Tensor)> = self
            .parameters
            .iter()
            .filter_map(|p| Some((p.name.clone(), gradients.get(p.value.as_tensor())?.clone())))
            .collect();
        for (name, gradient) in found {
            self.parameters.add_gradient(&name, &gradient)?;
        }
        Ok(())
    }
}
