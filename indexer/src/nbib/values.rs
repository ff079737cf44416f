//! Values that are made of several parts.

use medsift::article::{
    Chemical, Databank, Grant, HistoryDate, Link, MeshHeading, MeshTerm, OtherId, PubDate,
};

/// `20100520`, `2010/05/27 06:00`: a date and its time.
pub(super) fn date(text: &str) -> (PubDate, Option<String>) {
    let (day, time) = match text.split_once(' ') {
        Some((day, time)) => (day, Some(time.to_owned())),
        None => (text, None),
    };
    let digits: String = day.chars().filter(char::is_ascii_digit).collect();
    let numbers = (digits.len() == 8)
        .then(|| {
            let part = |range: std::ops::Range<usize>| digits[range].parse::<u16>().ok();
            let month = u8::try_from(part(4..6)?).ok();
            let day = u8::try_from(part(6..8)?).ok();
            PubDate::calendar(part(0..4)?.into(), month, day).ok()
        })
        .flatten();
    match numbers {
        Some(date) => (date, time),
        None => (PubDate::medline(text), None),
    }
}

/// An event of the article's history.
pub(super) fn event(name: &str, text: &str) -> HistoryDate {
    let (date, time) = date(text);
    HistoryDate {
        event: name.to_owned(),
        date,
        time,
    }
}

/// `2010/08/02 [aheadofprint]`
pub(super) fn history(text: &str) -> HistoryDate {
    match bracketed(text) {
        (when, Some(name)) => event(name, when),
        (when, None) => event("unknown", when),
    }
}

/// `2010 Dec 1`, `2003 Winter`, `1998 Dec-1999 Jan`
pub(crate) fn published(text: &str) -> PubDate {
    let parts: Vec<&str> = text.split_whitespace().collect();
    let year = |text: &str| {
        (text.len() == 4)
            .then(|| text.parse::<i32>().ok())
            .flatten()
    };
    let month = crate::pubmed::month_number;
    let calendar = match *parts.as_slice() {
        [y] => year(y).map(|y| (y, None, None)),
        [y, m] => year(y).zip(month(m)).map(|(y, m)| (y, Some(m), None)),
        [y, m, d] => match (year(y), month(m), d.parse().ok()) {
            (Some(y), Some(m), Some(d)) => Some((y, Some(m), Some(d))),
            _ => None,
        },
        _ => None,
    };
    if let Some(date) = calendar.and_then(|(y, m, d)| PubDate::calendar(y, m, d).ok()) {
        return date;
    }
    match *parts.as_slice() {
        [
            y,
            season @ ("Winter" | "Spring" | "Summer" | "Autumn" | "Fall"),
        ] if year(y).is_some() => PubDate::Season {
            year: year(y).unwrap_or_default(),
            season: season.to_owned(),
        },
        _ => PubDate::medline(text),
    }
}

/// `cvq253 [pii]`
pub(super) fn article_id(text: &str) -> OtherId {
    let (value, kind) = bracketed(text);
    OtherId {
        kind: kind.unwrap_or("unknown").to_owned(),
        value: value.to_owned(),
        valid: true,
    }
}

/// `value [name]`
fn bracketed(text: &str) -> (&str, Option<&str>) {
    let inner = text
        .strip_suffix(']')
        .and_then(|text| text.rsplit_once('['));
    match inner {
        Some((value, name)) => (value.trim_end(), Some(name)),
        None => (text, None),
    }
}

/// `NLM: PMC4513071`
pub(super) fn sourced_id(text: &str) -> OtherId {
    let (kind, value) = text.split_once(':').unwrap_or(("", text));
    OtherId {
        kind: kind.trim().to_owned(),
        value: value.trim().to_owned(),
        valid: true,
    }
}

/// `Women, Working/*history/psychology`, `*Asthma`
pub(super) fn mesh(text: &str) -> MeshHeading {
    let mut parts = text.split('/').map(|part| {
        let name = part.trim_start_matches('*');
        let term = MeshTerm {
            name: name.trim().to_owned(),
            ui: None,
        };
        (term, name.len() < part.len())
    });
    let (descriptor, major) = parts.next().unwrap_or_default();
    MeshHeading {
        descriptor,
        major,
        kind: None,
        qualifiers: parts.collect(),
    }
}

/// `EC 3.4.11.1 (Leucyl Aminopeptidase)`
pub(super) fn chemical(text: &str) -> Chemical {
    let (number, name) = match text.split_once(" (") {
        Some((number, name)) => (number, name.strip_suffix(')').unwrap_or(name)),
        None => (text, ""),
    };
    Chemical {
        substance: MeshTerm {
            name: name.to_owned(),
            ui: None,
        },
        registry_number: Some(number.to_owned()),
    }
}

/// `R01 CA1/CA/NCI NIH HHS/United States`: number (which may hold slashes),
/// acronym of two letters where there is one, agency, country.
pub(super) fn grant(text: &str) -> Grant {
    let mut parts: Vec<&str> = text.split('/').map(str::trim).collect();
    let some = |text: &str| Some(text.to_owned()).filter(|text| !text.is_empty());
    let country = (parts.len() > 1).then(|| parts.pop()).flatten();
    let agency = parts.pop();
    let is_acronym = |part: &&str| part.len() == 2 && part.bytes().all(|b| b.is_ascii_uppercase());
    let acronym = (parts.len() > 1)
        .then(|| parts.pop_if(|part| is_acronym(&&**part)))
        .flatten();
    let id = parts.join("/");
    Grant {
        id: some(id.trim_start_matches('/')),
        acronym: acronym.and_then(some),
        agency: agency.and_then(some),
        country: country.and_then(some),
    }
}

/// `ClinicalTrials.gov/NCT00000123`
pub(super) fn databank(text: &str) -> (String, Option<String>) {
    match text.split_once('/') {
        Some((name, accession)) => (name.to_owned(), Some(accession.to_owned())),
        None => (text.to_owned(), None),
    }
}

/// Adds an accession number to the databank of that name.
pub(super) fn add_databank(databanks: &mut Vec<Databank>, text: &str) {
    let (name, accession) = databank(text);
    match databanks.iter_mut().find(|bank| bank.name == name) {
        Some(bank) => bank.accessions.extend(accession),
        None => databanks.push(Databank {
            name,
            accessions: accession.into_iter().collect(),
        }),
    }
}

/// `Clin Exp Med. 2005 Dec;5(4):184-9. PMID: 16362798`
pub(super) fn link(kind: &str, text: &str) -> Link {
    let is_pmid = |text: &&str| !text.is_empty() && text.bytes().all(|b| b.is_ascii_digit());
    let found = text.rsplit_once("PMID:").and_then(|(source, pmid)| {
        let pmid = pmid.trim().trim_end_matches('.');
        Some((source, pmid)).filter(|(_, pmid)| is_pmid(pmid))
    });
    let (source, pmid) = match found {
        Some((source, pmid)) => (source.trim_end(), Some(pmid.to_owned())),
        None => (text, None),
    };
    Link {
        kind: medsift::article::CorrectionKind::parse(kind),
        source: source.to_owned(),
        pmid,
        note: None,
    }
}
