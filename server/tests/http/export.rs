//! Whole lists as files.

use crate::fixture;
use serde_json::{Value, json};

/// The body of an answer that was sent in chunks (RFC 9112, section 7.1).
pub(crate) fn joined(body: &[u8]) -> String {
    String::from_utf8(bytes(body)).unwrap()
}

fn bytes(mut body: &[u8]) -> Vec<u8> {
    let mut text = Vec::new();
    loop {
        let end = body.windows(2).position(|two| two == b"\r\n").unwrap();
        let size = std::str::from_utf8(&body[..end]).unwrap();
        let size = usize::from_str_radix(size, 16).unwrap();
        if size == 0 {
            return text;
        }
        text.extend(&body[end + 2..end + 2 + size]);
        body = &body[end + 4 + size..];
    }
}

#[test]
fn an_export_is_the_whole_list() {
    let server = fixture::server();
    let answer = server.get("/v1/export?q=all%5Bsb%5D&sort=date");
    assert_eq!(answer.status, 200);
    assert_eq!(answer.header("content-type"), "application/jsonl");
    assert_eq!(answer.header("medsift-articles"), "4");
    assert_eq!(answer.header("transfer-encoding"), "chunked");
    let text = joined(&answer.body);
    let articles: Vec<Value> = text
        .lines()
        .map(|line| serde_json::from_str(line).unwrap())
        .collect();
    assert_eq!(articles.len(), 4);
    let expected = serde_json::to_value(&fixture::articles()[0]).unwrap();
    assert_eq!(articles[0], expected);
    let body = json!({"query": "all[sb]", "sort": "date", "format": "jsonl"});
    let posted = server.post("/v1/export", body.to_string().as_bytes());
    assert_eq!(joined(&posted.body), text);
}

#[test]
fn every_format_has_every_article() {
    let server = fixture::server();
    for (format, ending, sign) in [
        ("csv", "csv", "\r\n"),
        ("nbib", "nbib", "\nTI  - "),
        ("ris", "ris", "TY  - "),
        ("xml", "xml", "<PubmedArticle>"),
        ("bibtex", "bib", "@article{"),
        ("csl", "json", "\"title\":"),
        ("beir", "jsonl", "\"_id\":"),
    ] {
        let path = format!("/v1/export?q=statins&mode=keyword&format={format}");
        let answer = server.get(&path);
        let text = joined(&answer.body);
        let head = usize::from(format == "csv");
        assert_eq!(text.matches(sign).count(), 3 + head, "{text}");
        let name = answer.header("content-disposition");
        assert_eq!(name, format!("attachment; filename=\"medsift.{ending}\""));
    }
    // An array is whole, also without a thing in it.
    for (query, count) in [("statins", 3), ("zzzzz", 0)] {
        let answer = server.get(&format!("/v1/export?q={query}&mode=keyword&format=csl"));
        let items: Vec<Value> = serde_json::from_str(&joined(&answer.body)).unwrap();
        assert_eq!(items.len(), count);
    }
    let nothing = server.get("/v1/export?q=zzzzz&mode=keyword");
    assert_eq!(
        (nothing.status, joined(&nothing.body)),
        (200, String::new())
    );
}

/// Columns come as the same files that the command line writes, and are read
/// back as the same articles.
#[test]
fn columns_are_whole_files() {
    use medsift::columnar::{ColumnFormat, ColumnReader, ColumnRow, ReadOptions};
    let server = fixture::server();
    let dir = tempfile::tempdir().unwrap();
    for format in ColumnFormat::ALL {
        for vectors in [false, true] {
            let body = json!({
                "query": "all[sb]", "format": format.as_str(), "vectors": vectors, "sort": "date",
            });
            let answer = server.post("/v1/export", body.to_string().as_bytes());
            assert_eq!(answer.status, 200, "{}", answer.text());
            assert_eq!(answer.header("content-type"), format.media_type());
            let path = dir.path().join(format.as_str());
            std::fs::write(&path, bytes(&answer.body)).unwrap();
            let options = ReadOptions {
                vectors: true,
                name_of: |name| panic!("no name stands as a text: {name}"),
            };
            let reader = ColumnReader::open(&path, format, options, |file| Box::new(file)).unwrap();
            assert_eq!(reader.vectors().is_some(), vectors);
            let mut found: Vec<_> = reader
                .map(|row| match row {
                    ColumnRow::Article(article, given) => {
                        assert_eq!(given.is_some(), vectors, "{article:?}");
                        *article
                    }
                    other => panic!("{other:?}"),
                })
                .collect();
            let mut expected = fixture::articles();
            found.sort_by(|a, b| a.id.cmp(&b.id));
            expected.sort_by(|a, b| a.id.cmp(&b.id));
            assert_eq!(found, expected, "{format:?}");
        }
    }
    // Nothing found is a file without rows.
    let empty = server.get("/v1/export?q=zzzzz&mode=keyword&format=parquet");
    assert!(bytes(&empty.body).ends_with(b"PAR1"));
}

#[test]
fn an_export_has_no_pages_and_refuses_before_it_begins() {
    let server = fixture::server();
    for (query, field) in [
        ("q=a&limit=5", "limit"),
        ("q=a&facets=year", "facets"),
        ("q=a&format=feather", "format"),
        ("q=a&format=csv&vectors=true", "vectors"),
        ("q=a&format=parquet&vectors=yes", "vectors"),
        ("q=a&format=csv&format=csv", "format"),
        ("q=", "query"),
        ("q=a+AND", "query"),
        ("q=a&colour=red", "colour"),
    ] {
        let answer = server.get(&format!("/v1/export?{query}"));
        assert_eq!(
            (answer.status, answer.error().1.as_deref()),
            (400, Some(field)),
            "{query}"
        );
    }
}
