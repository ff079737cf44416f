//! Layer normalisation of all rows, forward and backward, with all threads.

use super::{FastBackbone, TASK_ROWS};
use crate::kernel::dropout::Dropout;
use crate::kernel::norm::{self, Norm};
use crate::network::saved::Normalised;
use candle_core::Result;
use rayon::prelude::*;

impl FastBackbone {
    pub(super) fn normalise(
        &self,
        name: &str,
        dropout: [Dropout; 2],
        residual: Option<&[f32]>,
        states: &mut [f32],
        deviations: &mut [f32],
        output: &mut [f32],
    ) -> Result<()> {
        let scale = self.value(&format!("{name}.weight"))?;
        let shift = self.value(&format!("{name}.bias"))?;
        let (scale, shift): (&[f32], &[f32]) = (&scale, &shift);
        let hidden = scale.len();
        let part = TASK_ROWS * hidden;
        let set = self.engine.set();
        let epsilon = self.architecture.epsilon;
        states
            .par_chunks_mut(part)
            .zip(deviations.par_chunks_mut(TASK_ROWS))
            .zip(output.par_chunks_mut(part))
            .enumerate()
            .for_each(|(task, ((states, deviations), output))| {
                let norm = Norm {
                    scale,
                    shift,
                    epsilon,
                    before: dropout[0],
                    after: dropout[1],
                    first: task * TASK_ROWS,
                };
                let residual = residual.map(|r| &r[task * part..][..states.len()]);
                norm::forward(set, norm, residual, states, deviations, output);
            });
        Ok(())
    }

    /// From the gradient of a normalised sum to that of the sum, in place, and
    /// of the branch.
    pub(super) fn normalise_back(
        &self,
        name: &str,
        dropout: [Dropout; 2],
        normalised: &Normalised,
        gradient: &mut [f32],
        branch: Option<&mut [f32]>,
    ) -> Result<()> {
        let scale = self.value(&format!("{name}.weight"))?;
        let shift = self.value(&format!("{name}.bias"))?;
        let (scale, shift): (&[f32], &[f32]) = (&scale, &shift);
        let hidden = scale.len();
        let set = self.engine.set();
        let epsilon = self.architecture.epsilon;
        // Few tasks, since each has sums of its own.
        let rows = normalised.deviations.len();
        let tasks = rayon::current_num_threads();
        let share = rows.div_ceil(tasks).max(1);
        let part = share * hidden;
        let branches: Vec<Option<&mut [f32]>> = match branch {
            Some(branch) => branch.chunks_mut(part).map(Some).collect(),
            None => (0..rows.div_ceil(share)).map(|_| None).collect(),
        };
        let sums: Vec<(Vec<f32>, Vec<f32>)> = gradient
            .par_chunks_mut(part)
            .zip(normalised.rows.par_chunks(part))
            .zip(normalised.deviations.par_chunks(share))
            .zip(branches)
            .enumerate()
            .map(|(task, (((gradient, rows), deviations), branch))| {
                let norm = Norm {
                    scale,
                    shift,
                    epsilon,
                    before: dropout[0],
                    after: dropout[1],
                    first: task * share,
                };
                let mut sums = (vec![0.0; hidden], vec![0.0; hidden]);
                norm::backward(
                    set,
                    norm,
                    rows,
                    deviations,
                    gradient,
                    branch,
                    &mut sums.0,
                    &mut sums.1,
                );
                sums
            })
            .collect();
        for (scale, shift) in &sums {
            self.add(&format!("{name}.weight"), scale)?;
            self.add(&format!("{name}.bias"), shift)?;
        }
        Ok(())
    }
}
