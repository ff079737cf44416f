//! A range of years, and the one way in which it is read from text.

use crate::error::{Error, Result};
use serde::{Deserialize, Serialize};
use std::str::FromStr;

/// Years from and to, both included, either open.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct YearRange {
    /// First year.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub from: Option<i32>,
    /// Last year.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub to: Option<i32>,
}

/// What stands between the two years: `..`, a hyphen, or the dash that
/// printed ranges have.
const BETWEEN: [&str; 3] = ["..", "-", "–"];

impl FromStr for YearRange {
    type Err = Error;

    /// Reads `2019`, `2019-2023`, `2019-`, `-2023`, and the same with `..`.
    ///
    /// # Errors
    ///
    /// `InvalidInput` on `filter.year` for anything else.
    fn from_str(text: &str) -> Result<Self> {
        let bad = || {
            Error::invalid(
                "filter.year",
                format!(
                    "the year {text:?} is not understood: use 2019, 2019-2023, 2019- or -2023 \
                     (.. does as well as -)"
                ),
            )
        };
        let end = |part: &str| match part.trim() {
            "" => Ok(None),
            digits if digits.len() <= 4 && digits.bytes().all(|byte| byte.is_ascii_digit()) => {
                digits.parse().map(Some).map_err(|_| bad())
            }
            _ => Err(bad()),
        };
        let parts = BETWEEN.iter().find_map(|sign| text.split_once(sign));
        let (from, to) = parts.unwrap_or((text, text));
        let range = Self {
            from: end(from)?,
            to: end(to)?,
        };
        if range == Self::default() {
            return Err(bad());
        }
        Ok(range)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn years_come_alone_or_as_a_range() {
        for (text, from, to) in [
            ("2019", Some(2019), Some(2019)),
            (" 2019 ", Some(2019), Some(2019)),
            ("2019-2023", Some(2019), Some(2023)),
            ("2019 - 2023", Some(2019), Some(2023)),
            ("2019–2023", Some(2019), Some(2023)),
            ("2019-", Some(2019), None),
            ("-2023", None, Some(2023)),
            ("2019..2023", Some(2019), Some(2023)),
            ("2019..", Some(2019), None),
            ("..2023", None, Some(2023)),
        ] {
            assert_eq!(text.parse::<YearRange>().unwrap(), YearRange { from, to });
        }
    }

    #[test]
    fn anything_else_is_refused_with_the_forms_that_work() {
        for text in [
            "",
            "..",
            "-",
            "next",
            "2019..soon",
            "2019-2020-2021",
            "+2019",
            "--2019",
            "20190",
        ] {
            let error = text.parse::<YearRange>().unwrap_err();
            assert_eq!(error.field(), Some("filter.year"), "{text:?}");
            assert!(error.to_string().contains("2019-2023"), "{error}");
        }
    }
}
