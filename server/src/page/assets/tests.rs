use super::*;
use std::collections::HashMap;

#[test]
fn the_hash_is_fnv_1a() {
    // Test vectors of the FNV page.
    assert_eq!(hash(""), 0xcbf2_9ce4_8422_2325);
    assert_eq!(hash("foobar"), 0x8594_4171_f739_67e8);
}

#[test]
fn nothing_is_fetched_from_elsewhere() {
    for text in [STYLE, SCRIPT] {
        assert!(!text.contains("://"), "an address outside");
        assert!(!text.contains("@import"));
    }
}

/// Colours of a `:root` block, by name, as red, green and blue from 0 to 1.
fn colours(block: &str) -> HashMap<&str, [f64; 3]> {
    let declarations = block
        .split(';')
        .filter_map(|line| line.trim().split_once(": #"));
    declarations
        .map(|(name, digits)| {
            let part = |at: usize| u8::from_str_radix(&digits[at..at + 2], 16).unwrap();
            let name = name.rsplit_once("--").unwrap().1;
            (name, [0, 2, 4].map(|at| f64::from(part(at)) / 255.0))
        })
        .collect()
}

/// Relative luminance as WCAG 2 defines it.
fn luminance(colour: [f64; 3]) -> f64 {
    let [r, g, b] = colour.map(|part| {
        if part <= 0.04045 {
            part / 12.92
        } else {
            ((part + 0.055) / 1.055).powf(2.4)
        }
    });
    0.2126 * r + 0.7152 * g + 0.0722 * b
}

fn contrast(a: [f64; 3], b: [f64; 3]) -> f64 {
    let (a, b) = (luminance(a), luminance(b));
    (a.max(b) + 0.05) / (a.min(b) + 0.05)
}

/// What is declared for light and for dark.
fn blocks() -> [&'static str; 2] {
    let all = STYLE.split(":root {").skip(1);
    let all: Vec<&str> = all.map(|block| block.split('}').next().unwrap()).collect();
    all.try_into().expect("light and dark")
}

#[test]
fn text_can_be_read_on_every_ground_in_light_and_dark() {
    let pairs = [
        ("ink", "ground"),
        ("ink", "surface"),
        ("ink", "accent-wash"),
        ("soft", "ground"),
        ("soft", "surface"),
        ("soft", "accent-wash"),
        ("accent", "ground"),
        ("accent", "surface"),
        ("accent", "accent-wash"),
        ("accent-ink", "accent"),
        ("found-ink", "found"),
        ("alarm", "alarm-wash"),
        ("note", "note-wash"),
    ];
    for block in blocks() {
        let colours = colours(block);
        for (text, ground) in pairs {
            let ratio = contrast(colours[text], colours[ground]);
            assert!(ratio >= 4.5, "{text} on {ground}: {ratio:.2}");
        }
    }
}

#[test]
fn entities_can_be_read_and_told_apart_from_their_ground() {
    assert!(STYLE.contains("var(--kind) 10%, transparent"), "the wash");
    for block in blocks() {
        let colours = colours(block);
        for kind in (0..10).map(|kind| format!("k{kind}")) {
            let line = colours[kind.as_str()];
            for ground in ["ground", "surface", "found"] {
                let behind = colours[ground];
                // WCAG 1.4.11 for what is no text.
                let ratio = contrast(line, behind);
                assert!(ratio >= 3.0, "{kind} on {ground}: {ratio:.2}");
                let part = |at: usize| 0.1 * line[at] + 0.9 * behind[at];
                let wash = [part(0), part(1), part(2)];
                let inks = match ground {
                    "found" => &["found-ink"][..],
                    _ => &["ink", "accent"],
                };
                for ink in inks {
                    let ratio = contrast(colours[ink], wash);
                    assert!(ratio >= 4.5, "{ink} on {kind} over {ground}: {ratio:.2}");
                }
            }
        }
    }
}
