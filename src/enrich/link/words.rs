//! Rules for single words: spelling, number, derivation, words of one meaning.

/// The arabic form of a roman numeral up to twelve.
pub(super) fn number(word: &str) -> Option<&'static str> {
    Some(match word {
        "i" => "1",
        "ii" => "2",
        "iii" => "3",
        "iv" => "4",
        "v" => "5",
        "vi" => "6",
        "vii" => "7",
        "viii" => "8",
        "ix" => "9",
        "x" => "10",
        "xi" => "11",
        "xii" => "12",
        _ => return None,
    })
}

/// A word in one spelling and in the singular.
pub(super) fn plain(word: &str) -> String {
    settled(word, |word| {
        let word = irregular(word).unwrap_or(word);
        singular(&american(word))
    })
}

/// Applies a rule until it changes nothing, so that a second time changes
/// nothing either.
fn settled(word: &str, rule: impl Fn(&str) -> String) -> String {
    // No rule makes a word longer for ever; the limit is for those that swap.
    const MOST: usize = 12;
    let mut word = word.to_owned();
    for _ in 0..MOST {
        let next = rule(&word);
        if next == word {
            break;
        }
        word = next;
    }
    word
}

/// One spelling for British and American ones. Not always the American word:
/// both sides of a comparison are spelt alike.
fn american(word: &str) -> String {
    let mut word = word.replace("ae", "e").replace("oe", "e");
    for (from, to) in [
        ("sulph", "sulf"),
        ("our", "or"),
        ("isation", "ization"),
        ("aluminium", "aluminum"),
    ] {
        if word.contains(from) {
            word = word.replace(from, to);
        }
    }
    for (from, to) in [
        ("ise", "ize"),
        ("yse", "yze"),
        ("tre", "ter"),
        ("bre", "ber"),
    ] {
        if word.len() > 5
            && let Some(rest) = word.strip_suffix(from)
        {
            word = format!("{rest}{to}");
        }
    }
    word
}

/// The singular of a plural without rule.
fn irregular(word: &str) -> Option<&'static str> {
    Some(match word {
        "mice" => "mouse",
        "men" => "man",
        "women" => "woman",
        "children" => "child",
        "teeth" => "tooth",
        "feet" => "foot",
        "bacteria" => "bacterium",
        "fungi" => "fungus",
        "vertebrae" => "vertebra",
        "metastases" => "metastasis",
        _ => return None,
    })
}

/// A word without the ending of a plural.
fn singular(word: &str) -> String {
    let letters = word.chars().count();
    if letters > 4 {
        if let Some(rest) = word.strip_suffix("ies") {
            return format!("{rest}y");
        }
        for ending in ["ses", "xes", "ches", "shes", "zes"] {
            if word.ends_with(ending) {
                return singular_in_es(word);
            }
        }
    }
    let kept = ["ss", "us", "is"].iter().any(|end| word.ends_with(end));
    match word.strip_suffix('s') {
        Some(rest) if letters > 3 && !kept => singular(rest),
        _ => word.to_owned(),
    }
}

/// `diagnoses`, `thromboses`: `-is`; `diseases`: `-e`; `reflexes`, `abscesses`: nothing.
fn singular_in_es(word: &str) -> String {
    let rest = &word[..word.len() - 2];
    if word.ends_with("oses") || word.ends_with("eses") || word.ends_with("yses") {
        return format!("{rest}is");
    }
    let double = rest.ends_with("ss") || rest.ends_with('x') || rest.ends_with("ch");
    if double || rest.ends_with("sh") || rest.ends_with("us") {
        return rest.to_owned();
    }
    format!("{rest}e")
}

/// Endings, longest first among those that share an end, and what takes their
/// place. A noun and its adjective meet: `thrombosis` and `thrombotic`,
/// `epilepsy` and `epileptic`.
const ENDINGS: [(&str, &str); 43] = [
    ("ization", "iz"),
    ("istic", ""),
    ("atous", ""),
    ("atory", ""),
    ("icity", ""),
    ("netic", "ne"),
    ("ation", ""),
    ("ness", ""),
    ("ical", ""),
    ("atic", ""),
    ("otic", "o"),
    ("osis", "o"),
    ("esis", "e"),
    ("ptic", "p"),
    ("psis", "p"),
    ("ious", ""),
    ("ance", ""),
    ("ence", ""),
    ("ency", ""),
    ("psy", "p"),
    ("ity", ""),
    ("ion", ""),
    ("ive", ""),
    ("ism", ""),
    ("ist", ""),
    ("ian", ""),
    ("iac", ""),
    ("ial", ""),
    ("ium", ""),
    ("ous", ""),
    ("ary", ""),
    ("ant", ""),
    ("ent", ""),
    ("ing", ""),
    ("ic", ""),
    ("ia", ""),
    ("al", ""),
    ("ed", ""),
    ("um", ""),
    ("us", ""),
    ("y", ""),
    ("e", ""),
    ("a", ""),
];

/// A word's stem, of the word that stands for its meaning. Vague and empty
/// words are the caller's.
pub(super) fn stem(word: &str) -> String {
    settled(word, |word| {
        let word = plain(synonym(word).unwrap_or(word));
        shortened(&word).unwrap_or(word)
    })
}

/// A word without the ending that makes a noun or an adjective of it.
fn shortened(word: &str) -> Option<String> {
    let (rest, instead) = ENDINGS.iter().find_map(|(ending, instead)| {
        let rest = word.strip_suffix(ending)?;
        let long = rest.chars().count() >= 3 && rest.chars().all(char::is_alphabetic);
        long.then_some((rest, instead))
    })?;
    Some(format!("{rest}{instead}"))
}

/// The word that stands for several of one meaning.
fn synonym(word: &str) -> Option<&'static str> {
    Some(match word {
        "renal" => "kidney",
        "hepatic" => "liver",
        "cardiac" => "heart",
        "pulmonary" => "lung",
        "cerebral" => "brain",
        "gastric" => "stomach",
        "ocular" => "eye",
        "cutaneous" => "skin",
        "mammary" => "breast",
        "cancer" | "tumor" | "tumour" | "malignancy" => "neoplasm",
        "bleeding" => "hemorrhage",
        "deficit" => "deficiency",
        "insufficiency" => "failure",
        "congenital" | "hereditary" | "familial" => "inherited",
        _ => return None,
    })
}
