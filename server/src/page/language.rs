/// ISO 639-2 codes that PubMed uses much, as BCP 47 tags (for the `lang`
/// attribute, which wants the short form where there is one) and in English.
const LANGUAGES: [(&str, &str, &str); 41] = [
    ("afr", "af", "Afrikaans"),
    ("ara", "ar", "Arabic"),
    ("bul", "bg", "Bulgarian"),
    ("cat", "ca", "Catalan"),
    ("chi", "zh", "Chinese"),
    ("cze", "cs", "Czech"),
    ("dan", "da", "Danish"),
    ("dut", "nl", "Dutch"),
    ("eng", "en", "English"),
    ("est", "et", "Estonian"),
    ("fin", "fi", "Finnish"),
    ("fre", "fr", "French"),
    ("ger", "de", "German"),
    ("gre", "el", "Greek"),
    ("heb", "he", "Hebrew"),
    ("hin", "hi", "Hindi"),
    ("hrv", "hr", "Croatian"),
    ("hun", "hu", "Hungarian"),
    ("ice", "is", "Icelandic"),
    ("ind", "id", "Indonesian"),
    ("ita", "it", "Italian"),
    ("jpn", "ja", "Japanese"),
    ("kor", "ko", "Korean"),
    ("lav", "lv", "Latvian"),
    ("lit", "lt", "Lithuanian"),
    ("nor", "no", "Norwegian"),
    ("per", "fa", "Persian"),
    ("pol", "pl", "Polish"),
    ("por", "pt", "Portuguese"),
    ("rum", "ro", "Romanian"),
    ("rus", "ru", "Russian"),
    ("slo", "sk", "Slovak"),
    ("slv", "sl", "Slovenian"),
    ("spa", "es", "Spanish"),
    ("srp", "sr", "Serbian"),
    ("swe", "sv", "Swedish"),
    ("tha", "th", "Thai"),
    ("tur", "tr", "Turkish"),
    ("ukr", "uk", "Ukrainian"),
    ("urd", "ur", "Urdu"),
    ("vie", "vi", "Vietnamese"),
];

fn find(code: &str) -> Option<&'static (&'static str, &'static str, &'static str)> {
    LANGUAGES
        .iter()
        .find(|(known, _, _)| known.eq_ignore_ascii_case(code))
}

/// The language in English; an unknown code as it is.
pub(crate) fn name(code: &str) -> &str {
    find(code).map_or(code, |(_, _, name)| name)
}

/// The value of a `lang` attribute, where the language is known.
pub(crate) fn tag(code: &str) -> Option<&'static str> {
    find(code).map(|(_, tag, _)| *tag)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn known_codes_have_names_and_unknown_ones_stay() {
        assert_eq!(name("ger"), "German");
        assert_eq!(tag("GER"), Some("de"));
        assert_eq!(name("tlh"), "tlh");
        assert_eq!(tag("tlh"), None);
    }
}
