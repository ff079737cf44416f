//! What the labels of a file are to those of a head.

use crate::error::{Error, Result};
use std::collections::{BTreeMap, HashMap, HashSet};

/// Finds for a label of a file its place among those of a head.
#[derive(Debug, Clone)]
pub struct LabelMap {
    labels: Vec<String>,
    places: HashMap<String, usize>,
    ignored: HashSet<String>,
}

impl LabelMap {
    /// `targets` say for labels of the file which of `labels` they stand for;
    /// others stand for the one of the same name. Rows with a label in
    /// `ignored` are left out.
    ///
    /// # Errors
    /// When a label stands for one that is not there, or is ignored too.
    pub fn new(
        labels: &[String],
        targets: &BTreeMap<String, String>,
        ignored: &[String],
    ) -> Result<Self> {
        let own = labels.iter().enumerate();
        let mut places: HashMap<String, usize> =
            own.map(|(place, label)| (label.clone(), place)).collect();
        for (name, target) in targets {
            let place = labels.iter().position(|label| label == target);
            let place = place.ok_or_else(|| {
                let known = labels.join(", ");
                let what =
                    format!("the label {target}, for which {name} stands, is none of {known}");
                Error::invalid("labels", what)
            })?;
            if ignored.contains(name) {
                let what = format!("the label {name} is ignored, and stands for {target} too");
                return Err(Error::invalid("ignore", what));
            }
            places.insert(name.clone(), place);
        }
        Ok(Self {
            labels: labels.to_vec(),
            places,
            ignored: ignored.iter().cloned().collect(),
        })
    }

    /// The place of a label; nothing where it is ignored.
    ///
    /// # Errors
    /// When it stands for nothing.
    pub fn place(&self, label: &str) -> Result<Option<usize>> {
        if self.ignored.contains(label) {
            return Ok(None);
        }
        match self.places.get(label) {
            Some(place) => Ok(Some(*place)),
            None => Err(Error::invalid(
                "labels",
                format!(
                    "the label {label} of the data stands for none of the labels {}: say for \
                     which, or that it is to be ignored",
                    self.labels.join(", ")
                ),
            )),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn map(targets: &[(&str, &str)], ignored: &[&str]) -> Result<LabelMap> {
        let labels = ["none", "inhibitor"].map(str::to_owned);
        let owned = |(from, to): &(&str, &str)| ((*from).to_owned(), (*to).to_owned());
        let ignored: Vec<String> = ignored.iter().map(|name| (*name).to_owned()).collect();
        LabelMap::new(&labels, &targets.iter().map(owned).collect(), &ignored)
    }

    #[test]
    fn labels_stand_for_those_that_are_said_or_have_their_name() {
        let map = map(&[("False", "none"), ("CPR:4", "inhibitor")], &["CPR:1"]).unwrap();
        for (label, place) in [
            ("False", Some(0)),
            ("CPR:4", Some(1)),
            ("inhibitor", Some(1)),
            ("CPR:1", None),
        ] {
            assert_eq!(map.place(label).unwrap(), place, "{label}");
        }
        let error = map.place("CPR:9").unwrap_err().to_string();
        assert!(error.contains("CPR:9") && error.contains("none, inhibitor"));
    }

    #[test]
    fn what_stands_for_nothing_is_named() {
        let error = map(&[("False", "nothing")], &[]).unwrap_err().to_string();
        assert!(
            error.contains("nothing") && error.contains("none"),
            "{error}"
        );
        let error = map(&[("none", "none")], &["none"]).unwrap_err().to_string();
        assert!(error.contains("ignored"), "{error}");
    }
}
