//! Curves: from measurements to points.

use super::super::Measurement;

/// Most points of a curve; more are averaged together.
const POINTS: usize = 400;

/// The values of one name.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Series {
    pub(super) name: String,
    /// Steps and values, in order, all finite.
    pub(super) points: Vec<(f64, f64)>,
}

impl Series {
    /// Curves of a family: `loss`, `loss/mlm`, … in order of their names.
    pub(super) fn of_family(family: &str, measurements: &[Measurement]) -> Vec<Self> {
        let mut all: Vec<Self> = Vec::new();
        for measurement in measurements {
            for (name, &value) in &measurement.values {
                let Some(rest) = name.strip_prefix(family) else {
                    continue;
                };
                if !(rest.is_empty() || rest.starts_with('/')) || !value.is_finite() {
                    continue;
                }
                let point = (measurement.step as f64, value);
                match all.iter_mut().find(|series| series.name == *name) {
                    Some(series) => series.points.push(point),
                    None => all.push(Self {
                        name: name.clone(),
                        points: vec![point],
                    }),
                }
            }
        }
        all.sort_by(|a, b| a.name.cmp(&b.name));
        all
    }

    /// What the legend says.
    pub(super) fn label(&self) -> String {
        let (_, label) = self.name.split_once('/').unwrap_or(("", &self.name));
        label.replace('_', " ")
    }

    /// Points to draw: neighbours are averaged where there are too many.
    pub(super) fn drawn(&self) -> Vec<(f64, f64)> {
        if self.points.len() <= POINTS {
            return self.points.clone();
        }
        let share = self.points.len().div_ceil(POINTS);
        self.points
            .chunks(share)
            .map(|points| {
                let count = points.len() as f64;
                let sum = points
                    .iter()
                    .fold((0.0, 0.0), |sum, point| (sum.0 + point.0, sum.1 + point.1));
                (sum.0 / count, sum.1 / count)
            })
            .collect()
    }
}
