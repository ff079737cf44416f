use super::*;
use crate::enrich::exchange::pubtator;
use crate::enrich::exchange::pubtator::tests::documents;
use proptest::prelude::*;

/// In the form of a corpus: the vocabulary's name, a mention in two pieces,
/// arguments by their types.
const CORPUS: &str = r#"{"source": "s", "date": "d", "key": "k", "infons": {}, "documents": [
    {"id": "7", "infons": {}, "passages": [
        {"offset": 0, "infons": {"type": "title"}, "sentences": [
            {"offset": 0, "infons": {}, "text": "α one.", "annotations": [
                {"id": "1", "infons": {"type": "Chemical", "MESH": "D1"}, "text": "α",
                 "locations": [{"offset": 0, "length": 1}]}], "relations": []},
            {"offset": 8, "infons": {}, "text": "Two.", "annotations": [], "relations": []}],
         "annotations": [], "relations": []},
        {"offset": 13, "infons": {"type": "abstract"}, "text": "left and right lung",
         "sentences": [], "annotations": [
            {"id": "0", "infons": {"type": "Disease", "MESH": "D2", "CompositeRole": "IndividualMention"},
             "text": "left lung", "locations": [{"offset": 13, "length": 4}, {"offset": 28, "length": 4}]}],
         "relations": []}],
     "annotations": [], "relations": [
        {"id": "R0", "infons": {"relation": "CID", "Chemical": "D1", "Disease": "D2"}, "nodes": []},
        {"id": "R1", "infons": {"type": "x"}, "nodes": [
            {"refid": "1", "role": "a"}, {"refid": "0", "role": "b"}, {"refid": "9", "role": ""}]}]}]}"#;

#[test]
fn a_corpus_becomes_documents() {
    let collection = Collection::read_json(CORPUS).unwrap();
    let [document] = &collection.to_documents()[..] else {
        panic!("{collection:?}");
    };
    assert_eq!(document.text(), "α one.  Two. left and right lung");
    assert!(document.misplaced().is_empty());
    let [lung, alpha] = &document.mentions[..] else {
        panic!("{document:?}");
    };
    assert_eq!((&lung.characters, lung.pieces.len()), (&(13..32), 2));
    assert_eq!(alpha.identifier.as_deref(), Some("D1"));
    assert_eq!(lung.notes["CompositeRole"], "IndividualMention");
    let [cid, of_nodes] = &document.relations[..] else {
        panic!("{document:?}");
    };
    assert_eq!(
        (cid.kind.as_str(), &cid.arguments[..]),
        ("CID", &["D1".to_owned(), "D2".into()][..])
    );
    assert_eq!(
        (&of_nodes.mentions[..], &of_nodes.arguments[..]),
        (&[1, 0][..], &cid.arguments[..])
    );
    assert_eq!(of_nodes.notes["node1"], "9");
    assert_eq!(
        Collection::read_json(&collection.write_json().unwrap()).unwrap(),
        collection
    );
}

#[test]
fn answers_of_services_are_read() {
    let document = r#"{"_id": "7|None", "id": 7, "infons": null, "pmid": 7, "passages": [
        {"infons": {"type": "title", "year": 2001}, "offset": 0, "text": "Gene", "sentences": [],
         "annotations": [{"id": "2", "infons": {"identifier": "5", "type": "Gene", "valid": true,
            "normalized": [5]}, "text": "Gene", "locations": [{"offset": 0, "length": 4}]}]}],
        "authors": ["A B"]}"#;
    for text in [
        format!(r#"{{"PubTator3": [{document}]}}"#),
        format!(
            r#"[{{"bioctype": "BioCCollection", "source": "PubTator3", "documents": [{document}]}}]"#
        ),
    ] {
        let collection = Collection::read_json(&text).unwrap();
        assert_eq!(collection.source, "PubTator3");
        let found = &collection.to_documents()[0];
        assert_eq!((found.id.as_str(), found.misplaced()), ("7", vec![]));
        assert_eq!(found.mentions[0].notes["normalized"], "[5]");
        let written = collection.write_json().unwrap();
        for kept in ["7|None", "A B", "2001"] {
            assert!(written.contains(kept), "{written}");
        }
        assert_eq!(Collection::read_json(&written).unwrap(), collection);
    }
    let alone = Collection::read_json(document).unwrap();
    assert_eq!(alone.documents.len(), 1);
}

#[test]
fn what_is_no_collection_is_refused() {
    for text in [
        "",
        "7",
        "[]",
        "[7]",
        "{}",
        r#"{"a": [7]}"#,
        r#"{"documents": [{"id": []}]}"#,
    ] {
        let error = Collection::read_json(text).unwrap_err().to_string();
        assert!(error.contains("no BioC JSON"), "{text}: {error}");
    }
}

#[test]
fn mentions_stand_in_the_passage_in_which_they_begin() {
    let text = "1|t|One two\n1|a|three\n1\t8\t13\tthree\tGene\n1\t0\t3\tOne\tGene\t5\n\n";
    let document = pubtator::read(text).unwrap().remove(0);
    let made = BiocDocument::of(&document);
    let ids: Vec<&str> = made
        .passages
        .iter()
        .map(|one| one.annotations[0].id.as_str())
        .collect();
    assert_eq!(ids, ["1", "0"]);
    assert_eq!(made.to_document(), document);
}

proptest! {
    #[test]
    fn documents_come_back_through_json(documents in documents()) {
        let collection = Collection {
            documents: documents.iter().map(BiocDocument::of).collect(),
            ..Collection::default()
        };
        let read = Collection::read_json(&collection.write_json().unwrap()).unwrap();
        prop_assert_eq!(&read, &collection);
        prop_assert_eq!(read.to_documents(), documents);
    }

    #[test]
    fn no_text_is_too_strange(text in r#"(\{|\}|\[|\]|,|:|"(documents|passages|offset|id)"|[0-9]|null){0,30}"#) {
        if let Ok(collection) = Collection::read_json(&text) {
            let _ = collection.to_documents();
        }
    }
}
