//! Which part of MeSH the mentions of a type may be linked to.

/// A group of MeSH's trees that one type of entity is linked to.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[repr(u8)]
pub enum ConceptKind {
    /// Diseases, signs and symptoms (C), and mental disorders (F03).
    Disease = 1,
    /// Chemicals and drugs (D).
    Chemical = 2,
    /// Organisms (B).
    Species = 4,
    /// Anatomy, cells among it (A).
    Anatomy = 8,
}

impl ConceptKind {
    /// All kinds.
    pub const ALL: [Self; 4] = [Self::Disease, Self::Chemical, Self::Species, Self::Anatomy];

    /// The kind of a type of entities, as heads and corpora name them; none
    /// for those that MeSH's descriptors do not cover, such as genes.
    pub fn of_type(name: &str) -> Option<Self> {
        match name {
            // The last four are the classes of the NCBI disease corpus.
            "Disease"
            | "DiseaseOrPhenotypicFeature"
            | "SpecificDisease"
            | "DiseaseClass"
            | "Modifier"
            | "CompositeMention" => Some(Self::Disease),
            "Chemical" | "ChemicalEntity" => Some(Self::Chemical),
            "Species" | "OrganismTaxon" | "Organism" => Some(Self::Species),
            "Anatomy" | "Cell" => Some(Self::Anatomy),
            _ => None,
        }
    }

    /// The kind whose trees have a tree number such as `C08.127`.
    pub fn of_place(number: &str) -> Option<Self> {
        match number.as_bytes() {
            [b'C', ..] | [b'F', b'0', b'3', ..] => Some(Self::Disease),
            [b'D', ..] => Some(Self::Chemical),
            [b'B', ..] => Some(Self::Species),
            [b'A', ..] => Some(Self::Anatomy),
            _ => None,
        }
    }

    /// Whether what no rule links is linked to the nearest name. Of chemicals
    /// too few of such links are right; of the others nobody has measured it.
    pub fn by_nearest(self) -> bool {
        self == Self::Disease
    }

    /// Its bit in a set of kinds.
    pub(super) fn bit(self) -> u8 {
        self as u8
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn types_and_places_have_their_kinds() {
        for (name, number, kind) in [
            ("Disease", "C08.127", Some(ConceptKind::Disease)),
            ("DiseaseClass", "F03.600", Some(ConceptKind::Disease)),
            ("Chemical", "D02.455", Some(ConceptKind::Chemical)),
            ("OrganismTaxon", "B01.050", Some(ConceptKind::Species)),
            ("Cell", "A11.118", Some(ConceptKind::Anatomy)),
            ("Gene", "F01.145", None),
            ("", "", None),
        ] {
            assert_eq!(ConceptKind::of_type(name), kind, "{name}");
            assert_eq!(ConceptKind::of_place(number), kind, "{number}");
        }
    }
}
