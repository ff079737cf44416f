use serde::{Deserialize, Serialize};

/// An identifier of the article other than its key.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct OtherId {
    /// `doi`, `pmc`, `pii`, `mid`, `bookaccession`, `NASA`, …
    pub kind: String,
    /// The value as written.
    pub value: String,
    /// `false` where the source marks the identifier as not valid.
    #[serde(default = "super::yes", skip_serializing_if = "super::is_yes")]
    pub valid: bool,
}

// By hand, since an identifier is valid unless its source says otherwise.
impl Default for OtherId {
    fn default() -> Self {
        Self {
            kind: String::new(),
            value: String::new(),
            valid: true,
        }
    }
}

/// A databank with accession numbers.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Databank {
    /// `ClinicalTrials.gov`, `GENBANK`, `PDB`, …
    pub name: String,
    /// Accession numbers such as `NCT00000123`.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub accessions: Vec<String>,
}

/// A grant.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Grant {
    /// Number.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub id: Option<String>,
    /// Two-letter acronym of the institute.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub acronym: Option<String>,
    /// Agency.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub agency: Option<String>,
    /// Country.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub country: Option<String>,
}

/// A cited work.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Reference {
    /// The citation as text.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub citation: String,
    /// Heading of the list that holds it, where lists are nested.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub list_title: Option<String>,
    /// Its PMID, DOI, PMC id.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub ids: Vec<OtherId>,
}

/// A link to a comment, correction, retraction or other version.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Link {
    /// What the other article is to this one.
    pub kind: CorrectionKind,
    /// Where it was published, as text.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub source: String,
    /// Its PMID.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub pmid: Option<String>,
    /// Note.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub note: Option<String>,
}

/// `RefType` of `CommentsCorrections`: what the linked article is to this one.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub enum CorrectionKind {
    /// Dataset associated with this article.
    AssociatedDataset,
    /// Publication associated with this dataset.
    AssociatedPublication,
    /// This article comments on the other.
    CommentOn,
    /// The other comments on this article.
    CommentIn,
    /// The other is a correction notice of this article.
    ErratumIn,
    /// This is a correction notice of the other.
    ErratumFor,
    /// The other corrects and republishes this article.
    #[serde(rename = "CorrectedandRepublishedIn")]
    CorrectedAndRepublishedIn,
    /// This corrects and republishes the other.
    #[serde(rename = "CorrectedandRepublishedFrom")]
    CorrectedAndRepublishedFrom,
    /// The other expresses concern about this article.
    ExpressionOfConcernIn,
    /// This expresses concern about the other.
    ExpressionOfConcernFor,
    /// The other is this article, published again.
    RepublishedIn,
    /// This is the other, published again.
    RepublishedFrom,
    /// The other is the notice that retracts this article.
    RetractionIn,
    /// This is the notice that retracts the other.
    RetractionOf,
    /// The other retracts and republishes this article.
    #[serde(rename = "RetractedandRepublishedIn")]
    RetractedAndRepublishedIn,
    /// This retracts and republishes the other.
    #[serde(rename = "RetractedandRepublishedFrom")]
    RetractedAndRepublishedFrom,
    /// The other updates this article.
    UpdateIn,
    /// This updates the other.
    UpdateOf,
    /// The other summarises this article for patients.
    SummaryForPatientsIn,
    /// The other is the original report of which this is a summary.
    OriginalReportIn,
    /// The other reprints this article.
    ReprintIn,
    /// This is a reprint of the other.
    ReprintOf,
    /// This article cites the other.
    Cites,
    /// A kind that later vintages may add, as written.
    #[serde(untagged)]
    Other(String),
}

impl CorrectionKind {
    /// Reads a `RefType`.
    pub fn parse(text: &str) -> Self {
        // The enum's own names are the DTD's, so serde's table is the one table.
        serde_json::from_value(serde_json::Value::String(text.to_owned()))
            .unwrap_or_else(|_| Self::Other(text.to_owned()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn kinds_are_named_as_in_the_dtd() {
        let known = CorrectionKind::parse("CorrectedandRepublishedFrom");
        assert_eq!(known, CorrectionKind::CorrectedAndRepublishedFrom);
        let known = CorrectionKind::parse("RetractionIn");
        assert_eq!(known, CorrectionKind::RetractionIn);
        let other = CorrectionKind::parse("PartialRetractionIn");
        assert_eq!(
            other,
            CorrectionKind::Other("PartialRetractionIn".to_owned())
        );
        for kind in [known, other] {
            let text = serde_json::to_string(&kind).unwrap();
            assert_eq!(serde_json::from_str::<CorrectionKind>(&text).unwrap(), kind);
        }
    }
}
