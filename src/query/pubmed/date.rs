//! Dates as PubMed's ranges write them, and spans that are counted back from
//! the day of the search.

use serde::Serialize;
use std::fmt;
use time::{Duration, Month, OffsetDateTime};

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

impl Date {
    /// A year without end, as PubMed writes it.
    pub const OPEN: Self = Self {
        year: 3000,
        month: None,
        day: None,
    };

    /// The day that it is, in universal time.
    pub fn today() -> Self {
        Self::of(OffsetDateTime::now_utc().date())
    }

    /// The day that lies a span before the first day of this date. Where the
    /// month there is shorter, its last day; nothing before the year 1.
    pub fn before(self, span: Span) -> Self {
        let first = Self {
            year: 1,
            month: Some(1),
            day: Some(1),
        };
        let day = self.earlier(span).filter(|day| day.year() >= 1);
        day.map_or(first, Self::of)
    }

    fn earlier(self, Span { count, unit }: Span) -> Option<time::Date> {
        let day = self.calendar()?;
        let months = match unit {
            Unit::Days => return day.checked_sub(Duration::days(i64::from(count))),
            Unit::Months => i64::from(count),
            Unit::Years => i64::from(count) * 12,
        };
        let month = i64::from(day.year()) * 12 + i64::from(u8::from(day.month())) - 1 - months;
        let year = i32::try_from(month.div_euclid(12)).ok()?;
        let month = Month::try_from(u8::try_from(month.rem_euclid(12)).ok()? + 1).ok()?;
        let last = month.length(year);
        time::Date::from_calendar_date(year, month, day.day().min(last)).ok()
    }

    /// Its first day in the calendar; that of its month where it has no such
    /// day.
    fn calendar(self) -> Option<time::Date> {
        let month = Month::try_from(self.month.unwrap_or(1)).ok()?;
        let year = i32::from(self.year);
        let day = self.day.unwrap_or(1).min(month.length(year));
        time::Date::from_calendar_date(year, month, day).ok()
    }

    fn of(day: time::Date) -> Self {
        Self {
            year: u16::try_from(day.year()).unwrap_or(u16::MAX),
            month: Some(u8::from(day.month())),
            day: Some(day.day()),
        }
    }
}

/// A span of time: `5 years`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub struct Span {
    /// How many; at least one.
    pub count: u32,
    /// Of what.
    pub unit: Unit,
}

/// What a span is counted in.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Unit {
    /// Days.
    Days,
    /// Months of the calendar.
    Months,
    /// Years.
    Years,
}

impl Span {
    /// Reads `last 5 years`, `last 1 month`, `last 60 days`, in any case.
    pub fn parse(text: &str) -> Option<Self> {
        let text = text.to_lowercase();
        let mut words = text.split_whitespace();
        if words.next() != Some("last") {
            return None;
        }
        let count = words.next()?;
        let digits = (1..=5).contains(&count.len()) && count.bytes().all(|b| b.is_ascii_digit());
        let count = digits.then(|| count.parse().ok()).flatten()?;
        let unit = match words.next()? {
            "day" | "days" => Unit::Days,
            "month" | "months" => Unit::Months,
            "year" | "years" => Unit::Years,
            _ => return None,
        };
        (count > 0 && words.next().is_none()).then_some(Self { count, unit })
    }
}

impl fmt::Display for Span {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let unit = match self.unit {
            Unit::Days => "day",
            Unit::Months => "month",
            Unit::Years => "year",
        };
        let plural = if self.count == 1 { "" } else { "s" };
        write!(f, "{} {unit}{plural}", self.count)
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

    #[test]
    fn spans_are_counted_back_in_the_calendar() {
        for (today, span, day) in [
            ("2024/02/29", "last 5 years", "2019/02/28"),
            ("2024/02/29", "last 4 years", "2020/02/29"),
            ("2024/03/31", "last 1 month", "2024/02/29"),
            ("2024/01/15", "last 2 months", "2023/11/15"),
            ("2024/01/15", "LAST 60 Days", "2023/11/16"),
            ("2024", "last 1 day", "2023/12/31"),
            ("2024/01/15", "last 99999 years", "0001/01/01"),
            ("2024/01/15", "last 99999 days", "1750/04/02"),
        ] {
            let today = Date::parse(today).unwrap();
            let span = Span::parse(span).unwrap();
            assert_eq!(today.before(span).to_string(), day, "{span}");
        }
        assert!(Date::today().first_day() > 20_250_101);
    }

    #[test]
    fn spans_are_read_and_written() {
        for (text, written) in [
            ("last 1 years", "1 year"),
            ("last 05 years", "5 years"),
            ("last  3 month", "3 months"),
        ] {
            assert_eq!(Span::parse(text).unwrap().to_string(), written);
        }
        for text in [
            "last",
            "last 5",
            "5 years",
            "last 0 days",
            "last five years",
            "last 5 weeks",
            "last 5 years ago",
            "last 123456 days",
            "last -5 days",
        ] {
            assert_eq!(Span::parse(text), None, "{text}");
        }
    }
}
