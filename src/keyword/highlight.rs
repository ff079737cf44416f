//! Which words of a text a query matched.

use super::analysis::{Analysis, Analyzer, Unit};
use std::collections::HashSet;
use std::ops::Range;

/// Marks the words of texts that match a query, as the index matches them.
pub struct Highlighter {
    analyzer: Analyzer,
    /// Terms that are marked wherever they stand.
    terms: HashSet<String>,
    /// Numbers and single letters of compounds are marked only beside the part
    /// that they stood beside in the query: the `2` of `IL-2`.
    pairs: HashSet<(String, String)>,
}

impl Highlighter {
    /// Makes ready to mark what matches a query.
    pub fn new(query: &str) -> Self {
        let mut analyzer = Analyzer::new();
        let analysis = analyzer.analyze(query);
        let mut highlighter = Self {
            analyzer,
            terms: HashSet::new(),
            pairs: HashSet::new(),
        };
        let any_content = analysis
            .chunks
            .iter()
            .any(|chunk| chunk.units.len() > 1 || !chunk.units.iter().all(Unit::is_stop_word));
        for chunk in &analysis.chunks {
            highlighter.terms.extend(chunk.whole.clone());
            let compound = chunk.units.len() > 1;
            for unit in &chunk.units {
                if any_content && unit.is_stop_word() && !unit.capitals {
                    continue;
                }
                if !compound || stands_alone(unit) {
                    highlighter.terms.insert(unit.term.clone());
                    highlighter.terms.extend(unit.surface.clone());
                }
            }
            for pair in chunk.units.windows(2) {
                let terms = (pair[0].term.clone(), pair[1].term.clone());
                highlighter.pairs.insert(terms);
            }
        }
        highlighter
    }

    /// Byte ranges of a text that match, in order, none overlapping another.
    pub fn ranges(&mut self, text: &str) -> Vec<Range<usize>> {
        if self.terms.is_empty() && self.pairs.is_empty() {
            return Vec::new();
        }
        let analysis = self.analyzer.analyze(text);
        let mut found = self.wholes_and_units(&analysis);
        found.extend(self.neighbours(&analysis));
        merge(found)
    }

    fn wholes_and_units(&self, analysis: &Analysis) -> Vec<Range<usize>> {
        let mut found = Vec::new();
        for chunk in &analysis.chunks {
            if chunk
                .whole
                .as_ref()
                .is_some_and(|whole| self.terms.contains(whole))
            {
                found.push(chunk.range.clone());
                continue;
            }
            for unit in &chunk.units {
                if self.has(unit, analysis.shouting) {
                    found.push(unit.range.clone());
                } else {
                    let atoms = unit.atoms.iter().filter(|atom| {
                        unit.greek && atom.term.len() > 2 && self.terms.contains(&atom.term)
                    });
                    found.extend(atoms.map(|atom| atom.range.clone()));
                }
            }
        }
        found
    }

    fn has(&self, unit: &Unit, shouting: bool) -> bool {
        let surface = unit.surface.as_ref().filter(|_| shouting);
        self.terms.contains(&unit.term) || surface.is_some_and(|word| self.terms.contains(word))
    }

    /// Parts of a compound of the query that stand side by side in the text.
    fn neighbours(&self, analysis: &Analysis) -> Vec<Range<usize>> {
        if self.pairs.is_empty() {
            return Vec::new();
        }
        let units: Vec<&Unit> = analysis
            .chunks
            .iter()
            .flat_map(|chunk| &chunk.units)
            .collect();
        let mut found = Vec::new();
        for pair in units.windows(2) {
            let terms = (pair[0].term.clone(), pair[1].term.clone());
            if self.pairs.contains(&terms) {
                found.extend([pair[0].range.clone(), pair[1].range.clone()]);
            }
        }
        found
    }
}

/// Whether a part of a compound says something without the others.
fn stands_alone(unit: &Unit) -> bool {
    unit.term.chars().count() > 2 && unit.term.chars().any(char::is_alphabetic)
}

fn merge(mut ranges: Vec<Range<usize>>) -> Vec<Range<usize>> {
    ranges.sort_by_key(|range| (range.start, range.end));
    let mut merged: Vec<Range<usize>> = Vec::with_capacity(ranges.len());
    for range in ranges {
        match merged.last_mut() {
            Some(last) if range.start < last.end => last.end = last.end.max(range.end),
            _ => merged.push(range),
        }
    }
    merged
}
