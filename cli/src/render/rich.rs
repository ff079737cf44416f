//! Text with markup for a terminal, which has no raised letters.

use medsift::article::{Markup, RichText};

/// Digits and signs of sub- and superscripts become the letters that Unicode
/// has for them (`CO₂`, `10⁻³`); other markup leaves no trace.
pub(crate) fn plain(text: &RichText) -> String {
    let mut shown = String::with_capacity(text.plain.len());
    for (at, c) in text.plain.char_indices() {
        let inside = text
            .markup
            .iter()
            .rev()
            .find(|span| (span.start as usize..span.end as usize).contains(&at));
        let letter = match inside.map(|span| span.kind) {
            Some(Markup::Sub) => subscript(c),
            Some(Markup::Sup) => superscript(c),
            _ => None,
        };
        shown.push(letter.unwrap_or(c));
    }
    shown
}

fn subscript(c: char) -> Option<char> {
    match c {
        '+' => Some('₊'),
        '-' | '−' => Some('₋'),
        _ => "₀₁₂₃₄₅₆₇₈₉".chars().nth(c.to_digit(10)? as usize),
    }
}

fn superscript(c: char) -> Option<char> {
    match c {
        '+' => Some('⁺'),
        '-' | '−' => Some('⁻'),
        _ => "⁰¹²³⁴⁵⁶⁷⁸⁹".chars().nth(c.to_digit(10)? as usize),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use medsift::article::MarkupSpan;

    #[test]
    fn digits_are_raised_and_lowered() {
        let mut text = RichText::from("CO2 at 10-3 in vivo");
        let span = |start, end, kind| MarkupSpan { start, end, kind };
        text.markup = vec![
            span(2, 3, Markup::Sub),
            span(9, 11, Markup::Sup),
            span(12, 19, Markup::I),
        ];
        assert_eq!(plain(&text), "CO₂ at 10⁻³ in vivo");
    }
}
