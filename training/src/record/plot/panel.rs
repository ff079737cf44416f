//! One panel: frame, grid, curves and legend.

use super::super::Measurement;
use super::axis::{Axis, label};
use super::series::Series;
use super::{HEIGHT, LEFT, RIGHT, WIDTH, across, escaped};
use std::fmt::Write;

/// Colours that the style has.
const COLOURS: usize = 6;

/// Points up to which a curve shows each of them.
const DOTS: usize = 40;

#[derive(Debug)]
pub(super) struct Panel {
    title: &'static str,
    axis: Axis,
    curves: Vec<Series>,
}

impl Panel {
    /// The panel of a family of names; nothing when there are no numbers.
    pub(super) fn new(
        title: &'static str,
        family: &str,
        log: bool,
        measurements: &[Measurement],
    ) -> Option<Self> {
        let curves = Series::of_family(family, measurements);
        let drawn: Vec<f64> = curves
            .iter()
            .flat_map(Series::drawn)
            .map(|(_, value)| value)
            .collect();
        (!curves.is_empty()).then(|| Self {
            title,
            axis: Axis::around(drawn.iter().copied(), log),
            curves,
        })
    }

    /// A sentence for each curve.
    pub(super) fn describe(&self) -> Vec<String> {
        self.curves
            .iter()
            .filter_map(|series| {
                let (first, last) = (series.points.first()?, series.points.last()?);
                let numbers = || series.points.iter().map(|point| point.1);
                Some(format!(
                    "{}: {} is {} at step {} and {} at step {}, between {} and {} on the way.",
                    self.title,
                    series.label(),
                    label(first.1),
                    label(first.0),
                    label(last.1),
                    label(last.0),
                    label(numbers().fold(f64::INFINITY, f64::min)),
                    label(numbers().fold(f64::NEG_INFINITY, f64::max)),
                ))
            })
            .collect()
    }

    /// Draws the panel with its upper edge at `top`.
    pub(super) fn draw(
        &self,
        svg: &mut String,
        top: f64,
        steps: &Axis,
        stages: &[(u64, &str)],
        names_stages: bool,
    ) {
        let width = WIDTH - LEFT - RIGHT;
        let _ = writeln!(
            svg,
            "<text class=\"name\" x=\"{LEFT}\" y=\"{:.1}\">{}</text>",
            top - 20.0,
            self.title
        );
        for tick in self.axis.ticks() {
            let y = top + (1.0 - self.axis.place(tick)) * HEIGHT;
            let _ = writeln!(
                svg,
                "<path class=\"grid\" d=\"M{LEFT} {y:.1}h{width}\"/>\
                 <text class=\"label end\" x=\"{:.1}\" y=\"{:.1}\">{}</text>",
                LEFT - 6.0,
                y + 4.0,
                label(tick)
            );
        }
        self.draw_stages(svg, top, steps, stages, names_stages);
        let _ = writeln!(
            svg,
            "<rect class=\"frame\" x=\"{LEFT}\" y=\"{top}\" width=\"{width}\" \
             height=\"{HEIGHT}\"/>"
        );
        for (index, series) in self.curves.iter().enumerate() {
            self.draw_curve(svg, top, steps, series, index);
        }
    }

    fn draw_stages(
        &self,
        svg: &mut String,
        top: f64,
        steps: &Axis,
        stages: &[(u64, &str)],
        names: bool,
    ) {
        if stages.len() < 2 {
            return;
        }
        for (index, (step, name)) in stages.iter().enumerate() {
            let x = across(steps, *step as f64);
            if index > 0 {
                let _ = writeln!(svg, "<path class=\"stage\" d=\"M{x:.1} {top}v{HEIGHT}\"/>");
            }
            if names {
                let _ = writeln!(
                    svg,
                    "<text class=\"label\" x=\"{:.1}\" y=\"{:.1}\">{}</text>",
                    x + 3.0,
                    top - 5.0,
                    escaped(name)
                );
            }
        }
    }

    fn draw_curve(&self, svg: &mut String, top: f64, steps: &Axis, series: &Series, index: usize) {
        let colour = index % COLOURS;
        let points: Vec<(f64, f64)> = series
            .drawn()
            .into_iter()
            .map(|(step, value)| {
                let y = top + (1.0 - self.axis.place(value)) * HEIGHT;
                (across(steps, step), y)
            })
            .collect();
        let mut path = String::new();
        for (place, (x, y)) in points.iter().enumerate() {
            let _ = write!(path, "{}{x:.1} {y:.1}", if place == 0 { 'M' } else { 'L' });
        }
        let _ = writeln!(svg, "<path class=\"curve c{colour}\" d=\"{path}\"/>");
        if points.len() <= DOTS {
            for (x, y) in &points {
                let _ = writeln!(
                    svg,
                    "<circle class=\"dot c{colour}\" cx=\"{x:.1}\" cy=\"{y:.1}\" r=\"2.2\"/>"
                );
            }
        }
        let (x, y) = (WIDTH - RIGHT + 12.0, top + 10.0 + 18.0 * index as f64);
        let last = series.points.last().map_or(0.0, |point| point.1);
        let _ = writeln!(
            svg,
            "<path class=\"curve c{colour}\" d=\"M{x:.1} {y:.1}h22\"/>\
             <text x=\"{:.1}\" y=\"{:.1}\">{} {}</text>",
            x + 28.0,
            y + 4.0,
            escaped(&series.label()),
            label(last)
        );
    }
}
