//! What people paste in place of words.

/// Digits of a registrant in a DOI.
const REGISTRANT: std::ops::RangeInclusive<usize> = 4..=9;

/// What may stand before a DOI.
const BEFORE: [&str; 6] = [
    "https://doi.org/",
    "http://doi.org/",
    "https://dx.doi.org/",
    "http://dx.doi.org/",
    "doi.org/",
    "doi:",
];

/// The DOI that a text consists of: alone, behind `doi:`, or as an address of
/// doi.org.
pub(super) fn lone_doi(text: &str) -> Option<&str> {
    let text = text.trim();
    let bare = BEFORE.iter().find_map(|before| {
        let start = text.get(..before.len())?;
        start
            .eq_ignore_ascii_case(before)
            .then(|| text[before.len()..].trim_start())
    });
    let doi = bare.unwrap_or(text);
    let (registrant, rest) = doi.strip_prefix("10.")?.split_once('/')?;
    let registrant = registrant.split('.').next().unwrap_or_default();
    let is_number = registrant.bytes().all(|byte| byte.is_ascii_digit());
    // A quotation mark would end the phrase that it becomes.
    let is_word = !rest.is_empty() && !rest.contains(|c: char| c.is_whitespace() || c == '"');
    (REGISTRANT.contains(&registrant.len()) && is_number && is_word).then_some(doi)
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
            "http://dx.doi.org/",
        ] {
            assert_eq!(lone_doi(&format!("{before}{doi}")), Some(doi), "{before}");
        }
        assert_eq!(lone_doi("10.1000.10/123"), Some("10.1000.10/123"));
        for other in [
            "",
            "10.5",
            "10.5/2",
            "10.5555/",
            "10.5555/a b",
            "10.5555/a\"b",
            "a 10.5555/a",
            "ratio 10.1000/2",
        ] {
            assert_eq!(lone_doi(other), None, "{other}");
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
