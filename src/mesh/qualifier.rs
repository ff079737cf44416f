//! MeSH qualifiers (subheadings): names, abbreviations, and which are narrower.
//!
//! From the lists of NLM: the qualifiers with their abbreviations
//! (<https://www.nlm.nih.gov/mesh/qualifiers_scopenotes.html>) and their
//! hierarchies (<https://www.nlm.nih.gov/mesh/subhierarchy.html>), by which
//! PubMed explodes them. Names that NLM has given up, and that records of other
//! sources still hold, stand below what took their place.

use super::folded;

/// A MeSH qualifier.
#[derive(Debug, PartialEq, Eq)]
pub struct Qualifier {
    /// Name, such as `drug therapy`.
    pub name: &'static str,
    /// NLM's two letters, such as `DT`.
    pub abbreviation: &'static str,
    /// Abbreviations of those that are right above it.
    above: &'static [&'static str],
}

const fn row(
    abbreviation: &'static str,
    name: &'static str,
    above: &'static [&'static str],
) -> Qualifier {
    Qualifier {
        name,
        abbreviation,
        above,
    }
}

#[rustfmt::skip]
static TABLE: &[Qualifier] = &[
    row("AB", "abnormalities", &["EM"]),
    row("AD", "administration & dosage", &["PD", "TU"]),
    row("AE", "adverse effects", &["PD", "TU"]),
    row("AG", "agonists", &["CH", "PD"]),
    row("AA", "analogs & derivatives", &["CH"]),
    row("AN", "analysis", &[]),
    row("AH", "anatomy & histology", &[]),
    row("AI", "antagonists & inhibitors", &["CH", "PD"]),
    row("BI", "biosynthesis", &["ME"]),
    row("BL", "blood", &["AN", "ME"]),
    row("BS", "blood supply", &["AH"]),
    row("CF", "cerebrospinal fluid", &["AN", "ME"]),
    row("CS", "chemical synthesis", &["CH"]),
    row("CI", "chemically induced", &["ET"]),
    row("CH", "chemistry", &[]),
    row("CL", "classification", &[]),
    row("CO", "complications", &["ET"]),
    row("CN", "congenital", &["ET"]),
    row("CT", "contraindications", &[]),
    row("CY", "cytology", &["AH"]),
    row("DF", "deficiency", &["ME"]),
    row("DI", "diagnosis", &[]),
    row("DG", "diagnostic imaging", &["DI"]),
    row("DU", "diagnostic use", &["PD"]),
    row("DH", "diet therapy", &["TH"]),
    row("DE", "drug effects", &[]),
    row("DT", "drug therapy", &["TH"]),
    row("EC", "economics", &["OG"]),
    row("ED", "education", &[]),
    row("EM", "embryology", &["AH", "ET"]),
    row("EN", "enzymology", &["ME"]),
    row("EP", "epidemiology", &["SN"]),
    row("ES", "ethics", &[]),
    row("EH", "ethnology", &["EP"]),
    row("ET", "etiology", &[]),
    row("GE", "genetics", &["ET", "PH"]),
    row("GD", "growth & development", &["PH"]),
    row("HI", "history", &[]),
    row("IM", "immunology", &["ET", "PH"]),
    row("IN", "injuries", &[]),
    row("IR", "innervation", &["AH"]),
    row("IS", "instrumentation", &[]),
    row("IP", "isolation & purification", &["AN"]),
    row("LJ", "legislation & jurisprudence", &["OG"]),
    row("MA", "manpower", &["OG"]),
    row("ME", "metabolism", &["PH"]),
    row("MT", "methods", &[]),
    row("MI", "microbiology", &["ET"]),
    row("MO", "mortality", &["EP"]),
    row("NU", "nursing", &["TH"]),
    row("OG", "organization & administration", &[]),
    row("PS", "parasitology", &["ET"]),
    row("PY", "pathogenicity", &[]),
    row("PA", "pathology", &["AH", "DI"]),
    row("PK", "pharmacokinetics", &["ME", "PD"]),
    row("PD", "pharmacology", &[]),
    row("PH", "physiology", &[]),
    row("PP", "physiopathology", &["PH"]),
    row("PO", "poisoning", &["AE", "TU"]),
    row("PC", "prevention & control", &["TH"]),
    row("PX", "psychology", &[]),
    row("RE", "radiation effects", &[]),
    row("RA", "radiography", &["DG"]),
    row("RI", "radionuclide imaging", &["DG"]),
    row("RT", "radiotherapy", &["TH"]),
    row("RH", "rehabilitation", &["TH"]),
    row("SC", "secondary", &["CO"]),
    row("SE", "secretion", &["PH"]),
    row("ST", "standards", &["OG"]),
    row("SN", "statistics & numerical data", &[]),
    row("SD", "supply & distribution", &["OG", "SN"]),
    row("SU", "surgery", &["TH"]),
    row("TU", "therapeutic use", &[]),
    row("TH", "therapy", &[]),
    row("TO", "toxicity", &["AE"]),
    row("TM", "transmission", &["ET"]),
    row("TR", "transplantation", &["SU"]),
    row("TD", "trends", &["OG"]),
    row("US", "ultrasonography", &["DG"]),
    row("UL", "ultrastructure", &["CY"]),
    row("UR", "urine", &["AN", "ME"]),
    row("UT", "utilization", &["OG", "SN"]),
    row("VE", "veterinary", &[]),
    row("VI", "virology", &["MI"]),
];

impl Qualifier {
    /// The qualifier with a name or abbreviation, whatever its case; `and` is
    /// as good as `&`.
    pub fn find(name: &str) -> Option<&'static Self> {
        let name = comparable(name);
        let is_it = |row: &&Self| {
            row.abbreviation.eq_ignore_ascii_case(&name) || comparable(row.name) == name
        };
        TABLE.iter().find(is_it)
    }

    /// A qualifier and every one below it, in the order of the table.
    pub fn explode(&self) -> Vec<&'static Self> {
        let mut found = vec![self.abbreviation];
        let mut at = 0;
        while let Some(&above) = found.get(at) {
            for row in TABLE.iter().filter(|row| row.above.contains(&above)) {
                if !found.contains(&row.abbreviation) {
                    found.push(row.abbreviation);
                }
            }
            at += 1;
        }
        let is_found = |row: &&Self| found.contains(&row.abbreviation);
        TABLE.iter().filter(is_found).collect()
    }

    /// The qualifier that is written most like a text.
    pub fn nearest(text: &str) -> Option<&'static Self> {
        let text = comparable(text);
        let most = (text.chars().count() / 3).max(1);
        let distance =
            |row: &'static Self| (strsim::levenshtein(&text, &comparable(row.name)), row);
        TABLE
            .iter()
            .map(distance)
            .filter(|&(distance, _)| text.len() > 2 && distance <= most)
            .min_by_key(|&(distance, _)| distance)
            .map(|(_, row)| row)
    }
}

fn comparable(name: &str) -> String {
    folded(&name.replace('&', " and "))
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::HashSet;

    fn below(name: &str) -> Vec<&'static str> {
        let all = Qualifier::find(name).unwrap().explode().into_iter();
        all.map(|qualifier| qualifier.name).collect()
    }

    #[test]
    fn names_and_abbreviations_are_known_once() {
        let mut seen = HashSet::new();
        for row in TABLE {
            assert!(seen.insert(row.abbreviation.to_lowercase()), "{row:?}");
            assert!(seen.insert(row.name.to_owned()), "{row:?}");
            assert_eq!(row.abbreviation.len(), 2);
            for above in row.above {
                assert!(Qualifier::find(above).is_some(), "{row:?}");
            }
            assert_eq!(Qualifier::find(row.name), Some(row));
        }
        for name in ["dt", "DT", "Drug Therapy", "drug  therapy"] {
            assert_eq!(Qualifier::find(name).unwrap().name, "drug therapy");
        }
        let control = Qualifier::find("prevention and control").unwrap();
        assert_eq!(control.abbreviation, "PC");
        assert_eq!(Qualifier::find("drug"), None);
        assert_eq!(Qualifier::find(""), None);
    }

    #[test]
    fn families_are_those_that_nlm_teaches() {
        // https://www.nlm.nih.gov/bsd/disted/meshtutorial/meshtreestructures/04.html
        let use_ = below("therapeutic use");
        for name in ["administration & dosage", "adverse effects", "poisoning"] {
            assert!(use_.contains(&name), "{use_:?}");
        }
        // https://www.nlm.nih.gov/bsd/disted/drugs/subheadings.html
        assert_eq!(below("ae"), ["adverse effects", "poisoning", "toxicity"]);
        assert_eq!(below("surgery"), ["surgery", "transplantation"]);
        assert!(below("physiology").contains(&"urine"), "two levels down");
        assert_eq!(below("history"), ["history"]);
    }

    #[test]
    fn the_likest_name_is_known() {
        let nearest = |text| Qualifier::nearest(text).map(|row| row.name);
        assert_eq!(nearest("drug theraphy"), Some("drug therapy"));
        assert_eq!(nearest("qx"), None);
        assert_eq!(nearest("unheard of"), None);
    }
}
