use super::*;
use proptest::prelude::{prop_assert, prop_assert_eq, proptest};

fn numbered(text: &str) -> Vec<(u32, String)> {
    let strategy = Strategy::parse(text).unwrap_or_else(|error| panic!("{text}: {error}"));
    let lines = strategy.lines().iter();
    lines
        .map(|line| (line.number, line.tree.to_string()))
        .collect()
}

fn fault(text: &str) -> String {
    Strategy::parse(text).expect_err(text).to_string()
}

#[test]
fn lines_have_numbers_and_comments() {
    let text = "\u{feff}// Steroids for asthma\r\n\
                1. asthma[mh]\r\n\r\n\
                steroid*[tiab] // inhaled or not\r\n\
                #7: \"a // b\"[ti]\r\n\
                8)\tgout[ti] OR https://example.org/x[ti]\r\n\
                9\tdiet[ti]\r\n";
    let strategy = Strategy::parse(text).unwrap();
    assert_eq!(strategy.comments(), ["Steroids for asthma"]);
    let lines: Vec<(u32, &str, Option<&str>)> = strategy
        .lines()
        .iter()
        .map(|line| (line.number, line.text.as_str(), line.comment.as_deref()))
        .collect();
    assert_eq!(
        lines,
        [
            (1, "asthma[mh]", None),
            (2, "steroid*[tiab]", Some("inhaled or not")),
            (7, "\"a // b\"[ti]", None),
            (8, "gout[ti] OR https://example.org/x[ti]", None),
            (9, "diet[ti]", None),
        ]
    );
    assert_eq!(strategy.result(None).unwrap().number, 9);
    assert_eq!(strategy.result(Some(7)).unwrap().number, 7);
    let error = strategy.result(Some(3)).unwrap_err().to_string();
    assert!(error.contains("no line 3"), "{error}");
}

#[test]
fn lines_refer_to_each_other() {
    for (last, reading) in [
        ("#1 AND #3", "#1 AND #3"),
        ("1 AND 3", "#1 AND #3"),
        ("1 OR #2 NOT (3 OR 2)", "(#1 OR #2) NOT (#3 OR #2)"),
        ("#1 AND humans[filter]", "#1 AND \"humans\"[Filter]"),
        ("(#1 OR #2) AND diet*", "(#1 OR #2) AND diet*"),
        // A number by itself, or beside words, is a word.
        ("1", "1"),
        ("1 AND diet", "1 AND diet"),
        ("1 AND 12", "1 AND 12"),
        ("1 AND 3[vi]", "1 AND 3[Volume]"),
        ("1 AND 2019:2023[dp]", "1 AND 2019:2023[Date - Publication]"),
        ("#hashtag OR \"#1\"", "#hashtag OR \"#1\""),
    ] {
        let lines = numbered(&format!("a[ti]\nb[ti]\nc[ti]\n{last}"));
        assert_eq!(lines[3].1, reading, "{last}");
    }
}

#[test]
fn lines_are_searched_after_those_that_they_refer_to() {
    let strategy = Strategy::parse("#4 NOT #2\nb[ti]\n#2 OR gout\n#3 AND #2").unwrap();
    let order: Vec<u32> = strategy.in_order().map(|line| line.number).collect();
    assert_eq!(order, [2, 3, 4, 1]);
    let first = &strategy.lines()[0];
    assert_eq!(first.refers_to().into_iter().collect::<Vec<_>>(), [2, 4]);
}

#[test]
fn faults_name_line_and_remedy() {
    for (text, parts) in [
        ("", &["no queries", "asthma[mh]"][..]),
        ("// nothing\n\n", &["no queries"]),
        (
            "gout\n\n#1 AND #3",
            &["line 3", "character 8", "no line `#3`", "#1, #2"],
        ),
        ("gout\n#1 AND", &["line 2", "AND has nothing after it"]),
        (
            "gout\n[ti]",
            &["line 2", "character 1", "no term before it"],
        ),
        ("a[ti]\nb[ti]\n#1-#2", &["line 3", "one by one"]),
        ("a[ti]\n#1[ti]", &["line 2", "[ti] stands after a line"]),
        (
            "a[ti]\n#1 gout",
            &[
                "line 2",
                "character 4",
                "operator between them",
                "3. asthma",
            ],
        ),
        ("a[ti]\ngout #1", &["line 2", "side by side"]),
        ("a[ti]\nb[ti]\n#1 #2", &["line 3", "side by side"]),
        (
            "1. a[ti]\n1. b[ti]",
            &["line 2", "#1 is there already, in line 1"],
        ),
        ("0. a[ti]", &["line 1", "count from 1"]),
        ("99999999999. a[ti]", &["line 1", "count from 1"]),
        ("1. // todo\n", &["line 1", "#1 is empty"]),
        ("#1", &["line 1", "circle", "#1 → #1"]),
        ("gout\n#3\n#4\n#2 OR #1", &["line 2", "#2 → #3 → #4 → #2"]),
    ] {
        let told = fault(text);
        for part in parts {
            assert!(told.contains(part), "{text}: {told}");
        }
    }
}

#[test]
fn strategies_have_bounds() {
    let many = "gout\n".repeat(MAX_LINES);
    assert!(Strategy::parse(&many).is_ok());
    assert!(fault(&format!("{many}gout")).contains("more than 500 queries"));
    let long = "x".repeat(MAX_LINE_CHARS + 1);
    assert!(fault(&long).contains("characters"));
    // Each line refers to the one before: as deep as it goes.
    let chain: String = (1..MAX_LINES)
        .map(|line| format!("#{line} OR gout\n"))
        .collect();
    assert_eq!(numbered(&format!("gout\n{chain}")).len(), MAX_LINES);
}

#[test]
fn outside_strategies_the_sign_is_a_character() {
    let tree = pubmed::parse("#1 AND #3", Limits::default()).unwrap();
    assert!(
        tree.leaves()
            .iter()
            .all(|(leaf, _)| matches!(leaf, Leaf::Term { .. }))
    );
}

proptest! {
    #[test]
    fn any_text_is_read_or_refused(text in "([#0-9]{0,2}[.: )]?[ a-z#0-9()/\"]{0,12}( AND | OR |\n|\\[ti\\])){0,6}") {
        if let Ok(strategy) = Strategy::parse(&text) {
            prop_assert_eq!(strategy.in_order().count(), strategy.lines().len());
            let mut seen = BTreeSet::new();
            for line in strategy.in_order() {
                prop_assert!(line.refers_to().is_subset(&seen), "{}", text);
                seen.insert(line.number);
                // What is written is read back.
                let numbers = strategy.lines().iter().map(|line| line.number).collect();
                let again = pubmed::parse_line(&line.tree.to_string(), Limits::default(), &numbers);
                prop_assert_eq!(again.as_ref(), Ok(&line.tree), "{}", text);
            }
        } else {
            prop_assert!(!fault(&text).is_empty());
        }
    }
}
