//! What holds for any query.

use super::*;
use crate::ErrorKind;
use crate::query::pubmed::{Node, parse_lenient};
use proptest::prelude::*;

/// Words of the sample and of nothing, with and without tags.
fn operand() -> impl Strategy<Value = String> {
    let words = prop::sample::select(vec![
        "asthma",
        "Inhaled",
        "steroids",
        "\"inhaled steroids\"",
        "steroids inhaled",
        "immun*",
        "vacci*",
        "IL-5",
        "il5",
        "TNF-α",
        "anti-inflammatory",
        "anti-inflammator*",
        "of the",
        "meyer ks",
        "Meyer in",
        "heidelberg",
        "drug therapy",
        "dt",
        "asthma/dt",
        "heart attack",
        "bronchial asthma",
        "review",
        "english",
        "medline",
        "humans",
        "J Biol Chem",
        "1 3",
        "nothing",
        "10.1000/gout(1)x",
        "Ca(2+)",
        "gout",
        "2019",
        "2018:2020",
        "\"last 5 years\"",
        "hasabstract",
        "wheeze children",
        "smith-jones o'brien",
    ]);
    let tags = prop::sample::select(vec![
        "",
        "",
        "",
        "[ti]",
        "[tiab]",
        "[tw]",
        "[all]",
        "[mh]",
        "[mh:noexp]",
        "[majr]",
        "[sh]",
        "[sh:noexp]",
        "[au]",
        "[1au]",
        "[fau]",
        "[ad]",
        "[ta]",
        "[pt]",
        "[la]",
        "[dp]",
        "[edat]",
        "[sb]",
        "[filter]",
        "[pmid]",
        "[doi]",
        "[nm]",
        "[tiab:~2]",
        "[pt:noexp]",
    ]);
    (words, tags).prop_map(|(words, tag)| format!("{words}{tag}"))
}

fn flat() -> impl Strategy<Value = String> {
    let operators = prop::sample::select(vec![" AND ", " OR ", " NOT ", " "]);
    prop::collection::vec((operand(), operators), 1..4).prop_map(|parts| {
        let mut query = String::new();
        for (at, (operand, operator)) in parts.into_iter().enumerate() {
            if at > 0 {
                query.push_str(operator);
            }
            query.push_str(&operand);
        }
        query
    })
}

fn query() -> impl Strategy<Value = String> {
    prop_oneof![
        flat(),
        (flat(), flat()).prop_map(|(a, b)| format!("({a}) OR ({b})")),
        (flat(), flat()).prop_map(|(a, b)| format!("({a}) NOT ({b})")),
    ]
}

fn evaluated(tree: &Node, mesh: Option<&MeshTable>) -> Option<(Selection, Vec<u32>)> {
    match snapshot().select(tree, setting(mesh)) {
        Ok(selection) => {
            let keys = keys(&selection);
            Some((selection, keys))
        }
        Err(error) => {
            assert_eq!(error.kind(), ErrorKind::InvalidInput, "{error}");
            None
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 200, ..ProptestConfig::default() })]

    #[test]
    fn a_translation_that_is_searched_selects_the_same_articles(
        query in query(),
        with_mesh in any::<bool>(),
    ) {
        let table = crate::mesh::tests::small();
        let mesh = with_mesh.then_some(&table);
        let Some(tree) = parse_lenient(&query, Limits::default()).tree else {
            return Ok(());
        };
        let Some((selection, keys)) = evaluated(&tree, mesh) else {
            return Ok(());
        };
        let printed = selection.tree.to_string();
        let again = parse(&printed, Limits::default());
        let again = again.map_err(|fault| TestCaseError::fail(format!("{printed}: {fault}")))?;
        prop_assert_eq!(&again, &selection.tree, "{} -> {}", query, printed);
        let Some((second, same)) = evaluated(&again, mesh) else {
            return Err(TestCaseError::fail(format!("{query} -> {printed} is refused")));
        };
        prop_assert_eq!(&second.tree, &selection.tree, "{} -> {}", query, printed);
        prop_assert_eq!(same, keys, "{} -> {}", query, printed);
    }

    #[test]
    fn any_tree_can_be_evaluated(words in prop::collection::vec("[a-zα0-9*:/,.-]{1,6}", 1..5), tag in
        prop::sample::select(vec!["ti", "tiab", "all", "au", "fau", "mh", "majr", "ta", "gr", "pt", "ad", "si", "sh", "tiab:~2"]))
    {
        let query = format!("\"{}\"[{tag}] OR {}", words.join(" "), words[0]);
        if let Some(tree) = parse_lenient(&query, Limits::default()).tree {
            evaluated(&tree, None);
        }
    }
}
