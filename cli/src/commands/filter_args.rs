use clap::Args;
use medsift::query::{Filter, YearRange};

/// Which articles may answer.
#[derive(Debug, Clone, Default, Args)]
#[command(next_help_heading = "Filters")]
pub(crate) struct FilterArgs {
    /// Years: 2019, 2019..2023, 2019.. or ..2023
    #[arg(long, value_name = "YEARS", value_parser = parse_years, allow_hyphen_values = true)]
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
            has_abstract: self.has_abstract.then_some(true),
            retracted: self.not_retracted.then_some(false),
        }
    }
}

/// One year, or two with `..` or `-` between, either of which may be absent.
fn parse_years(text: &str) -> Result<YearRange, String> {
    let year = |part: &str| match part.trim() {
        "" => Ok(None),
        digits => digits
            .parse::<u16>()
            .map(|year| Some(i32::from(year)))
            .map_err(|_| format!("{digits:?} is not a year")),
    };
    let (from, to) = match text.split_once("..").or_else(|| text.split_once('-')) {
        Some((from, to)) => (year(from)?, year(to)?),
        None => (year(text)?, year(text)?),
    };
    if from.is_none() && to.is_none() {
        return Err("use 2019, 2019..2023, 2019.. or ..2023".to_owned());
    }
    Ok(YearRange { from, to })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn years_come_alone_or_as_a_range() {
        for (text, from, to) in [
            ("2019", Some(2019), Some(2019)),
            ("2019..2023", Some(2019), Some(2023)),
            ("2019-2023", Some(2019), Some(2023)),
            ("2019..", Some(2019), None),
            ("..2023", None, Some(2023)),
        ] {
            assert_eq!(parse_years(text), Ok(YearRange { from, to }), "{text}");
        }
        for text in ["", "..", "next", "2019..soon", "-"] {
            assert!(parse_years(text).is_err(), "{text}");
        }
    }
}
