use super::*;
use proptest::prelude::*;

const FILE: &str = "1|t|TNF-α in asthma.\n1|a|Asthma (AS).\n\
    1\t9\t15\tasthma\tDisease\tD001249\n\
    1\t17\t23\tAsthma\tDisease\tMESH:D001249|OMIM:1\n\
    1\t25\t27\tAS\tDisease\n\
    1\t0\t5\tTNF-α\tGene\t\tTNF|α\n\
    1\tCID\tD1\tD2\n1\tAssociation\tD1\tD2\tNovel\n\n2|t|\n2|a|\n\n3|t|Only | a title\n\n";

#[test]
fn documents_have_text_mentions_and_relations() {
    let documents = read(FILE).unwrap();
    let [first, empty, title] = &documents[..] else {
        panic!("{documents:?}");
    };
    assert_eq!(first.text(), "TNF-α in asthma. Asthma (AS).");
    assert!(first.misplaced().is_empty());
    let ids: Vec<Vec<&str>> = first.mentions.iter().map(Mention::identifiers).collect();
    assert_eq!(ids, [&["D001249"][..], &["D001249", "OMIM:1"], &[], &[]]);
    assert_eq!(first.mentions[2].identifier, None);
    assert_eq!(first.mentions[3].notes["column7"], "TNF|α");
    assert_eq!(first.relations[0].arguments, ["D1", "D2"]);
    assert_eq!(first.relations[1].notes["novel"], "Novel");
    assert_eq!((empty.text().as_str(), empty.passages.len()), (" ", 2));
    assert_eq!(
        (title.text().as_str(), title.passages.len()),
        ("Only | a title", 1)
    );
    assert_eq!(write(&documents).unwrap(), FILE);
}

#[test]
fn other_line_ends_and_empty_lines_do_not_matter() {
    let other = format!("\n\n{}", FILE.replace('\n', "\r\n"));
    assert_eq!(read(&other).unwrap(), read(FILE).unwrap());
    assert_eq!(read(FILE.trim_end()).unwrap(), read(FILE).unwrap());
}

#[test]
fn what_is_no_such_file_is_refused_with_its_line() {
    for (text, part) in [
        ("", "line 1: there is no document"),
        (
            "1\t0\t2\tAS\tDisease\t-1\n",
            "line 1: a mention before the first title",
        ),
        ("1|a|x\n", "line 1: an abstract before"),
        ("1|t|a\nword\n", "line 2: neither"),
        ("1|t|a\n1\t0\t1\ta\n", "line 2: neither"),
        ("1|t|a\n1|x|b\n", "line 2: neither"),
        (
            "1|t|a\n2\t0\t1\ta\tGene\n",
            "line 2: a mention of 2 within document 1",
        ),
        ("1|t|a\n1|a|b\n1|a|c\n", "line 3: a second abstract"),
        ("1|t|a\n1\t5\t3\ta\tGene\n", "ends before it begins"),
        (
            "1|t|a\n1\t0\t99999999999999999999\ta\tGene\n",
            "line 2: the offset",
        ),
    ] {
        let error = read(text).unwrap_err().to_string();
        assert!(error.contains(part), "{error}");
    }
}

fn document(parts: &[(usize, &str)]) -> Document {
    let parts = parts.iter().map(|&(offset, text)| part("", offset, text));
    Document {
        id: "1".to_owned(),
        passages: parts.collect(),
        ..Document::default()
    }
}

#[test]
fn what_breaks_lines_becomes_spaces_and_offsets_stay() {
    let mut made = document(&[(0, "A\tb\r\nc"), (8, "d\ne"), (14, "f")]);
    made.mentions.push(Mention {
        characters: 0..3,
        text: "A\tb".to_owned(),
        kind: "Gene".to_owned(),
        ..Mention::default()
    });
    let text = write(&[made]).unwrap();
    assert_eq!(text, "1|t|A b  c \n1|a|d e   f\n1\t0\t3\tA b\tGene\n\n");
    let read = read(&text).unwrap();
    assert!(read[0].misplaced().is_empty());
    assert_eq!(read[0].text().chars().nth(14), Some('f'));
}

#[test]
fn relations_of_mentions_are_said_once_and_only_of_concepts() {
    let relation = |second: &str| Relation {
        kind: "treats".to_owned(),
        arguments: vec!["MESH:D1".to_owned(), second.to_owned()],
        mentions: vec![0, 1],
        notes: [("score".to_owned(), "0.9".to_owned())].into(),
    };
    let mut made = document(&[(0, "a")]);
    made.relations = vec![relation("MESH:D2"), relation("-"), relation("MESH:D2")];
    let text = write(std::slice::from_ref(&made)).unwrap();
    assert_eq!(text, "1|t|a\n1\ttreats\tMESH:D1\tMESH:D2\n\n");
    assert_eq!(made.relations_without_concepts(), 1);
}

#[test]
fn what_has_no_place_is_refused_and_not_bent() {
    let three = Relation {
        arguments: vec!["a".to_owned(); 3],
        ..Relation::default()
    };
    let mut of_three = document(&[(0, "a")]);
    of_three.relations.push(three);
    let mut with_sign = document(&[(0, "a")]);
    with_sign.id = "a|b".to_owned();
    for (made, part) in [
        (of_three, "of 3 concepts"),
        (with_sign, "its id"),
        (document(&[(0, "abc"), (3, "d")]), "begins before 4"),
    ] {
        let error = write(&[made]).unwrap_err().to_string();
        assert!(error.contains(part), "{error}");
    }
}

/// Documents as they come out of files.
pub(crate) fn documents() -> impl Strategy<Value = Vec<Document>> {
    prop::collection::vec(one_document(), 1..4)
}

fn one_document() -> impl Strategy<Value = Document> {
    let text = "[ -~αé𝛼]{0,30}";
    let mentions = prop::collection::vec(one_mention(), 0..5);
    let relations = prop::collection::vec(one_relation(), 0..4);
    let id = "[0-9A-Z]{1,8}";
    (id, text, prop::option::of(text), mentions, relations).prop_map(
        |(id, title, second, mentions, relations)| {
            let offset = title.chars().count() + 1;
            let mut passages = vec![part("title", 0, &title)];
            passages.extend(second.map(|text| part("abstract", offset, &text)));
            Document {
                id,
                passages,
                mentions,
                relations,
            }
        },
    )
}

fn one_mention() -> impl Strategy<Value = Mention> {
    let more = prop::collection::vec("[a-z|]{0,6}", 0..3);
    let identifier = prop::option::of("[A-Z0-9:|+-]{0,8}");
    let kinds = prop::sample::select(vec!["Gene", "Disease", "ChemMet"]);
    (
        0..80_usize,
        0..20_usize,
        "[ -~α𝛼]{0,8}",
        kinds,
        identifier,
        more,
    )
        .prop_map(|(start, length, text, kind, identifier, more)| {
            let more: Vec<&str> = more.iter().map(String::as_str).collect();
            let identifier = match more.is_empty() {
                true => identifier,
                false => Some(identifier.unwrap_or_default()),
            };
            Mention {
                characters: start..start + length,
                pieces: Vec::new(),
                text,
                kind: kind.to_owned(),
                identifier,
                notes: notes(&more, OF_MENTION),
            }
        })
}

fn one_relation() -> impl Strategy<Value = Relation> {
    let argument = "[A-Z0-9:]{1,8}";
    let kinds = prop::sample::select(vec!["CID", "Bind", "Positive_Correlation"]);
    (kinds, argument, argument, prop::option::of("Novel|No")).prop_map(
        |(kind, first, second, novel)| Relation {
            kind: kind.to_owned(),
            arguments: vec![first, second],
            mentions: Vec::new(),
            notes: novel
                .map(|note| (NOVEL.to_owned(), note))
                .into_iter()
                .collect(),
        },
    )
}

proptest! {
    #[test]
    fn what_is_written_is_read_back(documents in documents()) {
        let text = write(&documents).unwrap();
        prop_assert_eq!(read(&text).unwrap(), documents);
    }

    #[test]
    fn no_text_is_too_strange(text in "([0-9]|\\|t\\||\\|a\\||\t|\n|\r|[ -~]|\\PC){0,60}") {
        if let Ok(documents) = read(&text) {
            // An id may have signs that cannot be written.
            if let Ok(written) = write(&documents) {
                let again = read(&written).unwrap();
                prop_assert_eq!(again.len(), documents.len());
                prop_assert_eq!(write(&again).unwrap(), written);
            }
        }
    }
}
