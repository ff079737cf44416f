//! Dates as PubMed's ranges write them.

use serde::Serialize;
use std::fmt;

/// A day, month or year: `2019/03/04`, `2019/03`, `2019`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub struct Date {
    year: u16,
    #[serde(skip_serializing_if = "Option::is_none")]
    month: Option<u8>,
    #[serde(skip_serializing_if = "Option::is_none")]
    day: Option<u8>,
}

impl Date {
    /// Reads `YYYY`, `YYYY/MM` or `YYYY/MM/DD`; one digit does for month and
    /// day.
    pub fn parse(text: &str) -> Option<Self> {
        let mut parts = text.trim().split('/');
        let number = |part: &str, longest: usize| -> Option<u16> {
            let fits = (1..=longest).contains(&part.len());
            (fits && part.bytes().all(|byte| byte.is_ascii_digit()))
                .then(|| part.parse().ok())
                .flatten()
        };
        let year = parts.next().filter(|year| year.len() == 4)?;
        let year = number(year, 4)?;
        let mut part = |most: u16| match parts.next() {
            None => Some(None),
            Some(part) => {
                let number = number(part, 2).filter(|number| (1..=most).contains(number))?;
                Some(u8::try_from(number).ok())
            }
        };
        let (month, day) = (part(12)?, part(31)?);
        parts.next().is_none().then_some(Self { year, month, day })
    }

    /// Its first day, as the number `YYYYMMDD`.
    pub fn first_day(self) -> i64 {
        self.day_number(1, 1)
    }

    /// Its last day, as the number `YYYYMMDD`. Months end with day 31 here:
    /// sources hold days such as 31 June.
    pub fn last_day(self) -> i64 {
        self.day_number(12, 31)
    }

    fn day_number(self, month: u8, day: u8) -> i64 {
        let month = i64::from(self.month.unwrap_or(month));
        let day = i64::from(self.day.unwrap_or(day));
        i64::from(self.year) * 10_000 + month * 100 + day
    }
}

impl fmt::Display for Date {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:04}", self.year)?;
        for part in [self.month, self.day].into_iter().flatten() {
            write!(f, "/{part:02}")?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dates_are_read_and_written() {
        for (text, written, first, last) in [
            ("2019", "2019", 20_190_101, 20_191_231),
            ("2019/3", "2019/03", 20_190_301, 20_190_331),
            ("2019/03/04", "2019/03/04", 20_190_304, 20_190_304),
            ("3000", "3000", 30_000_101, 30_001_231),
        ] {
            let date = Date::parse(text).unwrap();
            assert_eq!(date.to_string(), written);
            assert_eq!((date.first_day(), date.last_day()), (first, last));
        }
        for text in [
            "",
            "19",
            "2019/",
            "2019/13",
            "2019/1/32",
            "2019/1/1/1",
            "+201",
            "2019-01",
        ] {
            assert_eq!(Date::parse(text), None, "{text}");
        }
    }
}
