use super::*;
use crate::article::{Journal, MeshHeading, MeshTerm, PubDate};
use crate::query::YearRange;

fn term(name: &str, ui: &str) -> MeshTerm {
    MeshTerm {
        name: name.into(),
        ui: Some(ui.into()),
    }
}

fn sample() -> Vec<Article> {
    let mut trial = article("1", "Trial", "With text");
    trial.published = Some(PubDate::calendar(2019, None, None).unwrap());
    trial.journal = Some(Journal {
        title: "The Journal of biological chemistry".into(),
        iso_abbreviation: Some("J. Biol. Chem.".into()),
        medline_abbreviation: Some("J Biol Chem".into()),
        nlm_id: Some("2985121R".into()),
        issn: Some("1083-351X".into()),
        ..Journal::default()
    });
    trial.publication_types = vec![term("Clinical Trial", "D016430")];
    trial.languages = vec!["eng".into()];
    trial.mesh = vec![
        MeshHeading {
            descriptor: term("Asthma", "D001249"),
            qualifiers: vec![(term("drug therapy", "Q000188"), true)],
            ..MeshHeading::default()
        },
        MeshHeading {
            descriptor: term("Humans", "D006801"),
            ..MeshHeading::default()
        },
    ];
    let mut review = article("2", "Review", "");
    review.published = Some(PubDate::medline("1998 Dec-1999 Jan"));
    review.publication_types = vec![
        term("Review", "D016454"),
        term("Retracted Publication", "D016441"),
    ];
    review.languages = vec!["ger".into(), "eng".into()];
    review.mesh = vec![MeshHeading {
        descriptor: term("Humans", "D006801"),
        ..MeshHeading::default()
    }];
    vec![trial, review, article("3", "Undated", "Text")]
}

fn texts(values: &[&str]) -> Vec<String> {
    values.iter().map(|&value| value.to_owned()).collect()
}

fn years(from: Option<i32>, to: Option<i32>) -> Filter {
    Filter {
        year: Some(YearRange { from, to }),
        ..Filter::default()
    }
}

#[test]
fn every_filter_on_both_ways() {
    let journal = |value| Filter {
        journal: texts(&[value]),
        ..Filter::default()
    };
    let mesh = |values: &[&str]| Filter {
        mesh: texts(values),
        ..Filter::default()
    };
    let kind = |values: &[&str]| Filter {
        publication_type: texts(values),
        ..Filter::default()
    };
    let language = |value| Filter {
        language: texts(&[value]),
        ..Filter::default()
    };
    let table: Vec<(Filter, &[u32])> = vec![
        (Filter::default(), &[0, 1, 2]),
        (years(Some(2019), Some(2019)), &[0]),
        (years(Some(1998), None), &[0, 1]),
        (years(None, Some(2018)), &[1]),
        (years(Some(1999), Some(2018)), &[]),
        (journal("the journal of BIOLOGICAL chemistry"), &[0]),
        (journal("J Biol Chem"), &[0]),
        (journal("j. biol. chem"), &[0]),
        (journal("1083-351x"), &[0]),
        (journal("2985121R"), &[0]),
        (journal("Journal"), &[]),
        (kind(&["review"]), &[1]),
        (kind(&["Review", "clinical trial"]), &[0, 1]),
        (kind(&["D016454"]), &[1]),
        (language("ENG"), &[0, 1]),
        (language("ger"), &[1]),
        (mesh(&["humans"]), &[0, 1]),
        (mesh(&["Humans", "D001249"]), &[0]),
        (mesh(&["asthma/drug therapy"]), &[0]),
        (mesh(&["D001249Q000188"]), &[0]),
        (mesh(&["drug therapy"]), &[]),
        (mesh(&["human"]), &[]),
        (
            Filter {
                has_abstract: Some(true),
                ..Filter::default()
            },
            &[0, 2],
        ),
        (
            Filter {
                has_abstract: Some(false),
                ..Filter::default()
            },
            &[1],
        ),
        (
            Filter {
                retracted: Some(true),
                ..Filter::default()
            },
            &[1],
        ),
        (
            Filter {
                retracted: Some(false),
                ..Filter::default()
            },
            &[0, 2],
        ),
        (
            Filter {
                language: texts(&["eng"]),
                retracted: Some(false),
                ..years(Some(2000), None)
            },
            &[0],
        ),
    ];
    let (_dir, snapshot) = index_of(&sample());
    for (filter, expected) in table {
        let matching: Vec<u32> = snapshot.matching(&filter).unwrap().iter().collect();
        assert_eq!(matching, expected, "{filter:?}");
        let matches = snapshot
            .search("trial review undated", &filter, 10)
            .unwrap();
        let mut keys: Vec<u32> = matches.hits.iter().map(|(key, _)| key.0).collect();
        keys.sort_unstable();
        assert_eq!(keys, expected, "{filter:?}");
        assert_eq!(matches.total, expected.len() as u64);
    }
}

#[test]
fn deleted_articles_pass_no_filter() {
    let dir = TempDir::new().unwrap();
    let mut writer = writer(dir.path());
    for (article, key) in sample().iter().zip(0..) {
        writer.add(ArticleKey(key), article, b"").unwrap();
    }
    writer.commit("").unwrap();
    writer.delete(&id("1")).unwrap();
    writer.commit("").unwrap();
    let snapshot = KeywordIndex::open(dir.path()).unwrap().snapshot().unwrap();
    let matching = snapshot.matching(&years(Some(1990), None)).unwrap();
    assert_eq!(matching.iter().collect::<Vec<_>>(), [1]);
    assert_eq!(found(&snapshot, "trial review undated"), [1, 2]);
}
