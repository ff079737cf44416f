use super::*;

const XML: &str = r#"<?xml version='1.0' encoding='UTF-8'?><!DOCTYPE collection SYSTEM "BioC.dtd">
<collection><source>PubTator</source><date/><key>PubTator.key</key><infon key="a">b</infon>
<document><id>7</id><infon key="x">1</infon><infon key="x">2</infon>
<passage><infon key="type">title</infon><offset>0</offset><text>α  &lt;5 one</text>
<annotation id='1'><infon key="type">Gene</infon><infon key="NCBI Gene">5</infon>
<location offset='6' length='3' /><text>one</text></annotation></passage>
<passage><infon key="type">
   abstract
  </infon><offset> 10 </offset><text>
   Left and
     right lung.
  </text><annotation id="0"><infon key="type">Disease</infon>
<location offset="10" length="4"/><location offset="25" length="4"/><text>Left lung</text></annotation></passage>
<relation id="R0"><infon key="type">x</infon><node refid="0" role="r"/><node refid="1" role=""/></relation>
<strange>kept</strange></document></collection>"#;

#[test]
fn a_collection_is_read_with_all_that_it_has() {
    let collection = read_bioc_xml(XML).unwrap();
    assert_eq!(collection.source, "PubTator");
    assert_eq!(collection.infons["a"], "b");
    let json = collection.write_json().unwrap();
    assert!(
        json.contains(r#""leftover":{"strange":["kept"]}"#),
        "{json}"
    );
    assert!(json.contains(r#""x":["1","2"]"#), "{json}");
    let [document] = &collection.to_documents()[..] else {
        panic!("{collection:?}");
    };
    assert_eq!(document.text(), "α  <5 one Left and right lung.");
    assert!(document.misplaced().is_empty(), "{document:?}");
    assert_eq!(document.passages[1].kind, "abstract");
    let [lung, one] = &document.mentions[..] else {
        panic!("{document:?}");
    };
    assert_eq!(
        (lung.pieces.len(), one.identifier.as_deref()),
        (2, Some("5"))
    );
    assert_eq!(document.relations[0].mentions, [0, 1]);
    let again = exchange::bioc::Collection::read_json(&json).unwrap();
    assert_eq!(again, collection);
}

#[test]
fn faults_name_what_is_wrong() {
    for (text, part) in [
        ("<a/>", "begins with <a>"),
        ("<!-- -->", "no element"),
        ("<collection><document>", "document 1"),
        (
            "<collection><document><passage><offset>x</offset></passage></document></collection>",
            "offset \"x\"",
        ),
        (
            "<collection><document><annotation><location offset='1'/></annotation></document></collection>",
            "length",
        ),
    ] {
        let error = read_bioc_xml(text).unwrap_err().to_string();
        assert!(
            error.contains("no BioC XML") && error.contains(part),
            "{error}"
        );
    }
}

#[test]
fn files_are_told_apart_by_their_content() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("a.txt");
    for text in [
        XML,
        "\u{feff}7|t|one\n",
        r#"{"documents": [{"id": "7", "passages": []}]}"#,
    ] {
        std::fs::write(&path, text).unwrap();
        assert_eq!(read_documents(&path).unwrap()[0].id, "7");
    }
    for (text, part) in [
        (&b"word"[..], "line 1"),
        (b"<collection></collection>", "no document"),
        (b"{\"documents\": []}", "no document"),
        (b"7|t|\xff", "not UTF-8 from byte 4"),
    ] {
        std::fs::write(&path, text).unwrap();
        let error = read_documents(&path).unwrap_err().to_string();
        assert!(error.contains("a.txt") && error.contains(part), "{error}");
    }
}
