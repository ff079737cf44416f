//! The numbers of a run as one SVG file: losses, learning rate and scores over
//! the steps, one panel below the other.
//!
//! The file needs nothing beside it. Colours follow the viewer's light or dark
//! setting, curves differ in their dashes too, and a description in words
//! stands in for the picture where it cannot be seen.

mod axis;
mod panel;
mod series;

use super::Measurement;
use axis::Axis;
use panel::Panel;
use std::fmt::Write;

/// Width of the picture.
const WIDTH: f64 = 860.0;
/// Space left of a panel for its numbers.
const LEFT: f64 = 70.0;
/// Space right of a panel for the legend.
const RIGHT: f64 = 190.0;
/// Height of a panel without title and space.
const HEIGHT: f64 = 170.0;
/// Space above a panel for its title.
const ABOVE: f64 = 36.0;
/// Height of the picture's title.
const HEAD: f64 = 34.0;
/// Space below the last panel for its numbers.
const FOOT: f64 = 46.0;

/// What a plot looks like.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PlotOptions {
    /// What stands above it.
    pub title: String,
    /// Whether the losses' axis is logarithmic.
    pub log_loss: bool,
}

/// Measurements as SVG. Panels without numbers are left out; without any
/// number the picture says so.
pub fn plot(measurements: &[Measurement], options: &PlotOptions) -> String {
    let panels: Vec<Panel> = [
        ("Loss", "loss", options.log_loss),
        ("Learning rate", "learning_rate", false),
        ("Scores", "score", false),
    ]
    .into_iter()
    .filter_map(|(title, family, log)| Panel::new(title, family, log, measurements))
    .collect();
    let height = HEAD + panels.len() as f64 * (ABOVE + HEIGHT) + FOOT;
    let mut svg = String::new();
    let _ = write!(
        svg,
        "<svg xmlns=\"http://www.w3.org/2000/svg\" role=\"img\" \
         aria-labelledby=\"title description\" viewBox=\"0 0 {WIDTH} {height}\" \
         width=\"{WIDTH}\" height=\"{height}\">\n\
         <title id=\"title\">{}</title>\n<desc id=\"description\">{}</desc>\n{STYLE}\
         <rect class=\"paper\" width=\"100%\" height=\"100%\"/>\n\
         <text class=\"head\" x=\"{LEFT}\" y=\"24\">{}</text>\n",
        escaped(&options.title),
        escaped(&description(&panels)),
        escaped(&options.title),
    );
    let steps = Axis::steps(measurements);
    let stages = stages(measurements);
    for (index, panel) in panels.iter().enumerate() {
        let top = HEAD + index as f64 * (ABOVE + HEIGHT) + ABOVE;
        panel.draw(&mut svg, top, &steps, &stages, index == 0);
    }
    foot(&mut svg, &steps, height, panels.is_empty());
    svg.push_str("</svg>\n");
    svg
}

/// Numbers of the steps below the last panel.
fn foot(svg: &mut String, steps: &Axis, height: f64, empty: bool) {
    let middle = LEFT + (WIDTH - LEFT - RIGHT) / 2.0;
    let base = height - FOOT;
    if empty {
        let y = base + 20.0;
        let _ = writeln!(
            svg,
            "<text class=\"label\" x=\"{LEFT}\" y=\"{y}\">No measurements yet.</text>"
        );
        return;
    }
    for tick in steps.ticks() {
        let x = across(steps, tick);
        let _ = writeln!(
            svg,
            "<text class=\"label middle\" x=\"{x:.1}\" y=\"{:.1}\">{}</text>",
            base + 16.0,
            axis::label(tick)
        );
    }
    let _ = writeln!(
        svg,
        "<text class=\"label middle\" x=\"{middle:.1}\" y=\"{:.1}\">step</text>",
        base + 34.0
    );
}

/// Where a step lies from left to right.
fn across(steps: &Axis, step: f64) -> f64 {
    LEFT + steps.place(step) * (WIDTH - LEFT - RIGHT)
}

/// Steps at which stages begin, and their names.
fn stages(measurements: &[Measurement]) -> Vec<(u64, &str)> {
    let mut stages: Vec<(u64, &str)> = Vec::new();
    for measurement in measurements {
        if stages
            .last()
            .is_none_or(|(_, name)| *name != measurement.stage)
        {
            stages.push((measurement.step, &measurement.stage));
        }
    }
    stages
}

fn description(panels: &[Panel]) -> String {
    if panels.is_empty() {
        return "No measurements yet.".to_owned();
    }
    let sentences: Vec<String> = panels.iter().flat_map(Panel::describe).collect();
    sentences.join(" ")
}

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;")
        .replace('<', "&lt;")
        .replace('>', "&gt;")
        .replace('"', "&quot;")
}

/// The colours are those of Okabe and Ito (2008), which people of all kinds of
/// colour vision can tell apart; lighter ones on a dark ground.
const STYLE: &str = "<style>\n\
    .paper{fill:#fff}.frame{fill:none;stroke:#888}.grid{stroke:#ddd}\n\
    .stage{stroke:#888;stroke-dasharray:2 3}\n\
    text{font:12px system-ui,sans-serif;fill:#222}.head{font-size:16px;font-weight:600}\n\
    .name{font-weight:600}.label{fill:#555}.middle{text-anchor:middle}.end{text-anchor:end}\n\
    .curve{fill:none;stroke-width:1.6}.curve,.dot{stroke:var(--c)}.dot{fill:var(--c)}\n\
    .c0{--c:#0072b2}.c1{--c:#d55e00}.c2{--c:#009e73}.c3{--c:#cc79a7}.c4{--c:#7a5c00}.c5{--c:#444}\n\
    .c1{stroke-dasharray:6 2}.c2{stroke-dasharray:2 2}.c3{stroke-dasharray:8 2 2 2}\n\
    .c4{stroke-dasharray:10 3}.c5{stroke-dasharray:4 4}.dot{stroke-dasharray:none}\n\
    @media(prefers-color-scheme:dark){\n\
    .paper{fill:#16181c}.frame{stroke:#777}.grid{stroke:#33363c}text{fill:#eee}.label{fill:#aaa}\n\
    .c0{--c:#56b4e9}.c1{--c:#e69f00}.c2{--c:#2fd6a2}.c3{--c:#e6a3c7}.c4{--c:#f0e442}.c5{--c:#ccc}}\n\
    </style>\n";
