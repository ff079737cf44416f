use clap::Args;
use medsift::query::{Filter, YearRange};

/// Which articles may answer.
#[derive(Debug, Clone, Default, Args)]
#[command(next_help_heading = "Filters")]
pub(crate) struct FilterArgs {
    /// Years: 2019, 2019-2023, 2019- or -2023 (.. does as well as -)
    #[arg(long, value_name = "YEARS", allow_hyphen_values = true)]
    year: Option<YearRange>,
    /// Journal: title, abbreviation or ISSN (repeat for any of several)
    #[arg(long, value_name = "NAME")]
    journal: Vec<String>,
    /// Publication type, such as Review (repeat for any of several)
    #[arg(long = "type", value_name = "TYPE")]
    publication_type: Vec<String>,
    /// MeSH heading or identifier (repeated: every one must be there)
    #[arg(long, value_name = "HEADING")]
    mesh: Vec<String>,
    /// Language as ISO 639-2 code, such as eng (repeat for any of several)
    #[arg(long, value_name = "CODE")]
    language: Vec<String>,
    /// Entity found by `medsift enrich`: identifier, name, or Gene:BRCA1 (repeated: every one)
    #[arg(long, value_name = "ENTITY")]
    entity: Vec<String>,
    /// Relation found by it: type|first|second, * for anything (repeated: every one)
    #[arg(long, value_name = "RELATION")]
    relation: Vec<String>,
    /// Only articles with an abstract
    #[arg(long)]
    has_abstract: bool,
    /// Leave out retracted articles
    #[arg(long)]
    not_retracted: bool,
}

impl FilterArgs {
    /// As the search takes it.
    pub(crate) fn filter(&self) -> Filter {
        Filter {
            year: self.year,
            journal: self.journal.clone(),
            publication_type: self.publication_type.clone(),
            mesh: self.mesh.clone(),
            language: self.language.clone(),
            entity: self.entity.clone(),
            relation: self.relation.clone(),
            has_abstract: self.has_abstract.then_some(true),
            retracted: self.not_retracted.then_some(false),
        }
    }
}
