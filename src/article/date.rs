use serde::{Deserialize, Serialize};
use std::fmt;

/// A publication date as far as the source knows it.
// Read back by the first variant whose fields are all there, so the one that
// needs least is last.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(untagged)]
pub enum PubDate {
    /// Year and season (`Winter`, `Spring`, `Summer`, `Autumn`, `Fall`).
    Season {
        /// Year.
        year: i32,
        /// The season as written.
        season: String,
    },
    /// `MedlineDate`: free text such as `1998 Dec-1999 Jan`.
    Medline {
        /// The text as written.
        medline_date: String,
        /// First year in it, where there is one.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        year: Option<i32>,
    },
    /// Year, with month and day where known.
    Calendar {
        /// Year.
        year: i32,
        /// Month, 1 to 12.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        month: Option<u8>,
        /// Day of the month, 1 to 31.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        day: Option<u8>,
    },
}

/// A date with the name of what happened on it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct HistoryDate {
    /// `received`, `accepted`, `pubmed`, `electronic`, `completed`, …
    pub event: String,
    /// When.
    pub date: PubDate,
    /// Hour and minute, where the source gives them, as `HH:MM`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub time: Option<String>,
}

/// Why parts do not make a date.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("not a calendar date: year {year}, month {month:?}, day {day:?}")]
pub struct DateError {
    /// Year given.
    pub year: i32,
    /// Month given.
    pub month: Option<u8>,
    /// Day given.
    pub day: Option<u8>,
}

impl PubDate {
    /// A calendar date; month and day are checked, the day against 31 only,
    /// since sources hold days such as 31 June and the date is theirs.
    pub fn calendar(year: i32, month: Option<u8>, day: Option<u8>) -> Result<Self, DateError> {
        let month_fits = month.is_none_or(|m| (1..=12).contains(&m));
        let day_fits = day.is_none_or(|d| (1..=31).contains(&d) && month.is_some());
        if month_fits && day_fits {
            Ok(Self::Calendar { year, month, day })
        } else {
            Err(DateError { year, month, day })
        }
    }

    /// Free text; the first run of exactly four digits is its year.
    pub fn medline(text: &str) -> Self {
        let year = text
            .split(|c: char| !c.is_ascii_digit())
            .find(|run| run.len() == 4)
            .and_then(|run| run.parse().ok());
        Self::Medline {
            medline_date: text.trim().to_owned(),
            year,
        }
    }

    /// The (first) year.
    pub fn year(&self) -> Option<i32> {
        match self {
            Self::Calendar { year, .. } | Self::Season { year, .. } => Some(*year),
            Self::Medline { year, .. } => *year,
        }
    }
}

/// As PubMed prints it: `2019 Mar 4`, `2003 Winter`, `1998 Dec-1999 Jan`.
impl fmt::Display for PubDate {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        const MONTHS: [&str; 12] = [
            "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
        ];
        match self {
            Self::Calendar { year, month, day } => {
                write!(f, "{year}")?;
                if let Some(name) = month.and_then(|m| MONTHS.get(usize::from(m).wrapping_sub(1))) {
                    write!(f, " {name}")?;
                    if let Some(day) = day {
                        write!(f, " {day}")?;
                    }
                }
                Ok(())
            }
            Self::Season { year, season } => write!(f, "{year} {season}"),
            Self::Medline { medline_date, .. } => f.write_str(medline_date),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn prints_like_pubmed() {
        let date = PubDate::calendar(2019, Some(3), Some(4)).unwrap();
        assert_eq!(date.to_string(), "2019 Mar 4");
        assert_eq!(
            PubDate::calendar(2019, None, None).unwrap().to_string(),
            "2019"
        );
    }

    #[test]
    fn a_medline_date_gives_its_first_year() {
        assert_eq!(PubDate::medline("1998 Dec-1999 Jan").year(), Some(1998));
        assert_eq!(PubDate::medline("Spring-Summer").year(), None);
    }

    #[test]
    fn every_form_is_restored_as_it_was() {
        let season = PubDate::Season {
            year: 2003,
            season: "Winter".to_owned(),
        };
        let calendar = PubDate::calendar(2019, Some(3), None).unwrap();
        for date in [season, calendar, PubDate::medline("1998 Dec-1999 Jan")] {
            let stored = serde_json::to_string(&date).unwrap();
            assert_eq!(serde_json::from_str::<PubDate>(&stored).unwrap(), date);
        }
    }

    #[test]
    fn a_month_out_of_range_is_refused() {
        assert!(PubDate::calendar(2019, Some(13), None).is_err());
        assert!(PubDate::calendar(2019, None, Some(4)).is_err());
    }
}
