//! Days of an article, as numbers that compare.

use super::Filler;
use crate::article::{Article, PubDate};
use tantivy::schema::Field;

impl Filler<'_> {
    /// Adds every day that searches by date ask for.
    pub(super) fn days(&mut self, article: &Article) {
        let dates = self.fields.dates;
        if let Some(published) = &article.published {
            self.day(dates.print, published);
        }
        let events = [
            (dates.electronic, "electronic"),
            (dates.entry, "pubmed"),
            (dates.mesh, "medline"),
            (dates.complete, "completed"),
            (dates.revise, "last-revised"),
        ];
        for (field, event) in events {
            self.event(field, article, event);
        }
        if let Some(day) = sorting_day(article) {
            self.document.add_i64(dates.sort, day);
        }
        if !self.event(dates.create, article, "entrez") {
            self.event(dates.create, article, "created");
        }
    }

    fn event(&mut self, field: Field, article: &Article, name: &str) -> bool {
        let mut events = article.history.iter().filter(|event| event.event == name);
        let first = events.next();
        if let Some(event) = first {
            self.day(field, &event.date);
        }
        first.is_some()
    }

    fn day(&mut self, field: Field, date: &PubDate) {
        if let Some(day) = first_day(date) {
            self.document.add_i64(field, day);
        }
    }
}

/// The day that an article has in a list by date: of its printed edition, else
/// the first day that its history names.
fn sorting_day(article: &Article) -> Option<i64> {
    let history = article.history.iter().map(|event| &event.date);
    article.published.iter().chain(history).find_map(first_day)
}

/// `YYYYMMDD`. Where a source leaves out month or day, the first one counts, as
/// in PubMed.
fn first_day(date: &PubDate) -> Option<i64> {
    let year = i64::from(date.year()?);
    let (month, day) = match date {
        PubDate::Calendar { month, day, .. } => (month.unwrap_or(1), day.unwrap_or(1)),
        PubDate::Season { season, .. } => (first_month(season), 1),
        PubDate::Medline { medline_date, .. } => {
            let after_year = medline_date.split_once(&format!("{year:04}"));
            (first_month(after_year.map_or("", |(_, rest)| rest)), 1)
        }
    };
    Some(year * 10_000 + i64::from(month) * 100 + i64::from(day))
}

/// The month that a text begins with, or the season; January else.
fn first_month(text: &str) -> u8 {
    const MONTHS: [&str; 16] = [
        "jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec", "win",
        "spr", "sum", "aut",
    ];
    let word = text.trim_start().to_lowercase();
    let at = MONTHS.iter().position(|month| word.starts_with(month));
    match at {
        Some(month @ 0..=11) => month as u8 + 1,
        Some(season) => (season as u8 - 12) * 3 + 1,
        None if word.starts_with("fall") => 10,
        None => 1,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dates_are_days() {
        let season = PubDate::Season {
            year: 2003,
            season: "Fall".into(),
        };
        for (date, day) in [
            (
                PubDate::calendar(2019, Some(3), Some(4)).unwrap(),
                20_190_304,
            ),
            (PubDate::calendar(2019, Some(3), None).unwrap(), 20_190_301),
            (PubDate::calendar(2019, None, None).unwrap(), 20_190_101),
            (PubDate::medline("1998 Dec-1999 Jan"), 19_981_201),
            (PubDate::medline("1998 Spring"), 19_980_401),
            (PubDate::medline("1998-1999"), 19_980_101),
            (season, 20_031_001),
        ] {
            assert_eq!(first_day(&date), Some(day), "{date}");
        }
        assert_eq!(first_day(&PubDate::medline("Spring")), None);
    }
}
