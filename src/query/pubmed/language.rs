//! Names of languages and their ISO 639-2 codes, as MEDLINE writes them
//! (<https://www.nlm.nih.gov/bsd/language_table.html>).

const LANGUAGES: [(&str, &str); 58] = [
    ("afrikaans", "afr"),
    ("albanian", "alb"),
    ("arabic", "ara"),
    ("armenian", "arm"),
    ("azerbaijani", "aze"),
    ("bosnian", "bos"),
    ("bulgarian", "bul"),
    ("catalan", "cat"),
    ("chinese", "chi"),
    ("croatian", "hrv"),
    ("czech", "cze"),
    ("danish", "dan"),
    ("dutch", "dut"),
    ("english", "eng"),
    ("esperanto", "epo"),
    ("estonian", "est"),
    ("finnish", "fin"),
    ("french", "fre"),
    ("georgian", "geo"),
    ("german", "ger"),
    ("greek", "gre"),
    ("hebrew", "heb"),
    ("hindi", "hin"),
    ("hungarian", "hun"),
    ("icelandic", "ice"),
    ("indonesian", "ind"),
    ("italian", "ita"),
    ("japanese", "jpn"),
    ("kinyarwanda", "kin"),
    ("korean", "kor"),
    ("latin", "lat"),
    ("latvian", "lav"),
    ("lithuanian", "lit"),
    ("macedonian", "mac"),
    ("malay", "may"),
    ("malayalam", "mal"),
    ("maori", "mao"),
    ("multiple", "mul"),
    ("norwegian", "nor"),
    ("persian", "per"),
    ("polish", "pol"),
    ("portuguese", "por"),
    ("pushto", "pus"),
    ("romanian", "rum"),
    ("russian", "rus"),
    ("sanskrit", "san"),
    ("scottish gaelic", "gla"),
    ("serbian", "srp"),
    ("slovak", "slo"),
    ("slovenian", "slv"),
    ("spanish", "spa"),
    ("swedish", "swe"),
    ("thai", "tha"),
    ("turkish", "tur"),
    ("ukrainian", "ukr"),
    ("undetermined", "und"),
    ("vietnamese", "vie"),
    ("welsh", "wel"),
];

/// The code of a language that is named in English.
pub(super) fn code(name: &str) -> Option<&'static str> {
    let name = name.trim().to_lowercase();
    let found = LANGUAGES.iter().find(|(known, _)| *known == name);
    found.map(|(_, code)| *code)
}

/// The English name of a language, by its code.
pub fn language_name(code: &str) -> Option<&'static str> {
    let code = code.trim().to_lowercase();
    let found = LANGUAGES.iter().find(|(_, known)| *known == code);
    found.map(|(name, _)| *name)
}
