//! Citations of made-up articles.

use super::*;
use crate::article::{
    Author, Book, Journal, Keyword, KeywordList, MeshHeading, MeshTerm, OtherId, Pages, PersonName,
    PubDate, Section,
};
use proptest::prelude::*;
use serde_json::{Value, json};

fn person(last: &str, fore: &str, initials: &str) -> Author {
    Author {
        name: Some(PersonName {
            last: last.into(),
            fore: Some(fore.into()),
            initials: Some(initials.into()),
            suffix: None,
        }),
        ..Author::default()
    }
}

fn term(name: &str) -> MeshTerm {
    MeshTerm {
        name: name.into(),
        ui: None,
    }
}

fn trial() -> Article {
    let mut article = Article::new(ArticleId::new("99000001").unwrap());
    article.title = "Statins & 5_HT: a {made-up} trial, 50% done".into();
    article.authors = vec![
        person("van der Berg", "Ada B", "AB"),
        Author {
            collective: Some("Heart and Muscle Group".into()),
            ..Author::default()
        },
    ];
    article.journal = Some(Journal {
        title: "The Journal of Made-up Trials".into(),
        medline_abbreviation: Some("J Made Up Trials".into()),
        issn: Some("0000-0019".into()),
        issn_type: Some("Electronic".into()),
        volume: Some("12".into()),
        issue: Some("3".into()),
        ..Journal::default()
    });
    article.pages = Some(Pages {
        medline: Some("123-9".into()),
        ..Pages::default()
    });
    article.published = Some(PubDate::calendar(2021, Some(3), Some(4)).unwrap());
    article.languages = vec!["eng".into()];
    article.publication_types = vec![term("Journal Article")];
    article.abstract_sections = vec![
        Section {
            label: Some("METHODS".into()),
            text: "We asked 120 people.".into(),
            ..Section::default()
        },
        Section {
            text: "It was \"rare\".".into(),
            ..Section::default()
        },
    ];
    article.mesh = vec![MeshHeading {
        descriptor: term("Myalgia"),
        major: true,
        qualifiers: vec![(term("chemically induced"), false)],
        ..MeshHeading::default()
    }];
    article.keywords = vec![KeywordList {
        owner: Some("NOTNLM".into()),
        keywords: vec![Keyword {
            text: "statins".into(),
            major: false,
        }],
    }];
    article.other_ids = vec![
        OtherId {
            kind: "doi".into(),
            value: "10.5555/sample_1".into(),
            valid: true,
        },
        OtherId {
            kind: "pmc".into(),
            value: "PMC1".into(),
            valid: true,
        },
    ];
    article
}

#[test]
fn nbib_has_medlines_tags() {
    let expected = "\
PMID- 99000001
IS  - 0000-0019 (Electronic)
VI  - 12
IP  - 3
DP  - 2021 Mar 4
TI  - Statins & 5_HT: a {made-up} trial, 50% done
PG  - 123-9
AB  - METHODS: We asked 120 people. It was \"rare\".
FAU - van der Berg, Ada B
AU  - van der Berg AB
CN  - Heart and Muscle Group
LA  - eng
PT  - Journal Article
TA  - J Made Up Trials
JT  - The Journal of Made-up Trials
MH  - *Myalgia/chemically induced
OTO - NOTNLM
OT  - statins
AID - 10.5555/sample_1 [doi]
PMC - PMC1
SO  - J Made Up Trials. 2021 Mar 4;12(3):123-9

";
    assert_eq!(nbib(&trial()), expected);
}

#[test]
fn ris_has_the_tags_of_its_type() {
    let expected = "\
TY  - JOUR\r
TI  - Statins & 5_HT: a {made-up} trial, 50% done\r
AU  - van der Berg, Ada B\r
AU  - Heart and Muscle Group\r
PY  - 2021\r
DA  - 2021/03/04/\r
JO  - The Journal of Made-up Trials\r
T2  - The Journal of Made-up Trials\r
J2  - J Made Up Trials\r
VL  - 12\r
IS  - 3\r
SN  - 0000-0019\r
SP  - 123\r
EP  - 129\r
AB  - METHODS: We asked 120 people. It was \"rare\".\r
KW  - statins\r
KW  - Myalgia\r
LA  - eng\r
DO  - 10.5555/sample_1\r
C2  - PMC1\r
AN  - 99000001\r
UR  - https://pubmed.ncbi.nlm.nih.gov/99000001/\r
ER  - \r
\r
";
    assert_eq!(ris(&trial()), expected);
    assert!(ris(&chapter()).starts_with("TY  - CHAP\r\nTI  - How to sample\r\n"));
    assert!(ris(&chapter()).contains("T2  - A book of samples\r\n"));
    let mut preprint = trial();
    preprint.publication_types = vec![term("Preprint")];
    assert!(ris(&preprint).starts_with("TY  - UNPB"));
}

fn chapter() -> Article {
    let mut article = Article::new(ArticleId::new("99000002").unwrap());
    article.kind = crate::article::ArticleKind::Book;
    article.title = "How to sample".into();
    article.authors = vec![person("Roe", "Rita", "R")];
    article.book = Some(Book {
        title: "A book of samples".into(),
        publisher: Some("Sample House".into()),
        place: Some("Nowhere".into()),
        ..Book::default()
    });
    article.published = Some(PubDate::Season {
        year: 2003,
        season: "Fall".into(),
    });
    article
}

#[test]
fn bibtex_finds_no_syntax_in_values() {
    let expected = "\
@article{vanderberg2021_99000001,
  title = {{Statins \\& 5\\_HT: a \\textbraceleft{}made-up\\textbraceright{} trial, 50\\% done}},
  author = {van der Berg, Ada B and {Heart and Muscle Group}},
  journal = {The Journal of Made-up Trials},
  volume = {12},
  number = {3},
  issn = {0000-0019},
  year = {2021},
  month = mar,
  pages = {123--129},
  doi = {10.5555/sample_1},
  pmid = {99000001},
  pmcid = {PMC1},
  url = {https://pubmed.ncbi.nlm.nih.gov/99000001/},
  language = {eng},
  keywords = {statins; Myalgia},
  abstract = {METHODS: We asked 120 people. It was \"rare\".}
}
";
    assert_eq!(bibtex(&trial()), expected);
    let chapter = bibtex(&chapter());
    assert!(
        chapter.starts_with("@incollection{roe2003_99000002,"),
        "{chapter}"
    );
    assert!(chapter.contains("booktitle = {A book of samples}"));
}

#[test]
fn csl_is_an_array_of_items() {
    let items: Value = serde_json::from_str(&csl(&[trial(), chapter()])).unwrap();
    assert_eq!(
        items[0],
        json!({
            "id": "99000001", "type": "article-journal",
            "title": "Statins & 5_HT: a {made-up} trial, 50% done",
            "author": [
                {"family": "van der Berg", "given": "Ada B"},
                {"literal": "Heart and Muscle Group"},
            ],
            "issued": {"date-parts": [[2021, 3, 4]]},
            "container-title": "The Journal of Made-up Trials",
            "container-title-short": "J Made Up Trials",
            "volume": "12", "issue": "3", "ISSN": "0000-0019", "page": "123-9",
            "abstract": "METHODS: We asked 120 people. It was \"rare\".",
            "keyword": "statins; Myalgia", "language": "eng",
            "DOI": "10.5555/sample_1", "PMID": "99000001", "PMCID": "PMC1",
            "URL": "https://pubmed.ncbi.nlm.nih.gov/99000001/",
        })
    );
    assert_eq!(items[1]["type"], "chapter");
    assert_eq!(items[1]["container-title"], "A book of samples");
    assert_eq!(
        items[1]["issued"],
        json!({"date-parts": [[2003]], "season": 3})
    );
}

#[test]
fn plain_references_can_be_pasted() {
    assert_eq!(
        plain(&trial()),
        "van der Berg AB, Heart and Muscle Group. Statins & 5_HT: a {made-up} trial, 50% done. \
         J Made Up Trials. 2021 Mar 4;12(3):123-9. doi: 10.5555/sample_1. PMID: 99000001. \
         PMCID: PMC1."
    );
    assert_eq!(
        plain(&chapter()),
        "Roe R. How to sample. In: A book of samples. Nowhere: Sample House. 2003 Fall. \
         PMID: 99000002."
    );
}

#[test]
fn rows_have_as_many_values_as_the_head() {
    let row = csv_row(&trial());
    assert!(
        row.contains(",\"Statins & 5_HT: a {made-up} trial, 50% done\","),
        "{row}"
    );
    assert!(row.contains("\"METHODS: We asked 120 people. It was \"\"rare\"\".\"\r\n"));
    assert_eq!(cells(&row).len(), cells(&csv_head()).len());
}

#[test]
fn shortened_last_pages_are_written_out() {
    let ends = |text: &str| {
        let (start, end) = parts::page_ends(&Pages {
            medline: Some(text.into()),
            ..Pages::default()
        });
        (start.unwrap_or_default(), end.unwrap_or_default())
    };
    for (text, start, end) in [
        ("123-9", "123", "129"),
        ("1998-2003", "1998", "2003"),
        ("S12-8", "S12", "S18"),
        ("e1234", "e1234", ""),
        ("12-3, discussion 14", "12", "13"),
        ("iv-ix", "iv", "ix"),
        ("", "", ""),
    ] {
        assert_eq!(ends(text), (start.into(), end.into()), "{text}");
    }
}

#[test]
fn files_have_tame_names() {
    let id = ArticleId::new("../a\"b").unwrap();
    assert_eq!(CitationFormat::Ris.file_name(&id), "___a_b.ris");
    for format in CitationFormat::ALL {
        assert_eq!(format.as_str().parse::<CitationFormat>().unwrap(), format);
    }
    assert_eq!(
        "pdf".parse::<CitationFormat>().unwrap_err().field(),
        Some("format")
    );
}

/// The values of one row, by RFC 4180.
fn cells(row: &str) -> Vec<String> {
    let row = row.strip_suffix("\r\n").unwrap();
    let (mut cells, mut cell, mut quoted) = (Vec::new(), String::new(), false);
    let mut rest = row.chars().peekable();
    while let Some(c) = rest.next() {
        match c {
            '"' if quoted && rest.peek() == Some(&'"') => {
                rest.next();
                cell.push('"');
            }
            '"' => quoted = !quoted,
            ',' if !quoted => cells.push(std::mem::take(&mut cell)),
            c => cell.push(c),
        }
    }
    assert!(!quoted, "{row}");
    cells.push(cell);
    cells
}

/// Braces as TeX counts them: an escaped one is none.
fn is_balanced(text: &str) -> bool {
    let mut depth = 0_i32;
    let mut escaped = false;
    for c in text.chars() {
        match c {
            _ if escaped => escaped = false,
            '\\' => escaped = true,
            '{' => depth += 1,
            '}' => depth -= 1,
            _ => {}
        }
        if depth < 0 {
            return false;
        }
    }
    depth == 0
}

proptest! {
    #[test]
    fn any_text_stays_within_its_format(
        title in "\\PC{0,40}",
        last in "\\PC{0,12}",
        text in "(\\PC|[\r\n\t]){0,60}",
        doi in "\\PC{0,20}",
        pages in "\\PC{0,12}",
    ) {
        let mut article = trial();
        article.title = title.as_str().into();
        article.authors = vec![person(&last, &text, "A"), person(&title, &last, &text)];
        article.abstract_sections[0].text = text.as_str().into();
        article.abstract_sections[0].label = Some(title.clone());
        article.other_ids[0].value = doi;
        article.pages = Some(Pages { medline: Some(pages), ..Pages::default() });
        article.journal.as_mut().unwrap().volume = Some(last);

        let entry = bibtex(&article);
        prop_assert!(is_balanced(&entry), "{}", entry);
        for row in ris(&article).split("\r\n").filter(|row| !row.is_empty()) {
            prop_assert!(row.is_char_boundary(6) && &row[2..6] == "  - ", "{:?}", row);
        }
        for row in nbib(&article).split('\n').filter(|row| !row.is_empty()) {
            let tagged = row.as_bytes().get(4) == Some(&b'-');
            prop_assert!(tagged || row.starts_with("      "), "{:?}", row);
        }
        let items: Value = serde_json::from_str(&csl(&[article.clone()])).unwrap();
        prop_assert_eq!(items.as_array().unwrap().len(), 1);
        let row = cells(&csv_row(&article));
        prop_assert_eq!(row.len(), cells(&csv_head()).len());
        plain(&article);
    }
}
