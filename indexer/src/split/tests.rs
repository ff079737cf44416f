use super::*;
use proptest::prelude::*;
use std::io::Cursor;

/// Gives bytes in pieces of a size, then perhaps fails.
struct Pieces {
    bytes: Vec<u8>,
    size: usize,
    failure: Option<&'static str>,
}

impl Read for Pieces {
    fn read(&mut self, buffer: &mut [u8]) -> std::io::Result<usize> {
        if self.bytes.is_empty()
            && let Some(failure) = self.failure.take()
        {
            return Err(std::io::Error::other(failure));
        }
        let count = self.size.min(buffer.len()).min(self.bytes.len());
        buffer[..count].copy_from_slice(&self.bytes[..count]);
        self.bytes.drain(..count);
        Ok(count)
    }
}

fn split_in(format: Format, bytes: &[u8], size: usize) -> Vec<RawRecord> {
    let bytes = bytes.to_vec();
    let failure = None;
    let pieces = Pieces {
        bytes,
        size,
        failure,
    };
    Splitter::new(format, Box::new(pieces)).collect()
}

fn split(format: Format, text: &str) -> Vec<RawRecord> {
    let records = split_in(format, text.as_bytes(), usize::MAX);
    assert_eq!(records, split_in(format, text.as_bytes(), 1), "in pieces");
    for (record, ordinal) in records.iter().zip(1..) {
        assert_eq!(record.ordinal, ordinal);
        let start = usize::try_from(record.offset).unwrap();
        assert!(text.as_bytes()[start..].starts_with(&record.bytes));
    }
    records
}

/// Kind, text and whether it is damaged.
fn summary(records: &[RawRecord]) -> Vec<(RawKind, &str, bool)> {
    let summary = |record: &RawRecord| {
        // Borrowed from the record that the caller holds.
        (record.kind, record.damage.is_some())
    };
    records
        .iter()
        .map(|record| {
            let (kind, damaged) = summary(record);
            (kind, std::str::from_utf8(&record.bytes).unwrap(), damaged)
        })
        .collect()
}

#[test]
fn records_of_a_set_in_order() {
    let xml = "\u{feff}<?xml version=\"1.0\"?>\n<!DOCTYPE PubmedArticleSet [<!ENTITY x \"<PubmedArticle>\">]>\n\
        <PubmedArticleSet>\n<PubmedArticle a='1>'>x</PubmedArticle> <!-- <PubmedArticle> -->\
        <PubmedBookArticle/><DeleteCitation><PMID>1</PMID></DeleteCitation></PubmedArticleSet>\n";
    let records = split(Format::PubmedXml, xml);
    assert_eq!(
        summary(&records),
        [
            (
                RawKind::PubmedArticle,
                "<PubmedArticle a='1>'>x</PubmedArticle>",
                false
            ),
            (RawKind::PubmedBookArticle, "<PubmedBookArticle/>", false),
            (
                RawKind::Deletion,
                "<DeleteCitation><PMID>1</PMID></DeleteCitation>",
                false
            ),
        ]
    );
}

#[test]
fn one_root_decides_what_its_records_are() {
    let old = "<MedlineCitationSet><MedlineCitation>1</MedlineCitation></MedlineCitationSet>";
    let new = "<PubmedArticleSet><PubmedArticle><MedlineCitation>2</MedlineCitation></PubmedArticle></PubmedArticleSet>";
    let both = format!("{old}\n<?xml version='1.0'?>{new}");
    let records = split(Format::PubmedXml, &both);
    let kinds: Vec<RawKind> = records.iter().map(|record| record.kind).collect();
    assert_eq!(kinds, [RawKind::MedlineCitation, RawKind::PubmedArticle]);
    for (xml, kind) in [
        (
            "<!-- one --><MedlineCitation>x</MedlineCitation>",
            RawKind::MedlineCitation,
        ),
        (
            "<PubmedArticle><MedlineCitation>x</MedlineCitation></PubmedArticle>",
            RawKind::PubmedArticle,
        ),
    ] {
        let alone = split(Format::PubmedXml, xml);
        assert_eq!(alone.len(), 1);
        assert_eq!(alone[0].kind, kind);
    }
}

#[test]
fn comments_and_cdata_hide_tags() {
    let record = "<PubmedArticle><!-- </PubmedArticle> --><![CDATA[<PubmedArticle></PubmedArticle>]]><?x </PubmedArticle>?></PubmedArticle>";
    let records = split(
        Format::PubmedXml,
        &format!("<PubmedArticleSet>{record}</PubmedArticleSet>"),
    );
    assert_eq!(summary(&records), [(RawKind::PubmedArticle, record, false)]);
}

#[test]
fn a_missing_end_tag_costs_one_record() {
    let xml = "<PubmedArticleSet><PubmedArticle><A>1</A><PubmedArticle>2</PubmedArticle>\
        <PubmedArticle><!-- 3</PubmedArticle><PubmedArticle>4</PubmedArticle></PubmedArticleSet>";
    let records = split(Format::PubmedXml, xml);
    assert_eq!(
        summary(&records),
        [
            (RawKind::PubmedArticle, "<PubmedArticle><A>1</A>", true),
            (
                RawKind::PubmedArticle,
                "<PubmedArticle>2</PubmedArticle>",
                false
            ),
            (
                RawKind::PubmedArticle,
                "<PubmedArticle><!-- 3</PubmedArticle>",
                false
            ),
            (
                RawKind::PubmedArticle,
                "<PubmedArticle>4</PubmedArticle>",
                false
            ),
        ]
    );
    assert!(
        records[0]
            .damage
            .as_ref()
            .unwrap()
            .contains("</PubmedArticle> is missing")
    );
}

#[test]
fn strays_are_given_once_and_reading_goes_on() {
    let xml = "<PubmedArticleSet>\nwhat<Foo><PMID>1</PMID></Foo>\n<PubmedArticle>2</PubmedArticle></PubmedArticleSet>junk";
    let records = split(Format::PubmedXml, xml);
    assert_eq!(
        summary(&records),
        [
            (RawKind::Stray, "what<Foo><PMID>1</PMID></Foo>\n", true),
            (
                RawKind::PubmedArticle,
                "<PubmedArticle>2</PubmedArticle>",
                false
            ),
            (RawKind::Stray, "junk", true),
        ]
    );
    assert_eq!(
        records[0].damage.as_deref(),
        Some("the text \"what\" stands where a record is expected")
    );
}

#[test]
fn a_cut_file_says_where() {
    let xml = "<PubmedArticleSet><PubmedArticle>1</PubmedArticle>";
    let records = split(Format::PubmedXml, xml);
    assert_eq!(
        records[1].damage.as_deref(),
        Some("the file ends before </PubmedArticleSet>")
    );
    assert_eq!(records[1].offset, xml.len() as u64);
    let records = split(
        Format::PubmedXml,
        "<PubmedArticleSet><PubmedArticle><PMID>1",
    );
    assert_eq!(records.len(), 1);
    assert_eq!(
        records[0].damage.as_deref(),
        Some("the file ends inside this record")
    );
}

#[test]
fn a_failing_stream_keeps_what_came_before_and_says_so_once() {
    for (xml, faults) in [
        ("<PubmedArticleSet><PubmedArticle>1</PubmedArticle>", 1),
        (
            "<PubmedArticleSet><PubmedArticle>1</PubmedArticle><PubmedArticle>2",
            1,
        ),
    ] {
        let pieces = Pieces {
            bytes: xml.into(),
            size: 7,
            failure: Some("the disk is on fire"),
        };
        let records: Vec<_> = Splitter::new(Format::PubmedXml, Box::new(pieces)).collect();
        assert_eq!(records[0].damage, None);
        let damaged = records.iter().filter_map(|record| record.damage.as_ref());
        let about_fire = damaged.filter(|damage| damage.contains("the disk is on fire"));
        assert_eq!(about_fire.count(), faults);
        assert_eq!(records.len(), 2);
    }
}

/// A stream of one byte after a beginning, without the memory for it.
fn endless(beginning: &str, byte: u8, length: u64, end: &str) -> Box<dyn Read + Send> {
    let beginning = Cursor::new(beginning.to_owned());
    let end = Cursor::new(end.to_owned());
    Box::new(
        beginning
            .chain(std::io::repeat(byte).take(length))
            .chain(end),
    )
}

#[test]
fn a_record_without_end_does_not_fill_the_memory() {
    let length = MAX_RECORD_BYTES as u64 * 2;
    let cases = [
        (
            Format::PubmedXml,
            "<PubmedArticleSet><PubmedArticle>",
            "</PubmedArticle><PubmedArticle>2</PubmedArticle></PubmedArticleSet>",
        ),
        (Format::Nbib, "PMID- 1\nTI  - ", "\nPMID- 2\n"),
        (Format::Jsonl, "{", "\n{}"),
    ];
    for (format, beginning, end) in cases {
        let mut splitter = Splitter::new(format, endless(beginning, b'x', length, end));
        let first = splitter.next().unwrap();
        assert!(first.damage.unwrap().contains("longer than"), "{format}");
        assert!(first.bytes.len() <= crate::Fault::MAX_RAW_BYTES);
        let second = splitter.next().unwrap();
        assert_eq!(second.damage, None, "{format}");
        assert_eq!(splitter.next(), None, "{format}");
    }
}

#[test]
fn many_beginnings_without_end_do_not_take_for_ever() {
    let mut xml = "<PubmedArticleSet><PubmedArticle>".to_owned();
    xml.push_str(&"<!-- <![CDATA[ <? ".repeat(200_000));
    let start = std::time::Instant::now();
    let records = split_in(Format::PubmedXml, xml.as_bytes(), usize::MAX);
    assert_eq!(records.len(), 1);
    assert!(start.elapsed().as_secs() < 5);
}

#[test]
fn lines_and_tagged_records() {
    let records = split(Format::Jsonl, "\u{feff}{1}\r\n\n  \n{2}");
    assert_eq!(
        summary(&records),
        [
            (RawKind::Json, "{1}\r", false),
            (RawKind::Json, "{2}", false)
        ]
    );
    let nbib = "\r\nPMID- 1\r\nTI  - a\r\n      b\r\n\r\nPMID- 2\nPMID- 3\n\n\nstray\n";
    let records = split(Format::Nbib, nbib);
    assert_eq!(
        summary(&records),
        [
            (RawKind::Nbib, "PMID- 1\r\nTI  - a\r\n      b\r\n", false),
            (RawKind::Nbib, "PMID- 2\n", false),
            (RawKind::Nbib, "PMID- 3\n", false),
            (RawKind::Nbib, "stray\n", false),
        ]
    );
}

#[test]
fn articles_are_found_in_any_envelope() {
    let xml = "<OAI-PMH xmlns='x'><request>u</request><GetRecord><article>1<article-meta/></article></GetRecord><!-- <article> --></OAI-PMH>";
    let records = split(Format::Jats, xml);
    assert_eq!(
        summary(&records),
        [(RawKind::Jats, "<article>1<article-meta/></article>", false)]
    );
    let records = split(
        Format::Jats,
        "<OAI-PMH><error code='x'>no</error></OAI-PMH>",
    );
    assert_eq!(
        records[0].damage.as_deref(),
        Some("the file holds no <article>")
    );
}

/// Pieces of XML that matter to the splitter, whole and broken.
fn xml_soup() -> impl Strategy<Value = String> {
    let tokens = vec![
        "<PubmedArticleSet>",
        "</PubmedArticleSet>",
        "<PubmedArticle>",
        "</PubmedArticle>",
        "<PubmedArticle ",
        "<PubmedBookArticle>",
        "</PubmedBookArticle>",
        "<DeleteCitation/>",
        "<MedlineCitation>",
        "</MedlineCitation>",
        "<MedlineCitationSet>",
        "<PMID>1</PMID>",
        "<!--",
        "-->",
        "<![CDATA[",
        "]]>",
        "<?",
        "?>",
        "<!DOCTYPE a>",
        "<article>",
        "</article>",
        "<",
        ">",
        "/>",
        "\"",
        "'",
        "text",
        " ",
        "\n",
        "&amp;",
        "é",
    ];
    prop::collection::vec(prop::sample::select(tokens), 0..60).prop_map(|tokens| tokens.concat())
}

proptest! {
    #[test]
    fn every_byte_is_in_a_record_or_carries_nothing(xml in xml_soup()) {
        let records = split(Format::PubmedXml, &xml);
        let mut at = 0;
        let mut between = String::new();
        for record in &records {
            let start = usize::try_from(record.offset).unwrap();
            prop_assert!(at <= start, "records overlap");
            between.push_str(&xml[at..start]);
            at = start + record.bytes.len();
        }
        between.push_str(&xml[at..]);
        let left = without_markup(&between);
        prop_assert_eq!(left.trim(), "");
    }

    #[test]
    fn any_bytes_are_split(bytes in prop::collection::vec(any::<u8>(), 0..400), size in 1usize..50) {
        for format in [Format::PubmedXml, Format::Jats, Format::Nbib, Format::Jsonl] {
            let records = split_in(format, &bytes, size);
            prop_assert_eq!(records, split_in(format, &bytes, usize::MAX));
        }
    }
}

/// Drops comments, declarations and tags of sets.
fn without_markup(text: &str) -> String {
    let mut kept = String::new();
    let mut rest = text;
    'next: while let Some(open) = rest.find('<') {
        kept.push_str(&rest[..open]);
        rest = &rest[open..];
        let passed = [
            ("<!--", "-->"),
            ("<?", "?>"),
            ("<!DOCTYPE", ">"),
            ("<PubmedArticleSet", ">"),
            ("</PubmedArticleSet", ">"),
            ("<MedlineCitationSet", ">"),
        ];
        for (opening, closing) in passed {
            if rest.starts_with(opening) {
                let end = rest[opening.len()..]
                    .find(closing)
                    .map(|end| opening.len() + end + closing.len());
                rest = &rest[end.unwrap_or(rest.len())..];
                continue 'next;
            }
        }
        kept.push('<');
        rest = &rest[1..];
    }
    kept + rest
}

#[test]
fn objects_of_an_array() {
    let text = "\u{feff}[ {\"a\": \"}\\\"]\"},\n{\"b\": [{}]} , 5, {\"c\": 1}]\n";
    let records = split(Format::JsonArray, text);
    assert_eq!(
        summary(&records),
        [
            (RawKind::Item, "{\"a\": \"}\\\"]\"}", false),
            (RawKind::Item, "{\"b\": [{}]}", false),
            (RawKind::Stray, "5", true),
            (RawKind::Item, "{\"c\": 1}", false),
        ]
    );
    assert!(split(Format::JsonArray, "[]").is_empty());
    for (text, what) in [
        ("[{\"a\": 1}, {\"b\": ", "cut short"),
        ("[{\"a\": 1}", "no end"),
        ("[{\"a\": 1}] more", "no part of the array"),
    ] {
        let records = split(Format::JsonArray, text);
        assert_eq!(records.len(), 2, "{records:?}");
        let damage = records[1].damage.as_deref().unwrap_or_default();
        assert!(damage.contains(what), "{damage}");
    }
}

#[test]
fn references_of_ris() {
    let text = "Provider: Sample\r\n\r\nTY  - JOUR\r\nTI  - a\r\nER  - \r\n\r\n\
        TY  - BOOK\r\nTI  - b\r\nTY  - JOUR\r\nTI  - c\r\nER  -\r\nstray line\r\n\r\nTY  - GEN\r\nTI  - d";
    let records = split(Format::Ris, text);
    assert_eq!(
        summary(&records),
        [
            (RawKind::Ris, "TY  - JOUR\r\nTI  - a\r\nER  - \r\n", false),
            (RawKind::Ris, "TY  - BOOK\r\nTI  - b\r\n", false),
            (RawKind::Ris, "TY  - JOUR\r\nTI  - c\r\nER  -\r\n", false),
            (RawKind::Stray, "stray line\r\n", true),
            (RawKind::Ris, "TY  - GEN\r\nTI  - d", false),
        ]
    );
}

#[test]
fn entries_of_bibtex() {
    let text = "% by a@b.c\n@comment{x, {y}}@String{j = {J}}\n@article{a, title = {A {b}}}\n\
        @book(b, title = \"(B)\")\n@article{c, title = {C}\n@misc{d, title = {D}}\n@misc{e";
    for size in [1, 7, usize::MAX] {
        let records = split_in(Format::Bibtex, text.as_bytes(), size);
        let known = "@String{j = {J}}";
        let expected = [
            (
                RawKind::Bibtex,
                format!("{known}@article{{a, title = {{A {{b}}}}}}"),
                false,
            ),
            (
                RawKind::Bibtex,
                format!("{known}@book(b, title = \"(B)\")"),
                false,
            ),
            (
                RawKind::Bibtex,
                "@article{c, title = {C}\n".to_owned(),
                true,
            ),
            (
                RawKind::Bibtex,
                format!("{known}@misc{{d, title = {{D}}}}"),
                false,
            ),
            (RawKind::Bibtex, "@misc{e".to_owned(), true),
        ];
        let expected: Vec<_> = expected
            .iter()
            .map(|(kind, text, damaged)| (*kind, text.as_str(), *damaged))
            .collect();
        assert_eq!(summary(&records), expected, "pieces of {size}");
    }
}

proptest! {
    #[test]
    fn any_bytes_are_cut_into_records(text in "[@{}()\\[\\],\"\\\\a-zT YER\n-]{0,60}") {
        for format in [Format::JsonArray, Format::Ris, Format::Bibtex] {
            // In pieces, but not of a byte each: the window makes room for each.
            let whole = split_in(format, text.as_bytes(), usize::MAX);
            prop_assert_eq!(&whole, &split_in(format, text.as_bytes(), 9));
            prop_assert!(whole.len() <= text.len() + 1);
        }
    }
}
