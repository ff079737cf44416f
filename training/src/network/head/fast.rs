//! The head of masked tokens on this processor's kernels.
//!
//! Logits lie as `words × places` and are computed by parts of the
//! vocabulary, each by one thread: the table of word embeddings is then read
//! as it lies, forward and for its own gradient. Parts do not depend on the
//! number of threads, and are joined in order, so that neither does the sum.

use super::{Context, Sums, name};
use crate::kernel::cross_entropy::{Normaliser, gradient, scan};
use crate::kernel::dropout::Dropout;
use crate::kernel::norm::Norm;
use crate::kernel::{Engine, Start, View, activation, norm};
use crate::network::{Numbers, Parameters, change};
use candle_core::{Result, Tensor};
use rayon::prelude::*;

/// Fewest words of a part of the vocabulary.
const PART: usize = 512;
/// Most parts of a vocabulary: each has a gradient of the places of its own.
const PARTS: usize = 16;

/// Adds the loss of the masked places' states to the sums. With a share, adds
/// to the gradients of the head and of the word embeddings, and gives the
/// gradient at those states.
pub(super) fn masked(
    context: &Context<'_>,
    engine: Engine,
    rows: &Tensor,
    labels: &[u32],
    share: Option<f64>,
    memory: &mut Vec<f32>,
    sums: &mut Sums,
) -> Result<Option<Tensor>> {
    let words = context.network.get(&context.words)?;
    let (vocabulary, hidden) = words.value.dims2()?;
    let head = Head {
        context,
        engine,
        vocabulary,
        hidden,
    };
    let rows = Numbers::of(rows)?;
    let piece = (context.room / vocabulary).clamp(1, labels.len());
    let mut back = vec![0.0; if share.is_some() { rows.len() } else { 0 }];
    for (number, labels) in labels.chunks(piece).enumerate() {
        let range = number * piece * hidden..(number * piece + labels.len()) * hidden;
        let rows = &rows[range.clone()];
        let logits = vocabulary * labels.len();
        if memory.len() < logits {
            memory.resize(logits, 0.0);
        }
        // What is left over from before is written over.
        let memory = &mut memory[..logits];
        let passed = head.transform(rows, labels.len())?;
        let logarithms = head.decode(&passed.output, labels, memory, sums)?;
        let Some(share) = share else {
            continue;
        };
        let mut slope =
            head.decode_back(&passed.output, labels, &logarithms, share as f32, memory)?;
        head.transform_back(rows, &passed, &mut slope, &mut back[range])?;
    }
    if share.is_none() {
        return Ok(None);
    }
    Tensor::from_vec(back, (labels.len(), hidden), &candle_core::Device::Cpu).map(Some)
}

struct Head<'a> {
    context: &'a Context<'a>,
    engine: Engine,
    vocabulary: usize,
    hidden: usize,
}

/// What the transform leaves for its way back; `r` places, width `h`.
struct Passed {
    /// Behind the dense layer, `r × h`.
    dense: Vec<f32>,
    /// Normalised rows before scale and shift, `r × h`.
    normalised: Vec<f32>,
    /// A factor for each row.
    deviations: Vec<f32>,
    /// `r × h`.
    output: Vec<f32>,
}

impl Head<'_> {
    /// Words of a part of the vocabulary.
    fn part(&self) -> usize {
        self.vocabulary.div_ceil(PARTS).max(PART)
    }

    fn value(&self, module: &str, part: &str) -> Result<Numbers<'_>> {
        let heads: &Parameters = self.context.heads;
        Numbers::of(&heads.get(&format!("{module}.{part}"))?.value)
    }

    fn norm<'n>(&self, scale: &'n [f32], shift: &'n [f32]) -> Norm<'n> {
        Norm {
            scale,
            shift,
            epsilon: self.context.epsilon,
            before: Dropout::OFF,
            after: Dropout::OFF,
            first: 0,
        }
    }

    /// Dense layer, activation, layer normalisation.
    fn transform(&self, rows: &[f32], count: usize) -> Result<Passed> {
        let (hidden, set) = (self.hidden, self.engine.set());
        let weight = self.value(name::DENSE, "weight")?;
        let bias = self.value(name::DENSE, "bias")?;
        let dense = self
            .engine
            .pack(View::new(&weight, hidden, hidden).t(), Some(&bias));
        let mut passed = Passed {
            dense: vec![0.0; count * hidden],
            normalised: vec![0.0; count * hidden],
            deviations: vec![0.0; count],
            output: vec![0.0; count * hidden],
        };
        let rows = View::new(rows, count, hidden);
        self.engine
            .multiply(rows, &dense, &mut passed.dense, Start::Fresh);
        activation::forward(
            set,
            self.context.activation,
            &passed.dense,
            &mut passed.normalised,
        );
        let scale = self.value(name::NORM, "weight")?;
        let shift = self.value(name::NORM, "bias")?;
        norm::forward(
            set,
            self.norm(&scale, &shift),
            None,
            &mut passed.normalised,
            &mut passed.deviations,
            &mut passed.output,
        );
        Ok(passed)
    }

    /// Logits of all words into `memory`, `words × places`, the losses into
    /// the sums; gives the logarithm of each place's normaliser.
    fn decode(
        &self,
        states: &[f32],
        labels: &[u32],
        memory: &mut [f32],
        sums: &mut Sums,
    ) -> Result<Vec<f32>> {
        let (places, hidden, part) = (labels.len(), self.hidden, self.part());
        let words = Numbers::of(&self.context.network.get(&self.context.words)?.value)?;
        let bias = Numbers::of(&self.context.heads.get(name::BIAS)?.value)?;
        let engine = self.engine;
        let parts: Vec<Normaliser> = memory
            .par_chunks_mut(part * places)
            .zip(words.par_chunks(part * hidden))
            .zip(bias.par_chunks(part))
            .map(|((logits, words), bias)| {
                let words = View::new(words, bias.len(), hidden);
                let states = View::new(states, places, hidden).t();
                engine.product_alone(words, states, logits, Start::Fresh);
                let mut normaliser = Normaliser::empty(places);
                let Normaliser { largest, sum } = &mut normaliser;
                scan(engine.set(), logits, bias, largest, sum);
                normaliser
            })
            .collect();
        let mut whole = Normaliser::empty(places);
        parts.iter().for_each(|part| whole.merge(part));
        let logarithms = whole.logarithms();
        for (place, &label) in labels.iter().enumerate() {
            let logit = memory[label as usize * places + place];
            sums.masked += f64::from(logarithms[place]) - f64::from(logit);
            sums.masked_right += usize::from(logit >= whole.largest[place]);
        }
        Ok(logarithms)
    }

    /// From the logits in `memory`, which become their gradient, to the
    /// gradients of word embeddings and bias, and of the places' states, which
    /// is given.
    fn decode_back(
        &self,
        states: &[f32],
        labels: &[u32],
        logarithms: &[f32],
        share: f32,
        memory: &mut [f32],
    ) -> Result<Vec<f32>> {
        let (places, hidden, part) = (labels.len(), self.hidden, self.part());
        let table = self.context.network.get(&self.context.words)?;
        let bias = self.context.heads.get(name::BIAS)?;
        let words = Numbers::of(&table.value)?;
        let engine = self.engine;
        let one_part = |number: usize,
                        slopes: &mut [f32],
                        words: &[f32],
                        word_sums: Option<&mut [f32]>,
                        bias_sums: &mut [f32]| {
            gradient(engine.set(), slopes, logarithms, share, bias_sums);
            let first = number * part;
            let count = bias_sums.len();
            for (place, &label) in labels.iter().enumerate() {
                if let Some(row) = (label as usize)
                    .checked_sub(first)
                    .filter(|&row| row < count)
                {
                    slopes[row * places + place] -= share;
                    bias_sums[row] -= share;
                }
            }
            let slopes = View::new(slopes, count, places);
            if let Some(sums) = word_sums {
                let states = View::new(states, places, hidden);
                engine.product_alone(slopes, states, sums, Start::Output);
            }
            let mut back = vec![0.0; places * hidden];
            let words = View::new(words, count, hidden);
            engine.product_alone(slopes.t(), words, &mut back, Start::Fresh);
            back
        };
        let parts: Vec<Vec<f32>> = change(&table.gradient, |word_sums| {
            change(&bias.gradient, |bias_sums| {
                let word_sums: Vec<Option<&mut [f32]>> = word_sums
                    .chunks_mut(part * hidden)
                    .map(|sums| table.trained.then_some(sums))
                    .collect();
                memory
                    .par_chunks_mut(part * places)
                    .zip(words.par_chunks(part * hidden))
                    .zip(word_sums)
                    .zip(bias_sums.par_chunks_mut(part))
                    .enumerate()
                    .map(|(number, (((slopes, words), word_sums), bias_sums))| {
                        one_part(number, slopes, words, word_sums, bias_sums)
                    })
                    .collect()
            })
        })??;
        let mut parts = parts.into_iter();
        let mut sum = parts.next().unwrap_or_default();
        for part in parts {
            sum.iter_mut().zip(&part).for_each(|(sum, x)| *sum += x);
        }
        Ok(sum)
    }

    /// From the gradient of the transform's output, which is used up, to those
    /// of its layers and of its input, which is written to `back`.
    fn transform_back(
        &self,
        rows: &[f32],
        passed: &Passed,
        slope: &mut [f32],
        back: &mut [f32],
    ) -> Result<()> {
        let (hidden, set) = (self.hidden, self.engine.set());
        let count = passed.deviations.len();
        let scale = self.value(name::NORM, "weight")?;
        let shift = self.value(name::NORM, "bias")?;
        let mut sums = (vec![0.0; hidden], vec![0.0; hidden]);
        norm::backward(
            set,
            self.norm(&scale, &shift),
            &passed.normalised,
            &passed.deviations,
            slope,
            None,
            &mut sums.0,
            &mut sums.1,
        );
        self.add(name::NORM, "weight", &sums.0)?;
        self.add(name::NORM, "bias", &sums.1)?;
        activation::backward(set, self.context.activation, &passed.dense, slope);
        let slope = View::new(slope, count, hidden);
        self.add(name::DENSE, "bias", &slope.column_sums())?;
        let weight = self.context.heads.get(&format!("{}.weight", name::DENSE))?;
        let input = View::new(rows, count, hidden);
        if weight.trained {
            change(&weight.gradient, |sums| {
                self.engine.product(slope.t(), input, sums, Start::Output);
            })?;
        }
        let weight = Numbers::of(&weight.value)?;
        let weight = View::new(&weight, hidden, hidden);
        self.engine.product(slope, weight, back, Start::Fresh);
        Ok(())
    }

    fn add(&self, module: &str, part: &str, gradient: &[f32]) -> Result<()> {
        let parameter = self.context.heads.get(&format!("{module}.{part}"))?;
        change(&parameter.gradient, |sums| {
            sums.iter_mut().zip(gradient).for_each(|(sum, x)| *sum += x);
        })
    }
}
