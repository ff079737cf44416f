//! Dates, in the forms that the DTD has.

use crate::article::{HistoryDate, PubDate};
use crate::xml::XmlWriter;

const MONTHS: [&str; 12] = [
    "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
];

/// A date of publication: months by name, seasons and free text.
pub(super) fn publication(xml: &mut XmlWriter, name: &str, date: Option<&PubDate>) {
    let Some(date) = date else { return };
    xml.inside(name, &[], |xml| match date {
        PubDate::Calendar { year, month, day } => {
            xml.leaf("Year", &year.to_string());
            let named = month.and_then(|month| MONTHS.get(usize::from(month).checked_sub(1)?));
            if let Some(month) = named {
                xml.leaf("Month", month);
            }
            number(xml, "Day", *day);
        }
        PubDate::Season { year, season } => {
            xml.leaf("Year", &year.to_string());
            xml.leaf("Season", season);
        }
        PubDate::Medline { medline_date, .. } => xml.leaf("MedlineDate", medline_date),
    });
}

/// An event that has an element of its own.
pub(super) fn event(
    xml: &mut XmlWriter,
    name: &str,
    attributes: &[(&str, Option<&str>)],
    event: &HistoryDate,
) {
    xml.inside(name, attributes, |xml| numbers(xml, &event.date));
}

/// `PubMedPubDate`, the form of every other event.
pub(super) fn named_event(xml: &mut XmlWriter, event: &HistoryDate) {
    let attributes = [("PubStatus", Some(event.event.as_str()))];
    xml.inside("PubMedPubDate", &attributes, |xml| {
        numbers(xml, &event.date);
        let time = event.time.as_deref().and_then(|time| time.split_once(':'));
        if let Some((hour, minute)) = time {
            xml.leaf("Hour", hour);
            xml.leaf("Minute", minute);
        }
    });
}

/// Whether an event can stand in an element that has days and no time.
pub(super) fn is_day(event: &HistoryDate) -> bool {
    event.time.is_none() && matches!(event.date, PubDate::Calendar { .. })
}

/// Events have no place for free text but that of the year.
fn numbers(xml: &mut XmlWriter, date: &PubDate) {
    match date {
        PubDate::Calendar { year, month, day } => {
            xml.leaf("Year", &year.to_string());
            number(xml, "Month", *month);
            number(xml, "Day", *day);
        }
        other => xml.leaf("Year", &other.to_string()),
    }
}

fn number(xml: &mut XmlWriter, name: &str, value: Option<u8>) {
    if let Some(value) = value {
        xml.leaf(name, &format!("{value:02}"));
    }
}
