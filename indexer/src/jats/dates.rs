//! Dates of JATS: `pub-date` and the `date`s of the history.

use crate::pubmed::month_number;
use crate::xml::{Cursor, Flaw};
use medsift::article::PubDate;

/// Reads the parts of a date; `None` where there are none.
pub(super) fn read(cursor: &mut Cursor<'_>) -> Result<Option<PubDate>, Flaw> {
    let (mut year, mut month, mut day) = (None, None, None);
    let (mut season, mut text) = (None, None);
    while let Some(element) = cursor.child()? {
        let part = match element.name() {
            "year" => &mut year,
            "month" => &mut month,
            "day" => &mut day,
            "season" => &mut season,
            "string-date" => &mut text,
            _ => {
                cursor.skip()?;
                continue;
            }
        };
        *part = cursor.some_text()?;
    }
    let number: Option<i32> = year.as_deref().and_then(|year| year.parse().ok());
    if let (Some(year), Some(season)) = (number, &season) {
        let season = season.clone();
        return Ok(Some(PubDate::Season { year, season }));
    }
    let calendar = || {
        let month = month.as_deref().map(|month| month_number(month).ok_or(()));
        let day = day.as_deref().map(|day| day.parse().map_err(|_| ()));
        let (month, day) = (month.transpose().ok()?, day.transpose().ok()?);
        PubDate::calendar(number?, month, day).ok()
    };
    Ok(calendar().or_else(|| {
        let parts = [&year, &season, &month, &day, &text];
        let parts: Vec<&str> = parts.into_iter().flatten().map(String::as_str).collect();
        (!parts.is_empty()).then(|| PubDate::medline(&parts.join(" ")))
    }))
}
