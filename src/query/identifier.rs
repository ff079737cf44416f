//! What people paste in place of words.

use super::pubmed::uses_syntax;

/// Digits of a registrant in a DOI.
const REGISTRANT: std::ops::RangeInclusive<usize> = 4..=9;

/// What may stand before a DOI.
const BEFORE: [&str; 8] = [
    "https://doi.org/",
    "http://doi.org/",
    "https://www.doi.org/",
    "http://www.doi.org/",
    "https://dx.doi.org/",
    "http://dx.doi.org/",
    "doi.org/",
    "doi:",
];

/// The query that a text stands for which is an identifier and nothing else: a
/// DOI as people paste it, `PMID: 123`, `pmc:PMC123`.
pub(super) fn lone_identifier(text: &str) -> Option<String> {
    if let Some(doi) = lone_doi(text) {
        return Some(format!("\"{doi}\"[doi]"));
    }
    let (name, value) = text.trim().split_once([':', ' '])?;
    let value = value.trim_start_matches([':', ' ']);
    let is_number = |value: &str| {
        !value.is_empty() && value.len() <= 12 && value.bytes().all(|byte| byte.is_ascii_digit())
    };
    match name.to_ascii_lowercase().as_str() {
        "pmid" => is_number(value).then(|| format!("{value}[pmid]")),
        "pmc" | "pmcid" => {
            let upper = value.to_ascii_uppercase();
            let number = upper.strip_prefix("PMC").unwrap_or(&upper);
            is_number(number).then(|| format!("PMC{number}[pmc]"))
        }
        _ => None,
    }
}

/// The DOI that a text consists of: alone, behind `doi:`, or as an address of
/// doi.org.
fn lone_doi(text: &str) -> Option<&str> {
    let text = text.trim();
    let bare = BEFORE.iter().find_map(|before| {
        let start = text.get(..before.len())?;
        start
            .eq_ignore_ascii_case(before)
            .then(|| text[before.len()..].trim_start())
    });
    // A reference ends with a full stop, a list goes on.
    let doi = bare.unwrap_or(text).trim_end_matches(['.', ',', ';']);
    let (registrant, rest) = doi.strip_prefix("10.")?.split_once('/')?;
    let registrant = registrant.split('.').next().unwrap_or_default();
    let is_number = registrant.bytes().all(|byte| byte.is_ascii_digit());
    // A quotation mark would end the phrase that it becomes.
    let is_word = !rest.is_empty() && !rest.contains(|c: char| c.is_whitespace() || c == '"');
    // Brackets are part of some DOIs, but a field tag is none of them.
    let has_tag = doi.ends_with(']') && uses_syntax(doi);
    (REGISTRANT.contains(&registrant.len()) && is_number && is_word && !has_tag).then_some(doi)
}

/// Whether a text refers to lines of a strategy: `#1 AND #3`.
pub(super) fn refers_to_lines(text: &str) -> bool {
    let words = text.split(|c: char| c.is_whitespace() || c == '(' || c == ')');
    words.into_iter().any(|word| {
        let number = word.strip_prefix('#');
        number.is_some_and(|n| !n.is_empty() && n.bytes().all(|byte| byte.is_ascii_digit()))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_doi_is_known_as_people_paste_it() {
        let doi = "10.1016/S0140-6736(97)11096-0";
        for before in [
            "",
            " ",
            "doi:",
            "DOI: ",
            "https://doi.org/",
            "https://www.doi.org/",
            "http://dx.doi.org/",
        ] {
            assert_eq!(lone_doi(&format!("{before}{doi}")), Some(doi), "{before}");
        }
        assert_eq!(lone_doi("10.1000.10/123"), Some("10.1000.10/123"));
        assert_eq!(lone_doi("10.1000/1[2]3];"), Some("10.1000/1[2]3]"));
        for other in [
            "",
            "10.5",
            "10.5/2",
            "10.5555/",
            "10.5555/a b",
            "10.5555/a\"b",
            "a 10.5555/a",
            "ratio 10.1000/2",
            "10.5555/a[doi]",
            "10.5555/a[AID]",
        ] {
            assert_eq!(lone_doi(other), None, "{other}");
        }
    }

    #[test]
    fn so_are_numbers_of_pubmed_and_pmc() {
        for (text, query) in [
            ("10.5555/a", "\"10.5555/a\"[doi]"),
            ("PMID: 990000001", "990000001[pmid]"),
            ("pmid:990000001", "990000001[pmid]"),
            ("PMID 990000001 ", "990000001[pmid]"),
            ("pmc:PMC99000001", "PMC99000001[pmc]"),
            ("PMCID: pmc99000001", "PMC99000001[pmc]"),
        ] {
            assert_eq!(lone_identifier(text).as_deref(), Some(query), "{text}");
        }
        for text in [
            "pmid",
            "pmid:",
            "pmid: 12a",
            "pmid: 1 2",
            "pmc: x",
            "990000001",
            "é:1",
        ] {
            assert_eq!(lone_identifier(text), None, "{text}");
        }
    }

    #[test]
    fn lines_of_a_strategy_are_a_sign_and_a_number() {
        assert!(refers_to_lines("#1 AND (#3 OR gout)"));
        for other in ["#", "1 AND 3", "a#1", "#1a", "C#"] {
            assert!(!refers_to_lines(other), "{other}");
        }
    }
}
