//! In which order lines can be searched.

use super::Line;
use std::collections::BTreeMap;

/// Places of lines, each after those that it refers to; else the numbers of
/// lines that refer to each other, the first one again at the end.
pub(super) fn order(lines: &[Line]) -> Result<Vec<usize>, Vec<u32>> {
    let places: BTreeMap<u32, usize> = (0..)
        .zip(lines)
        .map(|(at, line)| (line.number, at))
        .collect();
    let mut walk = Walk {
        lines,
        places,
        done: vec![false; lines.len()],
        way: Vec::new(),
        order: Vec::new(),
    };
    for at in 0..lines.len() {
        walk.visit(at)?;
    }
    Ok(walk.order)
}

struct Walk<'l> {
    lines: &'l [Line],
    places: BTreeMap<u32, usize>,
    done: Vec<bool>,
    /// From the line that the walk began at to the one that it is at.
    way: Vec<usize>,
    order: Vec<usize>,
}

impl Walk<'_> {
    /// Goes no deeper than there are lines, of which there are few.
    fn visit(&mut self, at: usize) -> Result<(), Vec<u32>> {
        if self.done[at] {
            return Ok(());
        }
        if let Some(from) = self.way.iter().position(|&before| before == at) {
            let circle = self.way[from..].iter().chain([&at]);
            return Err(circle.map(|&at| self.lines[at].number).collect());
        }
        self.way.push(at);
        for number in self.lines[at].refers_to() {
            if let Some(&next) = self.places.get(&number) {
                self.visit(next)?;
            }
        }
        self.way.pop();
        self.done[at] = true;
        self.order.push(at);
        Ok(())
    }
}
