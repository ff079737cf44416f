//! LaTeX in the values of BibTeX: accents and escaped signs become letters,
//! braces go, and a command that is not known stays as it is written.

/// Letters of which an accent makes another, by accent: each letter before
/// what it becomes.
const ACCENTS: [(char, &str); 12] = [
    ('\'', "aáeéiíoóuúyýcćnńrŕsśzźlĺAÁEÉIÍOÓUÚYÝCĆNŃRŔSŚZŹLĹ"),
    ('`', "aàeèiìoòuùnǹAÀEÈIÌOÒUÙNǸ"),
    ('^', "aâeêiîoôuûcĉgĝhĥjĵsŝwŵyŷAÂEÊIÎOÔUÛCĈGĜHĤJĴSŜWŴYŶ"),
    ('"', "aäeëiïoöuüyÿAÄEËIÏOÖUÜYŸ"),
    ('~', "aãoõnñiĩuũAÃOÕNÑIĨUŨ"),
    ('=', "aāeēiīoōuūAĀEĒIĪOŌUŪ"),
    ('.', "cċeėgġzżIİCĊEĖGĠZŻ"),
    ('u', "aăeĕgğiĭoŏuŭAĂEĔGĞIĬOŎUŬ"),
    ('v', "cčdďeěnňrřsštťzžaǎCČDĎEĚNŇRŘSŠTŤZŽAǍ"),
    ('H', "oőuűOŐUŰ"),
    ('c', "cçsştţeȩCÇSŞTŢ"),
    ('k', "aąeęiįuųAĄEĘIĮUŲ"),
];

/// Commands that stand for a letter or a sign.
const NAMED: [(&str, &str); 26] = [
    ("textbackslash", "\\"),
    ("textbraceleft", "{"),
    ("textbraceright", "}"),
    ("textasciitilde", "~"),
    ("textasciicircum", "^"),
    ("ss", "ß"),
    ("ae", "æ"),
    ("AE", "Æ"),
    ("oe", "œ"),
    ("OE", "Œ"),
    ("o", "ø"),
    ("O", "Ø"),
    ("l", "ł"),
    ("L", "Ł"),
    ("aa", "å"),
    ("AA", "Å"),
    ("i", "ı"),
    ("j", "ȷ"),
    ("r", "˚"),
    ("textendash", "–"),
    ("textemdash", "—"),
    ("textquoteright", "’"),
    ("textquoteleft", "‘"),
    ("ldots", "…"),
    ("alpha", "α"),
    ("beta", "β"),
];

/// Commands around a text that only change how it looks.
const STYLES: [&str; 10] = [
    "emph",
    "textit",
    "textbf",
    "textrm",
    "textsc",
    "texttt",
    "textsuperscript",
    "textsubscript",
    "mbox",
    "text",
];

/// A value as plain text.
pub(super) fn plain(value: &str) -> String {
    let mut out = String::with_capacity(value.len());
    let mut rest = value;
    while let Some(c) = rest.chars().next() {
        rest = match c {
            '\\' => command(&rest[1..], &mut out),
            '{' | '}' => &rest[1..],
            '~' => {
                out.push(' ');
                &rest[1..]
            }
            _ => {
                out.push(c);
                &rest[c.len_utf8()..]
            }
        };
    }
    crate::xml::normalise(&out)
}

/// Takes the command behind a backslash; gives what follows it.
fn command<'a>(text: &'a str, out: &mut String) -> &'a str {
    let letters = text
        .find(|c: char| !c.is_ascii_alphabetic())
        .unwrap_or(text.len());
    let Some(first) = text.chars().next() else {
        out.push('\\');
        return text;
    };
    if letters == 0 {
        let rest = &text[first.len_utf8()..];
        if let Some((letter, rest)) = accented(first, rest) {
            out.push(letter);
            return rest;
        }
        match first {
            '\\' | ' ' => out.push(' '),
            '-' | '/' => {}
            // `\&`, `\%`, `\_`, `\{`.
            sign => out.push(sign),
        }
        return rest;
    }
    let (name, rest) = text.split_at(letters);
    if let (1, Some((letter, rest))) = (letters, accented(first, rest)) {
        out.push(letter);
        return rest;
    }
    if let Some((_, sign)) = NAMED.iter().find(|(known, _)| *known == name) {
        out.push_str(sign);
        // A blank or empty braces end a command and are no text.
        return rest
            .strip_prefix("{}")
            .or_else(|| rest.strip_prefix(' '))
            .unwrap_or(rest);
    }
    if !STYLES.contains(&name) {
        out.push('\\');
        out.push_str(name);
    }
    rest
}

/// The letter that an accent makes of the next one: `'e`, `'{e}`, `v{c}`,
/// `"{\i}`.
fn accented(accent: char, rest: &str) -> Option<(char, &str)> {
    let (_, letters) = ACCENTS.iter().find(|(known, _)| *known == accent)?;
    let rest = rest.trim_start_matches(' ');
    let braced = rest.strip_prefix('{');
    let bare = braced.unwrap_or(rest);
    // An i or j loses its dot before it gets an accent.
    let bare = bare.strip_prefix('\\').unwrap_or(bare);
    let letter = bare.chars().next()?;
    let behind = &bare[letter.len_utf8()..];
    let behind = match braced {
        Some(_) => behind.strip_prefix('}')?,
        // `\vec` is a command, no letter with a caron.
        None if accent.is_ascii_alphabetic() => return None,
        None => behind,
    };
    let mut pairs = letters.chars();
    while let (Some(plain), Some(made)) = (pairs.next(), pairs.next()) {
        if plain == letter {
            return Some((made, behind));
        }
    }
    None
}
