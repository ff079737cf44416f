//! One layer, forward and backward.

use super::{FastBackbone, TASK_ROWS};
use crate::kernel::attention::{Attention, Sequence};
use crate::kernel::dropout::Dropout;
use crate::kernel::{Start, View, activation};
use crate::network::saved::{Normalised, SavedLayer};
use crate::network::{DropoutPass, Tokens, site};
use candle_core::Result;
use rayon::prelude::*;

impl FastBackbone {
    pub(super) fn attention(&self, layer: usize, dropout: Option<DropoutPass>) -> Attention {
        Attention {
            engine: self.engine,
            heads: self.architecture.heads,
            width: self.architecture.head(),
            dropout: self.dropout(dropout, site::probabilities(layer), true),
        }
    }

    pub(super) fn layer(
        &mut self,
        layer: usize,
        input: Vec<f32>,
        tokens: &Tokens,
        dropout: Option<DropoutPass>,
    ) -> Result<(Vec<f32>, SavedLayer)> {
        self.pack(layer)?;
        let (count, hidden) = (tokens.len(), self.architecture.hidden);
        let wide = self.architecture.intermediate;
        let pool = &mut self.pool;
        let mut saved = SavedLayer {
            qkv: pool.take(count * 3 * hidden),
            sums: pool.take(count * self.architecture.heads),
            mixed: pool.take(count * hidden),
            attention: Normalised {
                rows: pool.take(count * hidden),
                deviations: pool.take(count),
            },
            middle: pool.take(count * hidden),
            wide: pool.take(count * wide),
            active: pool.take(count * wide),
            last: Normalised {
                rows: pool.take(count * hidden),
                deviations: pool.take(count),
            },
            input,
        };
        let mut output = pool.take(count * hidden);
        let Some(packed) = &self.packed[layer] else {
            candle_core::bail!("layer {layer} is not packed");
        };
        let engine = self.engine;
        let names = &self.layout.layers[layer];
        let input = View::new(&saved.input, count, hidden);
        engine.multiply(input, &packed.qkv[0], &mut saved.qkv, Start::Fresh);
        let attention = self.attention(layer, dropout);
        let heads = self.architecture.heads;
        let mixed = sequences(tokens, &mut saved.mixed, hidden);
        let sums = sequences(tokens, &mut saved.sums, heads);
        let bounds = tokens.bounds();
        mixed
            .into_par_iter()
            .zip(sums)
            .enumerate()
            .for_each(|(text, (mixed, sums))| {
                attention.forward(sequence(&saved.qkv, bounds, text, hidden), mixed, sums);
            });
        let mixed = View::new(&saved.mixed, count, hidden);
        engine.multiply(
            mixed,
            &packed.output[0],
            &mut saved.attention.rows,
            Start::Fresh,
        );
        let drop = self.dropout(dropout, site::attention(layer), false);
        self.normalise(
            &names.attention_norm,
            [drop, Dropout::OFF],
            Some(&saved.input),
            &mut saved.attention.rows,
            &mut saved.attention.deviations,
            &mut saved.middle,
        )?;
        let middle = View::new(&saved.middle, count, hidden);
        engine.multiply(middle, &packed.widen[0], &mut saved.wide, Start::Fresh);
        let kind = self.architecture.activation;
        saved
            .wide
            .par_chunks(TASK_ROWS * wide)
            .zip(saved.active.par_chunks_mut(TASK_ROWS * wide))
            .for_each(|(from, to)| activation::forward(engine.set(), kind, from, to));
        let active = View::new(&saved.active, count, wide);
        engine.multiply(
            active,
            &packed.narrow[0],
            &mut saved.last.rows,
            Start::Fresh,
        );
        let drop = self.dropout(dropout, site::feed_forward(layer), false);
        self.normalise(
            &names.final_norm,
            [drop, Dropout::OFF],
            Some(&saved.middle),
            &mut saved.last.rows,
            &mut saved.last.deviations,
            &mut output,
        )?;
        Ok((output, saved))
    }

    /// From the gradient of a layer's output to that of its input, in place.
    pub(super) fn layer_back(
        &mut self,
        layer: usize,
        saved: &SavedLayer,
        tokens: &Tokens,
        dropout: Option<DropoutPass>,
        gradient: &mut [f32],
    ) -> Result<()> {
        self.pack(layer)?;
        let (count, hidden) = (tokens.len(), self.architecture.hidden);
        let wide = self.architecture.intermediate;
        let mut branch = self.pool.take(count * hidden);
        let mut inner = self.pool.take(count * wide.max(3 * hidden));
        let mut mixed = self.pool.take(count * hidden);
        let Some(packed) = &self.packed[layer] else {
            candle_core::bail!("layer {layer} is not packed");
        };
        let engine = self.engine;
        let names = self.layout.layers[layer].clone();

        let drop = self.dropout(dropout, site::feed_forward(layer), false);
        let none = Dropout::OFF;
        self.normalise_back(
            &names.final_norm,
            [drop, none],
            &saved.last,
            gradient,
            Some(&mut branch),
        )?;
        let output = View::new(&branch, count, hidden);
        self.linear_gradient(&names.narrow, output, View::new(&saved.active, count, wide))?;
        let active = &mut inner[..count * wide];
        engine.multiply(output, &packed.narrow[1], active, Start::Fresh);
        let kind = self.architecture.activation;
        active
            .par_chunks_mut(TASK_ROWS * wide)
            .zip(saved.wide.par_chunks(TASK_ROWS * wide))
            .for_each(|(gradient, input)| {
                activation::backward(engine.set(), kind, input, gradient);
            });
        let output = View::new(active, count, wide);
        self.linear_gradient(
            &names.widen,
            output,
            View::new(&saved.middle, count, hidden),
        )?;
        engine.multiply(output, &packed.widen[1], gradient, Start::Output);

        let drop = self.dropout(dropout, site::attention(layer), false);
        self.normalise_back(
            &names.attention_norm,
            [drop, none],
            &saved.attention,
            gradient,
            Some(&mut branch),
        )?;
        let output = View::new(&branch, count, hidden);
        self.linear_gradient(
            &names.output,
            output,
            View::new(&saved.mixed, count, hidden),
        )?;
        engine.multiply(output, &packed.output[1], &mut mixed, Start::Fresh);
        let attention = self.attention(layer, dropout);
        let heads = self.architecture.heads;
        let qkv = &mut inner[..count * 3 * hidden];
        let bounds = tokens.bounds();
        sequences(tokens, qkv, 3 * hidden)
            .into_par_iter()
            .enumerate()
            .for_each(|(text, qkv)| {
                let (from, to) = (bounds[text], bounds[text + 1]);
                attention.backward(
                    sequence(&saved.qkv, bounds, text, hidden),
                    &saved.sums[from * heads..to * heads],
                    &mixed[from * hidden..to * hidden],
                    qkv,
                );
            });
        let input = View::new(&saved.input, count, hidden);
        for (part, name) in [&names.query, &names.key, &names.value]
            .into_iter()
            .enumerate()
        {
            let output = View::strided(&qkv[part * hidden..], count, hidden, 3 * hidden);
            self.linear_gradient(name, output, input)?;
        }
        engine.multiply(
            View::new(qkv, count, 3 * hidden),
            &packed.qkv[1],
            gradient,
            Start::Output,
        );
        for buffer in [branch, inner, mixed] {
            self.pool.give(buffer);
        }
        Ok(())
    }
}

/// Cuts rows of `width` numbers into those of each text.
fn sequences<'a>(tokens: &Tokens, mut rows: &'a mut [f32], width: usize) -> Vec<&'a mut [f32]> {
    tokens
        .bounds()
        .windows(2)
        .map(|pair| {
            let (text, rest) = std::mem::take(&mut rows).split_at_mut((pair[1] - pair[0]) * width);
            rows = rest;
            text
        })
        .collect()
}

fn sequence<'a>(qkv: &'a [f32], bounds: &[usize], text: usize, hidden: usize) -> Sequence<'a> {
    let (from, to) = (bounds[text], bounds[text + 1]);
    Sequence {
        qkv: &qkv[from * 3 * hidden..to * 3 * hidden],
        first: from,
        tokens: to - from,
    }
}
