//! What is refused, and what is made of it where faults are forgiven.

use super::*;

/// Query, character of the fault, a part of what is said, lenient reading.
const FAULTS: &[(&str, usize, &str, Option<&str>)] = &[
    ("[ti]", 1, "[ti] has no term before it", None),
    (
        "gout AND [ti]",
        10,
        "[ti] has no term before it",
        Some("gout"),
    ),
    ("[3H]thymidine", 1, "in quotation marks", Some("thymidine")),
    ("gout[tiabs]", 5, "did you mean [tiab]?", Some("gout")),
    ("gout[xyzzy]", 5, "no field tag [xyzzy]", Some("gout")),
    (
        "gout[ti",
        5,
        "bracket that is opened here is not closed",
        Some("gout[Title]"),
    ),
    ("(gout OR diet", 1, "not closed", Some("gout OR diet")),
    ("gout) OR diet", 5, "was not opened", Some("gout OR diet")),
    ("gout AND", 6, "AND has nothing after it", Some("gout")),
    ("OR gout", 1, "OR has nothing before it", Some("gout")),
    ("NOT gout", 1, "all[sb] NOT", Some("gout")),
    (
        "gout AND NOT diet",
        10,
        "write NOT alone",
        Some("gout NOT diet"),
    ),
    ("gout AND ()", 10, "parentheses are empty", Some("gout")),
    (
        "gout \"diet",
        6,
        "quotation mark that is opened here",
        Some("gout AND \"diet\""),
    ),
    ("gout \"\"", 6, "quotation marks are empty", Some("gout")),
    ("gou*", 1, "fewer than 4 characters", Some("gou")),
    (
        "g*ut arthritis",
        1,
        "not at the end of a word",
        Some("gut arthritis"),
    ),
    (
        "gout AND * diet",
        10,
        "not at the end of a word",
        Some("gout AND diet"),
    ),
    ("soon[dp]", 1, "`soon` is no date", Some("soon")),
    (
        "2023:2019[dp]",
        1,
        "swap them",
        Some("2019:2023[Date - Publication]"),
    ),
    (
        "(gout OR diet)[ti]",
        15,
        "after each term",
        Some("gout OR diet"),
    ),
    (
        "\"gout diet\"[mh:~3]",
        12,
        "does not take",
        Some("\"gout diet\"[MeSH Terms]"),
    ),
    (
        "gout[tiab:~3]",
        1,
        "two at least",
        Some("gout[Title/Abstract]"),
    ),
    (
        "\"gout diet\"[tiab:noexp]",
        12,
        "does not take",
        Some("\"gout diet\"[Title/Abstract]"),
    ),
    (
        "ä ö ü [ti]ß[xx]",
        12,
        "no field tag [xx]",
        Some("ä ö ü[Title] AND ß"),
    ),
    (": gout", 1, "colon", Some("gout")),
    (
        "gout relation:induces|x",
        6,
        "type|first|second",
        Some("gout"),
    ),
    ("entity: gout", 1, "entity:MESH:D003924", Some("gout")),
];

#[test]
fn faults_have_a_position_and_a_remedy() {
    for &(query, position, part, lenient) in FAULTS {
        let fault = parse(query, Limits::default()).unwrap_err();
        let message = fault.to_string();
        assert_eq!(fault.position, position, "{query}: {message}");
        assert!(message.contains(part), "{query}: {message}");
        assert!(!fault.remedy.is_empty(), "{query}");
        let forgiven = parse_lenient(query, Limits::default());
        assert_eq!(forgiven.faults[0], fault, "{query}");
        let reading = forgiven.tree.map(|tree| tree.to_string());
        assert_eq!(reading.as_deref(), lenient, "{query}");
    }
}

#[test]
fn limits_hold_however_a_query_is_read() {
    let limits = Limits { terms: 3, depth: 2 };
    for (query, part) in [
        ("aa bb[ti] cc[ti] dd[ti] ee[ti]", "more than 3 terms"),
        ("aa bb cc dd", "more than 3 terms"),
        ("aa bb AND cc hasabstract", "more than 3 terms"),
        ("(((gout)))", "more than 2 deep"),
        ("(a OR (b AND (c OR d)))", "more than 2 deep"),
    ] {
        let fault = parse(query, limits).unwrap_err();
        assert!(fault.to_string().contains(part), "{query}: {fault}");
        let lenient = parse_lenient(query, limits);
        assert_eq!((lenient.tree, lenient.faults), (None, vec![fault]));
    }
    assert!(parse("a AND b AND c", limits).is_ok());
    assert!(parse("\"a b c d\" AND a b", limits).is_ok());
    // Neither depth nor length makes the parser itself run out of room.
    for deep in ["(", "a AND (", "a AND b OR ", "a[ti] "] {
        parse_lenient(&deep.repeat(100_000), Limits::default());
    }
}

#[test]
fn the_first_faults_are_told_and_the_others_counted() {
    let lenient = parse_lenient(&"gout[ti] [ti] ".repeat(100), Limits::default());
    assert_eq!((lenient.faults.len(), lenient.more), (20, 80));
    assert!(lenient.tree.is_some());
}
