//! Axes: from numbers to places, and the numbers that stand beside them.

use super::super::Measurement;

/// An axis from a least to a largest number.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Axis {
    low: f64,
    high: f64,
    log: bool,
}

impl Axis {
    /// The axis of the steps.
    pub(super) fn steps(measurements: &[Measurement]) -> Self {
        let steps = || {
            measurements
                .iter()
                .map(|measurement| measurement.step as f64)
        };
        let low = steps().fold(f64::INFINITY, f64::min);
        let high = steps().fold(f64::NEG_INFINITY, f64::max);
        Self::between(low, high, false)
    }

    /// An axis with some room around finite numbers. A logarithmic one needs
    /// numbers above 0; where there are others, it is linear.
    pub(super) fn around(numbers: impl Iterator<Item = f64> + Clone, log: bool) -> Self {
        let low = numbers.clone().fold(f64::INFINITY, f64::min);
        let high = numbers.fold(f64::NEG_INFINITY, f64::max);
        if log && low > 0.0 {
            let room = (high / low).powf(0.05).max(1.02);
            Self::between(low / room, high * room, true)
        } else {
            let room = (high - low) * 0.05;
            Self::between(low - room, high + room, false)
        }
    }

    fn between(low: f64, high: f64, log: bool) -> Self {
        if !(low.is_finite() && high.is_finite()) {
            return Self {
                low: 0.0,
                high: 1.0,
                log: false,
            };
        }
        if low < high {
            return Self { low, high, log };
        }
        // One number alone lies in the middle.
        let room = if low == 0.0 { 1.0 } else { low.abs() * 0.5 };
        Self {
            low: low - room,
            high: high + room,
            log,
        }
    }

    /// Where a number lies, 0 to 1.
    pub(super) fn place(&self, number: f64) -> f64 {
        let scale = |x: f64| if self.log { x.ln() } else { x };
        (scale(number) - scale(self.low)) / (scale(self.high) - scale(self.low))
    }

    /// Round numbers on the axis: four to ten of them where that is possible.
    pub(super) fn ticks(&self) -> Vec<f64> {
        if self.log {
            let ticks = self.logarithmic();
            if ticks.len() >= 3 {
                return ticks;
            }
        }
        let rough = (self.high - self.low) / 5.0;
        let power = 10f64.powf(rough.log10().floor());
        let step = [1.0, 2.0, 5.0, 10.0]
            .map(|factor| factor * power)
            .into_iter()
            .find(|step| *step >= rough * 0.999)
            .unwrap_or(power);
        let first = (self.low / step).ceil() as i64;
        let last = (self.high / step).floor() as i64;
        (first..=last)
            .map(|index| rounded(index as f64 * step))
            .collect()
    }

    /// 1, 2 and 5 of each power of ten; the powers alone when they are many.
    fn logarithmic(&self) -> Vec<f64> {
        let (first, last) = (
            self.low.log10().floor() as i32,
            self.high.log10().ceil() as i32,
        );
        let factors: &[f64] = if last - first > 4 {
            &[1.0]
        } else {
            &[1.0, 2.0, 5.0]
        };
        (first..=last)
            .flat_map(|power| {
                factors
                    .iter()
                    .map(move |factor| rounded(factor * 10f64.powi(power)))
            })
            .filter(|tick| (self.low..=self.high).contains(tick))
            .collect()
    }
}

/// Without the last digits, which come from the binary form.
fn rounded(number: f64) -> f64 {
    format!("{number:.9e}").parse().unwrap_or(number)
}

/// A number as it stands beside an axis or in a legend: four digits at most.
pub(super) fn label(number: f64) -> String {
    let size = number.abs();
    if size != 0.0 && !(1e-3..1e6).contains(&size) {
        let text = format!("{number:.2e}");
        // `2.00e-5` is written as `2e-5`.
        return match text.split_once('e') {
            Some((digits, power)) => format!("{}e{power}", trimmed(digits)),
            None => text,
        };
    }
    let decimals = match size {
        s if s >= 1000.0 => 0,
        s if s >= 100.0 => 1,
        s if s >= 10.0 => 2,
        s if s >= 1.0 => 3,
        _ => 4,
    };
    trimmed(&format!("{number:.decimals$}")).to_owned()
}

fn trimmed(text: &str) -> &str {
    if text.contains('.') {
        text.trim_end_matches('0').trim_end_matches('.')
    } else {
        text
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ticks_are_round_and_on_the_axis() {
        let axis = |numbers: &[f64], log| Axis::around(numbers.iter().copied(), log);
        assert_eq!(axis(&[0.0, 1.0], false).ticks(), [0.0, 0.5, 1.0]);
        assert_eq!(
            axis(&[0.31, 0.35], false).ticks(),
            [0.31, 0.32, 0.33, 0.34, 0.35]
        );
        assert_eq!(axis(&[0.5, 12.0], true).ticks(), [0.5, 1.0, 2.0, 5.0, 10.0]);
        assert_eq!(axis(&[1e-6, 1.0], true).ticks().len(), 7);
        assert_eq!(
            axis(&[-1.0, 1.0], true).place(0.0),
            0.5,
            "linear where it must be"
        );
        for lonely in [0.0, 5.0, -3.0] {
            let axis = axis(&[lonely], false);
            assert!((axis.place(lonely) - 0.5).abs() < 1e-9);
            assert!(!axis.ticks().is_empty());
        }
        assert_eq!(axis(&[], true).place(0.5), 0.5);
    }

    #[test]
    fn labels_are_short() {
        for (number, text) in [
            (0.0, "0"),
            (2e-5, "2e-5"),
            (1.5e-4, "1.5e-4"),
            (0.3543, "0.3543"),
            (0.5, "0.5"),
            (12.0, "12"),
            (1_000_000.0, "1e6"),
            (25_000.0, "25000"),
            (-1.25, "-1.25"),
        ] {
            assert_eq!(label(number), text);
        }
    }
}
