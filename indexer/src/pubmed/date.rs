//! Dates, in the several forms that the DTD has.

use crate::xml::{Cursor, Flaw};
use medsift::Article;
use medsift::article::{HistoryDate, PubDate};

/// Parts of a date as written.
#[derive(Debug, Default)]
pub(super) struct DateParts {
    year: Option<String>,
    month: Option<String>,
    day: Option<String>,
    season: Option<String>,
    medline: Option<String>,
    hour: Option<String>,
    minute: Option<String>,
}

/// Reads a date's elements.
pub(super) fn read(cursor: &mut Cursor<'_>) -> Result<DateParts, Flaw> {
    let mut parts = DateParts::default();
    while let Some(element) = cursor.child()? {
        let part = match element.name() {
            "Year" => &mut parts.year,
            "Month" => &mut parts.month,
            "Day" => &mut parts.day,
            "Season" => &mut parts.season,
            "MedlineDate" => &mut parts.medline,
            "Hour" => &mut parts.hour,
            "Minute" => &mut parts.minute,
            _ => {
                cursor.leftover(&element)?;
                continue;
            }
        };
        *part = cursor.some_text()?;
    }
    Ok(parts)
}

/// Reads a date into the article's history under the name of what happened.
pub(super) fn history(
    cursor: &mut Cursor<'_>,
    record: &mut Article,
    event: &str,
) -> Result<(), Flaw> {
    let parts = read(cursor)?;
    let time = parts.time();
    if let Some(date) = parts.publication() {
        record.history.push(HistoryDate {
            event: event.to_owned(),
            date,
            time,
        });
    }
    Ok(())
}

impl DateParts {
    /// The date; `None` where there are no parts. Parts that make no calendar
    /// date, such as a month `Mar-Apr`, stay as text.
    pub(super) fn publication(self) -> Option<PubDate> {
        if let Some(text) = &self.medline {
            return Some(PubDate::medline(text));
        }
        let year = self.year.as_deref().and_then(|year| year.parse().ok());
        if let (Some(year), Some(season)) = (year, &self.season) {
            return Some(PubDate::Season {
                year,
                season: season.clone(),
            });
        }
        self.calendar(year).or_else(|| self.as_text())
    }

    fn calendar(&self, year: Option<i32>) -> Option<PubDate> {
        let month = match &self.month {
            Some(month) => Some(month_number(month)?),
            None => None,
        };
        let day = match &self.day {
            Some(day) => Some(day.parse().ok()?),
            None => None,
        };
        PubDate::calendar(year?, month, day).ok()
    }

    fn as_text(&self) -> Option<PubDate> {
        let parts = [&self.year, &self.season, &self.month, &self.day];
        let parts: Vec<&str> = parts.into_iter().flatten().map(String::as_str).collect();
        (!parts.is_empty()).then(|| PubDate::medline(&parts.join(" ")))
    }

    /// `HH:MM`, where both are given.
    fn time(&self) -> Option<String> {
        let number = |part: &Option<String>| part.as_ref()?.parse::<u8>().ok();
        Some(format!(
            "{:02}:{:02}",
            number(&self.hour)?,
            number(&self.minute)?
        ))
    }
}

/// Month of a number (`03`, `3`) or an English name (`Mar`, `March`).
pub(crate) fn month_number(text: &str) -> Option<u8> {
    const NAMES: [&str; 12] = [
        "january",
        "february",
        "march",
        "april",
        "may",
        "june",
        "july",
        "august",
        "september",
        "october",
        "november",
        "december",
    ];
    if let Ok(number) = text.parse() {
        return (1..=12).contains(&number).then_some(number);
    }
    let text = text.trim_end_matches('.').to_lowercase();
    let names = NAMES.iter().zip(1u8..);
    let mut matching = names.filter(|(name, _)| text.len() >= 3 && name.starts_with(&text));
    matching.next().map(|(_, number)| number)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn date(xml: &str) -> Option<PubDate> {
        let xml = format!("<D>{xml}</D>");
        let mut cursor = Cursor::new(&xml);
        cursor.child().unwrap();
        read(&mut cursor).unwrap().publication()
    }

    #[test]
    fn forms_of_dates() {
        let calendar = |y, m, d| Some(PubDate::calendar(y, m, d).unwrap());
        assert_eq!(
            date("<Year>2004</Year><Month>Feb</Month><Day>09</Day>"),
            calendar(2004, Some(2), Some(9))
        );
        assert_eq!(date("<Year>2004</Year>"), calendar(2004, None, None));
        assert_eq!(
            date("<Year>2004</Year><Season>Spring</Season>")
                .unwrap()
                .to_string(),
            "2004 Spring"
        );
        assert_eq!(
            date("<MedlineDate>1998 Dec-1999 Jan</MedlineDate>"),
            Some(PubDate::medline("1998 Dec-1999 Jan"))
        );
        assert_eq!(date(""), None);
    }

    #[test]
    fn what_is_no_calendar_date_stays_as_text() {
        assert_eq!(
            date("<Year>2004</Year><Month>Mar-Apr</Month>"),
            Some(PubDate::medline("2004 Mar-Apr"))
        );
        assert_eq!(
            date("<Year>2004</Year><Month>13</Month><Day>40</Day>"),
            Some(PubDate::medline("2004 13 40"))
        );
        assert_eq!(
            date("<Season>Winter</Season>"),
            Some(PubDate::medline("Winter"))
        );
        assert_eq!(date("<Year>n.d.</Year>"), Some(PubDate::medline("n.d.")));
    }

    #[test]
    fn months() {
        for (text, month) in [
            ("Jan", 1),
            ("09", 9),
            ("Sept", 9),
            ("December", 12),
            ("May.", 5),
        ] {
            assert_eq!(month_number(text), Some(month));
        }
        for text in ["", "J", "Ju", "0", "13", "Janvier", "Jan-Feb"] {
            assert_eq!(month_number(text), None, "{text}");
        }
    }
}
