use super::*;
use proptest::prelude::*;

fn entity(text: &str, kind: &str, mention: &str, nth: usize) -> Entity {
    let (byte, _) = text.match_indices(mention).nth(nth).unwrap();
    let start = text[..byte].chars().count();
    Entity {
        kind: kind.to_owned(),
        start,
        end: start + mention.chars().count(),
        text: mention.to_owned(),
        score: 1.0,
        concept: None,
    }
}

fn rule(first: &str, second: &str, others: Option<&str>) -> PairRule {
    PairRule {
        types: [first.to_owned(), second.to_owned()],
        others: others.map(str::to_owned),
    }
}

fn masked(text: &str, entities: &[Entity], rule: &PairRule) -> Vec<String> {
    let found = candidates(text, entities, rule).into_iter();
    found.map(|one| one.masked).collect()
}

#[test]
fn every_pair_of_a_sentence_is_masked_once() {
    let text = "Naïve β-cells: TNF-α and IL-6 cause fever.  MYC does not. Fever and p53?";
    let entities = [
        entity(text, "Gene", "TNF-α", 0),
        entity(text, "Gene", "IL-6", 0),
        entity(text, "Disease", "fever", 0),
        entity(text, "Gene", "MYC", 0),
        entity(text, "Disease", "Fever", 0),
        entity(text, "gene", "p53", 0),
        entity(text, "Species", "cells", 0),
    ];
    let found = candidates(text, &entities, &rule("Gene", "Disease", None));
    let pairs: Vec<(usize, usize)> = found.iter().map(|one| (one.first, one.second)).collect();
    assert_eq!(pairs, [(0, 2), (1, 2), (5, 4)]);
    let masked: Vec<&str> = found.iter().map(|one| &one.masked[..]).collect();
    assert_eq!(
        masked,
        [
            "Naïve β-cells: @GENE$ and IL-6 cause @DISEASE$.",
            "Naïve β-cells: TNF-α and @GENE$ cause @DISEASE$.",
            "@DISEASE$ and @GENE$?",
        ]
    );
    let sentence = |range: &Range<usize>| -> String {
        text.chars()
            .skip(range.start)
            .take(range.end - range.start)
            .collect()
    };
    assert_eq!(sentence(&found[2].sentence), "Fever and p53?");
    assert_eq!(
        sentence(&found[0].sentence),
        "Naïve β-cells: TNF-α and IL-6 cause fever."
    );
}

#[test]
fn others_are_masked_where_the_head_was_trained_so() {
    let text = "TNF-α and IL-6 cause fever and pain.";
    let entities = [
        entity(text, "Gene", "TNF-α", 0),
        entity(text, "Gene", "IL-6", 0),
        entity(text, "Disease", "fever", 0),
        entity(text, "Disease", "fever and pain", 0),
        entity(text, "Disease", "pain", 0),
    ];
    let found = masked(text, &entities, &rule("Gene", "Disease", Some("OTHER")));
    assert_eq!(
        found[..3],
        [
            "@GENE$ and @OTHER$ cause @DISEASE$ and @OTHER$.",
            "@GENE$ and @OTHER$ cause @DISEASE$.",
            "@GENE$ and @OTHER$ cause @OTHER$ and @DISEASE$.",
        ]
    );
    assert_eq!(found.len(), 6);
}

#[test]
fn what_is_no_pair_makes_none() {
    let text = "P53 binds p53 and MDM2. MYC is apart";
    let gene = |mention: &str, nth| entity(text, "Gene", mention, nth);
    let genes = rule("Gene", "Gene", None);
    // The same name twice, and an entity of the next sentence.
    let entities = [gene("P53", 0), gene("p53", 0), gene("MYC", 0)];
    assert!(masked(text, &entities, &genes).is_empty());
    // An entity within another, and itself.
    let whole = gene("p53 and MDM2", 0);
    let entities = [whole.clone(), gene("MDM2", 0), whole];
    assert!(masked(text, &entities, &genes).is_empty());
    assert_eq!(
        masked(text, &[gene("p53", 0), gene("MDM2", 0)], &genes),
        ["P53 binds @GENE$ and @GENE$."]
    );
    // Over the end of a sentence, and offsets that are not of this text.
    let long = gene("MDM2. MYC", 0);
    let mut moved = gene("MDM2", 0);
    moved.start += 1;
    let mut outside = gene("apart", 0);
    outside.end += 9;
    for other in [long, moved, outside] {
        assert!(masked(text, &[gene("p53", 0), other], &genes).is_empty());
    }
    let none: [Entity; 0] = [];
    assert!(masked("", &none, &genes).is_empty());
}

/// Words with entities among them, some within others.
fn annotated() -> impl Strategy<Value = (String, Vec<Entity>)> {
    let text = "([a-c][.] |[A-C]|β|e\u{301}|🧬| |\\PC){0,40}";
    let spans = prop::collection::vec((0usize..60, 1usize..12, 0usize..3), 0..8);
    (text, spans).prop_map(|(text, spans)| {
        let characters: Vec<char> = text.chars().collect();
        let kinds = ["Gene", "Disease", "Species"];
        let entities = spans.into_iter().map(|(start, length, kind)| {
            let mention = characters.iter().skip(start).take(length).collect();
            Entity {
                kind: kinds[kind].to_owned(),
                start,
                end: start + length,
                text: mention,
                score: 0.5,
                concept: None,
            }
        });
        let entities = entities.collect();
        (text, entities)
    })
}

proptest! {
    #[test]
    fn masks_hide_the_two_and_nothing_else((text, entities) in annotated(), twice in any::<bool>()) {
        let second = if twice { "Gene" } else { "Disease" };
        let rule = rule("Gene", second, None);
        let characters: Vec<char> = text.chars().collect();
        let mut seen = Vec::new();
        for one in candidates(&text, &entities, &rule) {
            let (first, second) = (&entities[one.first], &entities[one.second]);
            prop_assert_eq!(&first.kind, "Gene");
            prop_assert_eq!(&second.kind, &rule.types[1]);
            prop_assert!(first.end <= second.start || second.end <= first.start);
            let sentence: String = characters[one.sentence.clone()].iter().collect();
            prop_assert_eq!(sentence.trim(), &sentence[..]);
            for entity in [first, second] {
                prop_assert!(one.sentence.start <= entity.start && entity.end <= one.sentence.end);
            }
            // With the mentions back in their places the sentence is there again.
            let (left, right) = if first.start < second.start {
                (first, second)
            } else {
                (second, first)
            };
            let mask = |entity: &Entity| format!("@{}$", entity.kind.to_uppercase());
            let part = |range: Range<usize>| -> String { characters[range].iter().collect() };
            let expected = [
                part(one.sentence.start..left.start),
                mask(left),
                part(left.end..right.start),
                mask(right),
                part(right.end..one.sentence.end),
            ];
            prop_assert_eq!(&one.masked, &expected.concat());
            prop_assert!(!seen.contains(&(one.first, one.second)));
            seen.push((one.first, one.second));
        }
    }
}
