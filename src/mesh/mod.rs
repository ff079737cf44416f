//! MeSH: descriptors, their entry terms and their places in the trees; and the
//! qualifiers, of which there are so few that they are part of the program.
//!
//! The table knows no file of NLM's: a reader hands it [`Descriptor`]s. It has
//! a file of its own, in which it is kept.

mod file;
mod qualifier;

pub use qualifier::Qualifier;

use std::collections::HashMap;
use std::sync::OnceLock;

/// A MeSH descriptor.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Descriptor {
    /// Unique identifier, such as `D001249`.
    pub ui: String,
    /// Heading.
    pub heading: String,
    /// Places in the trees, such as `C08.127.108`.
    pub tree_numbers: Vec<String>,
    /// Other names of its concepts.
    pub entry_terms: Vec<String>,
}

/// Descriptors by name and by place.
#[derive(Debug, Clone, Default)]
pub struct MeshTable {
    /// Where it is from, in words.
    source: String,
    descriptors: Vec<Descriptor>,
    /// Descriptor of each folded heading, entry term and identifier.
    names: HashMap<String, u32>,
    /// Tree numbers in order, with their descriptors.
    places: Vec<(String, u32)>,
    /// Folded headings and entry terms in order, made when first asked for.
    alphabet: OnceLock<Vec<(String, u32)>>,
}

impl MeshTable {
    /// Makes a table. Where two descriptors share a name, a heading goes
    /// before an entry term, and the earlier descriptor before the later one.
    pub fn new(descriptors: Vec<Descriptor>) -> Self {
        let mut names = HashMap::new();
        let mut places = Vec::new();
        for (descriptor, at) in descriptors.iter().zip(0_u32..) {
            for name in [&descriptor.heading, &descriptor.ui] {
                names.entry(folded(name)).or_insert(at);
            }
            let numbers = descriptor.tree_numbers.iter();
            places.extend(numbers.map(|number| (number.clone(), at)));
        }
        for (descriptor, at) in descriptors.iter().zip(0_u32..) {
            for term in &descriptor.entry_terms {
                names.entry(folded(term)).or_insert(at);
            }
        }
        names.remove("");
        places.sort();
        Self {
            source: String::new(),
            descriptors,
            names,
            places,
            alphabet: OnceLock::new(),
        }
    }

    /// Headings and entry terms that begin so, in alphabetical order, with
    /// their descriptors. Case, hyphens and commas do not count.
    pub fn names_beginning(&self, prefix: &str, most: usize) -> Vec<(&str, &Descriptor)> {
        let prefix = folded(prefix);
        // Signs alone begin nothing.
        if prefix.is_empty() {
            return Vec::new();
        }
        let alphabet = self.alphabet.get_or_init(|| {
            // Identifiers are names too, and of no use here.
            let written = |name: &str, at: u32| {
                let descriptor = self.descriptors.get(at as usize);
                descriptor.is_some_and(|one| folded(&one.ui) != name)
            };
            let names = self.names.iter().filter(|(name, at)| written(name, **at));
            let mut names: Vec<(String, u32)> =
                names.map(|(name, &at)| (name.clone(), at)).collect();
            names.sort();
            names
        });
        let from = alphabet.partition_point(|(name, _)| name.as_str() < prefix.as_str());
        alphabet[from..]
            .iter()
            .take_while(|(name, _)| name.starts_with(&prefix))
            .filter_map(|(name, at)| {
                let descriptor = self.descriptors.get(*at as usize)?;
                let names = std::iter::once(&descriptor.heading).chain(&descriptor.entry_terms);
                let mut names = names.filter(|written| folded(written) == *name);
                Some((names.next()?.as_str(), descriptor))
            })
            .take(most)
            .collect()
    }

    /// Where it is from, in words; empty where that was not said.
    pub fn source(&self) -> &str {
        &self.source
    }

    /// All descriptors, in order.
    pub fn descriptors(&self) -> &[Descriptor] {
        &self.descriptors
    }

    /// Number of descriptors.
    pub fn len(&self) -> usize {
        self.descriptors.len()
    }

    /// Whether it holds none.
    pub fn is_empty(&self) -> bool {
        self.descriptors.is_empty()
    }

    /// The descriptor with a heading, entry term or identifier. Case, hyphens
    /// and commas do not count, nor does a plural's last letter.
    pub fn find(&self, name: &str) -> Option<&Descriptor> {
        let name = folded(name);
        let found = self.names.get(&name).or_else(|| {
            let singular = name.strip_suffix('s').filter(|rest| rest.len() > 3)?;
            self.names.get(singular)
        });
        found.and_then(|&at| self.descriptors.get(at as usize))
    }

    /// A descriptor and every one below it in the trees, each once, in the
    /// order of the table.
    pub fn explode<'t>(&'t self, descriptor: &'t Descriptor) -> Vec<&'t Descriptor> {
        let mut found: Vec<u32> = Vec::new();
        for number in &descriptor.tree_numbers {
            let from = self.places.partition_point(|(place, _)| place < number);
            let below = self.places[from..]
                .iter()
                .take_while(|(place, _)| place.starts_with(number.as_str()))
                .filter(|(place, _)| {
                    matches!(place.as_bytes().get(number.len()), None | Some(b'.'))
                });
            found.extend(below.map(|&(_, at)| at));
        }
        found.sort_unstable();
        found.dedup();
        if found.is_empty() {
            // A few descriptors stand in no tree.
            return vec![descriptor];
        }
        let descriptor = |at: u32| self.descriptors.get(at as usize);
        found.into_iter().filter_map(descriptor).collect()
    }
}

/// A name without case, and with one space for what is no letter or digit.
fn folded(name: &str) -> String {
    let lower = name.to_lowercase();
    let words = lower.split(|c: char| !c.is_alphanumeric() && c != '+');
    let words: Vec<&str> = words.filter(|word| !word.is_empty()).collect();
    words.join(" ")
}

#[cfg(test)]
pub(crate) mod tests {
    use super::*;

    /// A few descriptors; tree numbers as in MeSH 2024.
    pub(crate) fn small() -> MeshTable {
        let rows: [(&str, &str, &[&str], &[&str]); 8] = [
            ("D012140", "Respiratory Tract Diseases", &["C08"], &[]),
            ("D001982", "Bronchial Diseases", &["C08.127"], &[]),
            (
                "D001249",
                "Asthma",
                &["C08.127.108", "C08.381.495.108"],
                &["Bronchial Asthma", "Asthmas"],
            ),
            (
                "D013224",
                "Status Asthmaticus",
                &["C08.127.108.880"],
                &["Asthmatic Crisis"],
            ),
            (
                "D009203",
                "Myocardial Infarction",
                &["C14.280.647.500"],
                &["Heart Attack", "Heart Attacks"],
            ),
            (
                "D001241",
                "Aspirin",
                &["D02.455.426.559.389.657.410.595.176"],
                &["Acetylsalicylic Acid"],
            ),
            ("D008297", "Male", &[], &["Males"]),
            ("D016430", "Clinical Trial", &["V03.175.250"], &[]),
        ];
        let text = |texts: &[&str]| texts.iter().map(|&text| text.to_owned()).collect();
        let descriptors = rows.map(|(ui, heading, numbers, terms)| Descriptor {
            ui: ui.to_owned(),
            heading: heading.to_owned(),
            tree_numbers: text(numbers),
            entry_terms: text(terms),
        });
        MeshTable::new(descriptors.into())
    }

    #[test]
    fn descriptors_go_by_any_of_their_names() {
        let table = small();
        for (name, ui) in [
            ("asthma", "D001249"),
            ("ASTHMA", "D001249"),
            ("bronchial asthma", "D001249"),
            ("d001249", "D001249"),
            ("heart-attack", "D009203"),
            ("acetylsalicylic  acids", "D001241"),
        ] {
            assert_eq!(
                table.find(name).map(|found| found.ui.as_str()),
                Some(ui),
                "{name}"
            );
        }
        for name in ["", "s", "asth", "asthma heart", "bronchial"] {
            assert_eq!(table.find(name), None, "{name}");
        }
    }

    #[test]
    fn exploding_goes_down_every_tree() {
        let table = small();
        let below = |name: &str| -> Vec<&str> {
            let descriptor = table.find(name).unwrap();
            let all = table.explode(descriptor).into_iter();
            all.map(|descriptor| descriptor.heading.as_str()).collect()
        };
        let all = [
            "Respiratory Tract Diseases",
            "Bronchial Diseases",
            "Asthma",
            "Status Asthmaticus",
        ];
        assert_eq!(below("respiratory tract diseases"), all);
        assert_eq!(below("asthma"), all[2..]);
        assert_eq!(below("Status Asthmaticus"), all[3..]);
        assert_eq!(below("male"), ["Male"]);
    }

    #[test]
    fn a_number_is_not_below_one_that_it_merely_begins_with() {
        let number = |ui: &str, number: &str| Descriptor {
            ui: ui.to_owned(),
            heading: ui.to_owned(),
            tree_numbers: vec![number.to_owned()],
            entry_terms: Vec::new(),
        };
        let table = MeshTable::new(vec![
            number("a", "C08.12"),
            number("b", "C08.127"),
            number("c", "C08.12.1"),
        ]);
        let all = table.explode(table.find("a").unwrap());
        let names: Vec<&str> = all.iter().map(|found| found.ui.as_str()).collect();
        assert_eq!(names, ["a", "c"]);
    }
}
