/// The code of a text in several languages.
const MULTIPLE: &str = "mul";

/// The code of a text whose language nobody has determined.
const UNDETERMINED: &str = "und";

/// ISO 639-2 codes that PubMed uses much, as BCP 47 tags (for the `lang`
/// attribute, which wants the short form where there is one) and in English.
const LANGUAGES: [(&str, &str, &str); 43] = [
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
    (MULTIPLE, "mul", "several languages"),
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
    (UNDETERMINED, "und", "an unknown language"),
    ("urd", "ur", "Urdu"),
    ("vie", "vi", "Vietnamese"),
];

fn find(code: &str) -> Option<&'static (&'static str, &'static str, &'static str)> {
    LANGUAGES
        .iter()
        .find(|(known, _, _)| known.eq_ignore_ascii_case(code))
}

/// The language in English, as it stands after "in"; a code that has no name
/// here is called one.
pub(crate) fn name(code: &str) -> String {
    find(code).map_or_else(
        || format!("language {code:?}"),
        |(_, _, name)| (*name).to_owned(),
    )
}

/// The language as a note of its own: `German`, `Unknown language`.
pub(crate) fn label(code: &str) -> String {
    match find(code) {
        Some((UNDETERMINED, _, _)) => "Unknown language".to_owned(),
        Some((MULTIPLE, _, _)) => "Several languages".to_owned(),
        Some((_, _, name)) => (*name).to_owned(),
        None => code.to_owned(),
    }
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
        assert_eq!(label("GER"), "German");
        assert_eq!(name("tlh"), "language \"tlh\"");
        assert_eq!(label("tlh"), "tlh");
        assert_eq!(tag("tlh"), None);
    }

    #[test]
    fn codes_that_stand_for_no_one_language_are_words() {
        assert_eq!(name("und"), "an unknown language");
        assert_eq!(label("und"), "Unknown language");
        assert_eq!(name("mul"), "several languages");
        assert_eq!(label("mul"), "Several languages");
        assert_eq!((tag("und"), tag("mul")), (Some("und"), Some("mul")));
    }
}
