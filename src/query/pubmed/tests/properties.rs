//! What holds for any text.

use super::*;
use proptest::prelude::*;

/// Texts that are full of syntax, right and wrong.
fn syntax() -> impl Strategy<Value = String> {
    let pieces = prop::sample::select(vec![
        "gout",
        "diet",
        "immun*",
        "im*",
        "*",
        "smith ja",
        "ß",
        "β-catenin",
        "IL-2",
        "hasabstract",
        "2019",
        "2019:2023",
        "\"last 5 years\"",
        "last 2 month",
        "2023:2019",
        "2019/13",
        ":",
        "\"hip pain\"",
        "\"",
        "“x”",
        "\"\"",
        "\"feed* on\"",
        "AND",
        "OR",
        "NOT",
        "and",
        "(",
        ")",
        "[ti]",
        "[tiab]",
        "[mh]",
        "[mh:noexp]",
        "[majr]",
        "[dp]",
        "[edat]",
        "[au]",
        "[sb]",
        "[tiab:~3]",
        "[pt:noexp]",
        "[xx]",
        "[",
        "]",
        "gout/diet",
        "gout/dt",
        "#1",
        "[sh]",
        "/",
        "Ca(2+)",
        "10.1(a)b",
        "10.1(a(b)",
        "25(OH)D",
        "10.1(a",
        "\u{a0}",
        "-",
        "a:b",
        "x:",
        "entity:D003924",
        "entity:",
        "relation:induces|a|*",
        "relation:a|b",
        "*|*|x",
        "a|b c|*",
        "[entity]",
        "[relation]",
    ]);
    let glue = prop::sample::select(vec!["", " ", " ", "  "]);
    prop::collection::vec((pieces, glue), 0..14)
        .prop_map(|parts| parts.into_iter().flat_map(|(a, b)| [a, b]).collect())
}

fn check(query: &str) -> Result<(), TestCaseError> {
    let limits = Limits::default();
    let lenient = parse_lenient(query, limits);
    for fault in &lenient.faults {
        prop_assert!(fault.position >= 1 && fault.position <= query.chars().count().max(1));
    }
    match parse(query, limits) {
        Ok(tree) => {
            prop_assert_eq!(lenient.faults, vec![]);
            prop_assert_eq!(lenient.tree.as_ref(), Some(&tree));
        }
        Err(fault) => {
            let first = lenient.faults.first();
            prop_assert!(
                first == Some(&fault) || lenient.tree.is_none(),
                "{:?} {:?}",
                first,
                fault
            );
        }
    }
    if let Some(tree) = lenient.tree {
        let text = tree.to_string();
        let again = parse(&text, limits);
        prop_assert_eq!(again.as_ref(), Ok(&tree), "{} -> {}", query, text);
    }
    Ok(())
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 500, ..ProptestConfig::default() })]

    #[test]
    fn what_is_written_is_read_back(query in syntax()) {
        check(&query)?;
    }

    #[test]
    fn any_text_is_read_or_refused(query in any::<String>()) {
        check(&query)?;
    }
}
