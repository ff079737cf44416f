//! The readers on real files: PubMed XML of many vintages, NBIB, JATS.
//!
//! The data is not part of the project. Its folder is `MEDSIFT_DATA`, or
//! `../shared/data` beside the repository; where it is absent these tests say
//! so and pass, except under `CI=true`, where they fail.
// A test that is left out has to say so.
#![allow(clippy::print_stderr)]

mod data;
mod extract;
mod features;
mod memory;
mod written;

use data::{Row, files, pubmed, table};
use medsift::Article;
use medsift_indexer::source::{Format, open};
use medsift_indexer::{Fault, Record};
use std::collections::HashMap;
use std::path::Path;

#[derive(Default)]
struct Read {
    articles: Vec<Article>,
    deletions: Vec<String>,
    faults: Vec<Fault>,
}

fn read(path: &Path, format: Format) -> Read {
    let (info, reader) = open(path).unwrap();
    assert_eq!(info.format, format, "{}", path.display());
    let mut read = Read::default();
    for record in reader {
        match record {
            Record::Article(article) => read.articles.push(*article),
            Record::Embedded(_) => panic!("{} holds vectors", path.display()),
            Record::Deletion(id) => read.deletions.push(id.to_string()),
            Record::Fault(fault) => read.faults.push(fault),
        }
    }
    read
}

fn plain_file(path: &Path) -> Vec<u8> {
    use std::io::Read as _;
    let mut bytes = Vec::new();
    let file = std::fs::File::open(path).unwrap();
    flate2::read::MultiGzDecoder::new(file)
        .read_to_end(&mut bytes)
        .unwrap();
    bytes
}

#[test]
#[cfg_attr(no_real_data, ignore = "needs the real data: set MEDSIFT_DATA")]
fn every_feature_that_is_listed_is_in_the_article() {
    let Some(folder) = pubmed("every_feature_that_is_listed_is_in_the_article") else {
        return;
    };
    let rows = table(&folder.join("xml/features.tsv"));
    let mut by_file: HashMap<&str, Vec<&Row>> = HashMap::new();
    for row in &rows {
        by_file.entry(&row["file"]).or_default().push(row);
    }
    let (mut checked, mut missing) = (0, Vec::new());
    for (file, rows) in by_file {
        let mut articles = read(&folder.join("xml").join(file), Format::PubmedXml).articles;
        for row in rows {
            let place = articles
                .iter()
                .position(|article| features::is_of(article, row));
            let place = place.unwrap_or_else(|| panic!("{file}: no article {}", row["pmid"]));
            let article = articles.remove(place);
            for feature in row["features"].split(',') {
                checked += 1;
                if !features::has(&article, feature) {
                    missing.push(format!("{file} {} {feature}", article.id));
                }
            }
        }
        assert!(articles.is_empty(), "{file}: more articles than rows");
    }
    assert!(
        missing.is_empty(),
        "{} missing:\n{}",
        missing.len(),
        missing.join("\n")
    );
    assert!(checked > 20_000, "only {checked} features were checked");
}

#[test]
#[cfg_attr(no_real_data, ignore = "needs the real data: set MEDSIFT_DATA")]
fn title_and_abstract_hold_all_text_of_the_xml() {
    let Some(folder) = pubmed("title_and_abstract_hold_all_text_of_the_xml") else {
        return;
    };
    let squeeze = |text: &str| -> String { text.split_whitespace().collect() };
    let mut compared = 0;
    for path in files(&folder.join("xml")) {
        let read = read(&path, Format::PubmedXml);
        let expected = extract::title_and_abstract(&plain_file(&path));
        assert_eq!(read.articles.len(), expected.len(), "{}", path.display());
        for (article, expected) in read.articles.iter().zip(expected) {
            let mut text = article.title.plain.clone();
            for section in &article.abstract_sections {
                text.push_str(&section.text.plain);
            }
            assert_eq!(
                squeeze(&text),
                squeeze(&expected),
                "{} {}",
                path.display(),
                article.id
            );
            compared += 1;
        }
    }
    assert!(compared > 2_800, "only {compared} records were compared");
}

#[test]
#[cfg_attr(no_real_data, ignore = "needs the real data: set MEDSIFT_DATA")]
fn nothing_in_the_xml_is_lost() {
    let Some(folder) = pubmed("nothing_in_the_xml_is_lost") else {
        return;
    };
    let mut totals = [0; 3];
    for row in table(&folder.join("xml/index.tsv")) {
        let read = read(&folder.join("xml").join(&row["file"]), Format::PubmedXml);
        let count = |column: &str| row[column].parse::<usize>().unwrap();
        let file = &row["file"];
        assert_eq!(
            read.articles.len(),
            count("citations") + count("books"),
            "{file}"
        );
        assert_eq!(read.deletions.len(), count("deleted_pmids"), "{file}");
        assert_eq!(read.faults, [], "{file}");
        for (total, count) in totals.iter_mut().zip([
            read.articles.len(),
            read.deletions.len(),
            read.articles
                .iter()
                .filter(|a| a.metadata.contains_key("unrecognised"))
                .count(),
        ]) {
            *total += count;
        }
    }
    assert_eq!(totals[..2], [2867, 56]);
    // Only altered files hold elements that no vintage of the DTD has.
    assert!(
        totals[2] <= 3,
        "{} records with unrecognised elements",
        totals[2]
    );
}

#[test]
#[cfg_attr(no_real_data, ignore = "needs the real data: set MEDSIFT_DATA")]
fn articles_survive_being_stored() {
    let Some(folder) = pubmed("articles_survive_being_stored") else {
        return;
    };
    for path in files(&folder.join("xml")) {
        for article in read(&path, Format::PubmedXml).articles {
            let stored = serde_json::to_vec(&article).unwrap();
            let restored: Article = serde_json::from_slice(&stored).unwrap();
            assert_eq!(restored, article, "{}", path.display());
        }
    }
}

/// Every file cut at many places and damaged at others: what can be read comes
/// out whole, and the rest is accounted for.
#[test]
#[cfg_attr(no_real_data, ignore = "needs the real data: set MEDSIFT_DATA")]
fn damage_stays_where_it_is() {
    let Some(folder) = pubmed("damage_stays_where_it_is") else {
        return;
    };
    let path = folder.join("xml/bulk/mokztk__CPFE.dedcbc.xml.gz");
    let whole = read(&path, Format::PubmedXml).articles;
    let xml = plain_file(&path);
    let scratch = tempfile::tempdir().unwrap();
    let file = scratch.path().join("damaged.xml");
    for step in 1..40 {
        let cut = xml.len() * step / 40;
        std::fs::write(&file, &xml[..cut]).unwrap();
        let cut = read(&file, Format::PubmedXml);
        assert_eq!(cut.faults.len(), 1);
        assert_eq!(cut.articles, whole[..cut.articles.len()]);

        let mut broken = xml.clone();
        let place = broken.len() * step / 40;
        broken[place] = 0xff;
        std::fs::write(&file, &broken).unwrap();
        let broken = read(&file, Format::PubmedXml);
        assert!(broken.faults.len() <= 2, "{:?}", broken.faults[0].reason);
        assert!(broken.articles.len() + 1 >= whole.len());
        for fault in &broken.faults {
            let start = usize::try_from(fault.byte_offset).unwrap();
            assert!((start..=start + fault.raw.len()).contains(&place));
        }
    }
}

#[test]
#[cfg_attr(no_real_data, ignore = "needs the real data: set MEDSIFT_DATA")]
fn nbib_files_give_all_their_records() {
    let Some(folder) = pubmed("nbib_files_give_all_their_records") else {
        return;
    };
    let (mut records, mut abstracts) = (0, 0);
    for row in table(&folder.join("nbib/index.tsv")) {
        let file = &row["file"];
        let read = read(&folder.join("nbib").join(file), Format::Nbib);
        let with_abstract = read
            .articles
            .iter()
            .filter(|a| !a.abstract_sections.is_empty());
        let count = |column: &str| row[column].parse::<usize>().unwrap();
        assert_eq!(read.articles.len(), count("records"), "{file}");
        assert_eq!(with_abstract.count(), count("with_abstract"), "{file}");
        // One handmade file holds paragraphs that are no records.
        if !file.starts_with("JabRef__MedlinePlainImporterTestMultipleEntries") {
            assert_eq!(read.faults, [], "{file}");
        }
        records += read.articles.len();
        abstracts += count("with_abstract");
    }
    assert_eq!((records, abstracts), (2316, 638));
}

#[test]
#[cfg_attr(no_real_data, ignore = "needs the real data: set MEDSIFT_DATA")]
fn retraction_notices_in_nbib_name_what_they_retract() {
    let Some(folder) = pubmed("retraction_notices_in_nbib_name_what_they_retract") else {
        return;
    };
    let path = folder.join("nbib/neilfws__retractions.medline.d05f8d.gz");
    let articles = read(&path, Format::Nbib).articles;
    let links = articles.iter().flat_map(|article| &article.links);
    let of = medsift::article::CorrectionKind::RetractionOf;
    let retractions = links.filter(|link| link.kind == of).count();
    let tagged = plain_file(&path);
    let tagged = tagged
        .split(|&b| b == b'\n')
        .filter(|line| line.starts_with(b"ROF - "));
    assert_eq!(retractions, tagged.count());
}

#[test]
#[cfg_attr(no_real_data, ignore = "needs the real data: set MEDSIFT_DATA")]
fn jats_files_give_text_and_references() {
    let Some(folder) = pubmed("jats_files_give_text_and_references") else {
        return;
    };
    let (mut articles, mut without_id) = (0, 0);
    for path in files(&folder.join("pmc-jats")) {
        let read = read(&path, Format::Jats);
        let xml = String::from_utf8(plain_file(&path)).unwrap();
        let expected = xml.matches("<article>").count() + xml.matches("<article ").count();
        assert_eq!(
            read.articles.len() + read.faults.len(),
            expected,
            "{}",
            path.display()
        );
        without_id += read.faults.len();
        for fault in &read.faults {
            assert!(
                fault.reason.contains("no PMID"),
                "{}: {}",
                path.display(),
                fault.reason
            );
        }
        for article in &read.articles {
            assert!(!article.title.is_empty(), "{}", path.display());
            articles += 1;
            let has_body = xml.contains("<body>");
            assert!(!has_body || !article.body.is_empty(), "{}", path.display());
            let words: Vec<&str> = article
                .body
                .iter()
                .flat_map(|s| s.text.plain.split(' '))
                .collect();
            assert!(
                words.len() * 30 < xml.len() || has_body,
                "{}",
                path.display()
            );
            if xml.contains("<ref ") {
                assert!(!article.references.is_empty(), "{}", path.display());
            }
        }
    }
    assert_eq!((articles, without_id), (91, 2));
}
