use super::*;
use crate::data::Exclusions;
use crate::example::{Example, Label};
use medsift::article::{Keyword, KeywordList, MeshHeading, MeshTerm, OtherId, Reference, Section};
use medsift::{Article, ArticleId, Error, ErrorKind};
use std::collections::HashSet;
use std::fs;
use tempfile::TempDir;

fn article(id: &str, title: &str, sections: &[(&str, &str)]) -> Article {
    let mut article = Article::new(ArticleId::new(id).unwrap());
    article.title = title.into();
    article.abstract_sections = sections
        .iter()
        .map(|(label, text)| Section {
            label: (!label.is_empty()).then(|| (*label).to_owned()),
            category: None,
            text: (*text).into(),
        })
        .collect();
    article
}

fn citing(mut article: Article, pmids: &[&str]) -> Article {
    article.references = pmids
        .iter()
        .map(|pmid| Reference {
            ids: vec![OtherId {
                kind: "pubmed".into(),
                value: (*pmid).to_owned(),
                ..OtherId::default()
            }],
            ..Reference::default()
        })
        .collect();
    article
}

fn heading(name: &str, major: bool, qualifiers: &[&str]) -> MeshHeading {
    let term = |name: &str| MeshTerm {
        name: name.to_owned(),
        ui: None,
    };
    MeshHeading {
        descriptor: term(name),
        major,
        kind: None,
        qualifiers: qualifiers.iter().map(|name| (term(name), false)).collect(),
    }
}

fn collection(articles: Vec<Article>) -> Collection {
    Collection::read(articles.into_iter().map(Ok), &Exclusions::default()).unwrap()
}

fn texts(examples: &[Example]) -> Vec<Vec<&str>> {
    examples
        .iter()
        .map(|example| example.texts.iter().map(|text| &**text).collect())
        .collect()
}

#[test]
fn a_collection_holds_the_newest_version_and_keeps_books() {
    let mut newer = article("1", "Newer", &[("", "Text.")]);
    newer.version = 2;
    let mut retracted = article("3", "Gone", &[("", "Text.")]);
    retracted.publication_types.push(MeshTerm {
        name: "Retracted Publication".into(),
        ui: None,
    });
    let read = collection(vec![
        article("1", "Older", &[("", "Text.")]),
        newer,
        article("1", "Oldest again", &[("", "Text.")]),
        article("2", "", &[]),
        retracted,
    ]);
    assert_eq!(read.entries.len(), 1);
    assert_eq!(&*read.entries[0].title, "Newer");
    let intake = read.intake;
    assert_eq!((intake.read, intake.held, intake.replaced), (5, 1, 2));
    assert_eq!((intake.without_text, intake.retracted), (1, 1));
}

#[test]
fn nothing_is_made_of_a_withdrawn_article() {
    let text = [("", "Text.")];
    let mut read = collection(vec![
        citing(article("1", "One", &text), &["2"]),
        article("2", "Two", &text),
    ]);
    assert_eq!(citations(&read, &CitationSettings::default()).len(), 1);
    assert!(read.withdraw("2"));
    assert!(!read.withdraw("2") && !read.withdraw("9"));
    assert!(citations(&read, &CitationSettings::default()).is_empty());
    assert_eq!(texts(&title_abstract(&read)), [["One", "Text."]]);
    let intake = read.intake;
    assert_eq!((intake.read, intake.held, intake.withdrawn), (2, 1, 1));
}

#[test]
fn articles_of_sets_for_measuring_and_errors_end_the_reading() {
    let read = |article| Collection::read([article], &Exclusions::default()).unwrap_err();
    let error = read(Ok(article("MED-10", "T", &[])));
    assert!(error.to_string().contains("NFCorpus"), "{error}");
    assert_eq!(
        read(Err(Error::new(ErrorKind::Corrupt, "x"))).kind(),
        ErrorKind::Corrupt
    );
}

#[test]
fn titles_pair_with_labelled_abstracts() {
    let read = collection(vec![
        article(
            "1",
            "[Ein Titel].",
            &[("AIM", "To see."), ("RESULTS", "Seen.")],
        ),
        article("2", "No abstract", &[]),
    ]);
    let pairs = title_abstract(&read);
    assert_eq!(
        texts(&pairs),
        [["Ein Titel", "AIM: To see. RESULTS: Seen."]]
    );
}

#[test]
fn section_triplets_take_two_sentences_of_one_section() {
    let methods = "Mice were fed and weighed every day. Blood was drawn and frozen every week.";
    let results = "The weight of the mice rose by a third. The blood held more sugar than before.";
    let read = collection(vec![
        article(
            "1",
            "T",
            &[
                ("METHODS", methods),
                ("RESULTS", results),
                ("END", "Short."),
            ],
        ),
        article(
            "2",
            "T",
            &[("", "Only one section is here. It has two sentences, too.")],
        ),
    ]);
    let settings = SectionSettings::default();
    let triplets = sections(&read, &settings);
    assert_eq!(triplets.len(), 4);
    let mut anchors = HashSet::new();
    for triplet in texts(&triplets) {
        let of = |text: &str| {
            [methods, results]
                .iter()
                .position(|section| section.contains(text))
        };
        assert_ne!(triplet[0], triplet[1]);
        assert_eq!(of(triplet[0]), of(triplet[1]));
        assert_ne!(of(triplet[0]), of(triplet[2]));
        assert!(of(triplet[2]).is_some());
        assert!(anchors.insert(triplet[0].to_owned()));
    }
    assert_eq!(triplets, sections(&read, &settings));
}

#[test]
fn citations_go_from_cited_to_citing_within_the_collection() {
    let text = [("", "Text.")];
    let mut linked = article("W1", "By id", &text);
    linked
        .metadata
        .insert("cites".into(), serde_json::json!(["2"]));
    let mut by_pmc = article("3", "PMC article 3", &text);
    by_pmc
        .metadata
        .insert("pmid".into(), serde_json::json!("33"));
    let read = collection(vec![
        citing(article("1", "One", &text), &["2", "2", "1", "99", "3"]),
        citing(article("2", "Two", &text), &["1", "33"]),
        linked,
        by_pmc,
    ]);
    let pairs = citations(&read, &CitationSettings::default());
    // 1 cites 2 (and 2 cites 1: one pair); 2 cites PMID 33; W1 cites id 2.
    // PMID 3 is not the article with the PMC id 3.
    assert_eq!(
        texts(&pairs),
        [
            ["Two", "One Text."],
            ["PMC article 3", "Two Text."],
            ["Two", "By id Text."]
        ]
    );
    let settings = CitationSettings {
        per_cited: 1,
        ..CitationSettings::default()
    };
    assert_eq!(citations(&read, &settings).len(), 2);
}

const TREE: &str = "ui\tname\ttree_numbers\n\
    D1\tDiseases\tC01\n\
    D2\tLung Diseases\tC01.1\n\
    D3\tAsthma\tC01.1.5;C01.2.7\n\
    D4\tImmune Diseases\tC01.2\n\
    D5\tPneumonia\tC01.1.6\n\
    D6\tFemale\t\n\
    D7\tHumans\tB01\n\
    D8\tDrugs\tD01\n";

fn tree(dir: &TempDir) -> MeshTree {
    let path = dir.path().join("descriptors.tsv");
    fs::write(&path, TREE).unwrap();
    MeshTree::read(&path).unwrap()
}

#[test]
fn a_descriptor_has_the_ancestors_of_all_its_places() {
    let dir = TempDir::new().unwrap();
    let tree = tree(&dir);
    let find = |name: &str, ui: Option<&str>| {
        tree.find(&MeshTerm {
            name: name.to_owned(),
            ui: ui.map(str::to_owned),
        })
    };
    let asthma = find("asthma", None).unwrap();
    let names: Vec<_> = tree
        .lineage(asthma)
        .iter()
        .map(|&(descriptor, depth)| (tree.name(descriptor).unwrap(), depth))
        .collect();
    assert_eq!(
        names,
        [
            ("Diseases", 1),
            ("Lung Diseases", 2),
            ("Asthma", 3),
            ("Immune Diseases", 2)
        ]
    );
    assert_eq!(find("renamed", Some("D3")), Some(asthma));
    assert_eq!(find("Unheard of", None), None);
    assert!(tree.lineage(find("Female", None).unwrap()).is_empty());
    assert_eq!(tree.len(), 8);
}

#[test]
fn a_damaged_tree_is_an_error() {
    let dir = TempDir::new().unwrap();
    let path = dir.path().join("descriptors.tsv");
    for (rows, what) in [
        ("ui\tname\nD1\tx\n", "tree_numbers"),
        (
            "ui\tname\ttree_numbers\nD1\tx\tC01\nD2\ty\tC01\n",
            "line 3: tree number C01",
        ),
        ("ui\tname\ttree_numbers\n", "no descriptor"),
    ] {
        fs::write(&path, rows).unwrap();
        let message = MeshTree::read(&path).unwrap_err().to_string();
        assert!(message.contains(what), "{message}");
    }
}

fn with_mesh(id: &str, headings: Vec<MeshHeading>) -> Article {
    let mut article = article(id, &format!("Title {id}"), &[("", &format!("Text {id}."))]);
    article.mesh = headings;
    article
}

#[test]
fn similarity_is_the_cosine_of_depth_weighted_headings() {
    let dir = TempDir::new().unwrap();
    let tree = tree(&dir);
    let read = collection(vec![
        with_mesh("1", vec![heading("Asthma", false, &[])]),
        with_mesh("2", vec![heading("Pneumonia", false, &[])]),
        with_mesh(
            "3",
            vec![
                heading("Drugs", false, &[]),
                heading("Not in MeSH", false, &[]),
            ],
        ),
        with_mesh("4", vec![]),
        with_mesh(
            "5",
            vec![
                heading("Pneumonia", true, &[]),
                heading("Drugs", false, &[]),
            ],
        ),
    ]);
    let weights = MeshWeights {
        rarity: false,
        ..MeshWeights::default()
    };
    let labels = MeshLabels::new(&read, &tree, &weights);
    let close = |found: Option<f32>, expected: f32| (found.unwrap() - expected).abs() < 1e-6;
    assert!(close(labels.similarity(0, 0), 1.0));
    // Asthma: 1, 2, 2, 3. Pneumonia: 1, 2, 3. In common: 1 · 1 + 2 · 2.
    assert!(close(
        labels.similarity(0, 1),
        5.0 / (18f32.sqrt() * 14f32.sqrt())
    ));
    assert!(close(labels.similarity(0, 2), 0.0));
    assert_eq!(labels.similarity(0, 3), None);
    assert_eq!(labels.unknown(), 1);
    // Pneumonia is the main topic of the fifth, drugs are not.
    assert!(labels.similarity(4, 1) > Some(0.9));
    assert!(labels.similarity(4, 2) < Some(0.3));
    assert_eq!(
        labels.articles_of(tree.find(&heading("Drugs", false, &[]).descriptor).unwrap()),
        [2, 4]
    );
}

#[test]
fn what_every_article_has_counts_little() {
    let dir = TempDir::new().unwrap();
    let tree = tree(&dir);
    let both = |name| vec![heading(name, false, &[]), heading("Humans", false, &[])];
    let read = collection(vec![
        with_mesh("1", both("Asthma")),
        with_mesh("2", both("Drugs")),
        with_mesh("3", both("Pneumonia")),
    ]);
    let similarity = |rarity| {
        let weights = MeshWeights {
            rarity,
            ..MeshWeights::default()
        };
        MeshLabels::new(&read, &tree, &weights)
            .similarity(0, 1)
            .unwrap()
    };
    assert!(similarity(true) < similarity(false) / 2.0);
}

#[test]
fn graded_pairs_come_once_with_their_similarity() {
    let dir = TempDir::new().unwrap();
    let tree = tree(&dir);
    let names = ["Asthma", "Pneumonia", "Drugs", "Immune Diseases"];
    let articles = (0..40).map(|n| {
        let headings = vec![
            heading(names[n % 4], true, &[]),
            heading(names[n % 3], false, &[]),
        ];
        with_mesh(&n.to_string(), headings)
    });
    let read = collection(articles.collect());
    let settings = MeshGradedSettings {
        text: ArticleText::Title,
        ..MeshGradedSettings::default()
    };
    let pairs = mesh_graded(&read, &tree, &settings).unwrap();
    assert!(pairs.len() > 100, "{}", pairs.len());
    assert_eq!(pairs, mesh_graded(&read, &tree, &settings).unwrap());
    let labels = MeshLabels::new(&read, &tree, &settings.weights);
    let mut seen = HashSet::new();
    let number = |text: &str| text.rsplit(' ').next().unwrap().parse::<usize>().unwrap();
    for pair in &pairs {
        let (a, b) = (number(&pair.texts[0]), number(&pair.texts[1]));
        assert!(a != b && seen.insert((a.min(b), a.max(b))));
        let Label::Score(score) = pair.label else {
            panic!("{:?}", pair.label)
        };
        // The target of the STS objective is the similarity.
        assert!((score / 2.5 - 1.0 - labels.similarity(a, b).unwrap()).abs() < 1e-5);
    }
    let settings = MeshGradedSettings {
        score_range: [1.0, 1.0],
        ..settings
    };
    assert!(mesh_graded(&read, &tree, &settings).is_err());
}

fn queried() -> Collection {
    let text = "Asthma is common in towns. We asked patients. Inhalers helped most of them.";
    let mut asked = article("1", "Inhalers for asthma", &[("", text)]);
    asked.mesh = vec![
        heading("Asthma", true, &["drug therapy", "epidemiology"]),
        heading("Diabetes Mellitus, Type 2", true, &[]),
        heading("Humans", false, &[]),
    ];
    asked.keywords = vec![KeywordList {
        owner: None,
        keywords: ["inhalers", "wheeze"]
            .map(|text| Keyword {
                text: text.into(),
                major: false,
            })
            .to_vec(),
    }];
    collection(vec![asked])
}

#[test]
fn pseudo_queries_are_of_every_kind() {
    let read = queried();
    let settings = QuerySettings {
        per_article: 100,
        min_characters: 1,
        ..QuerySettings::default()
    };
    let mut found: Vec<(QueryKind, String)> = pseudo_queries(&read, &settings)
        .into_iter()
        .map(|query| (query.kind, query.text.to_string()))
        .collect();
    found.sort();
    let expected = [
        (QueryKind::Title, "Inhalers for asthma"),
        (QueryKind::FirstSentence, "Asthma is common in towns."),
        (QueryKind::LastSentence, "Inhalers helped most of them."),
        (QueryKind::MeshHeading, "Asthma drug therapy"),
        (QueryKind::MeshHeading, "Asthma epidemiology"),
        (QueryKind::MeshHeading, "Type 2 Diabetes Mellitus"),
    ];
    for (kind, text) in expected {
        assert!(
            found.contains(&(kind, text.to_owned())),
            "{text}: {found:?}"
        );
    }
    let kinds: HashSet<_> = found.iter().map(|(kind, _)| *kind).collect();
    assert_eq!(kinds.len(), 6);
    assert_eq!(found.len(), 8);
    let few = QuerySettings::default();
    assert_eq!(pseudo_queries(&read, &few).len(), 3);
    assert_eq!(pseudo_queries(&read, &few), pseudo_queries(&read, &few));
}

#[test]
fn a_query_is_not_left_in_its_positive() {
    let read = queried();
    let settings = QuerySettings {
        per_article: 100,
        ..QuerySettings::default()
    };
    let queries = pseudo_queries(&read, &settings);
    let pairs = query_pairs(&read, &queries);
    assert_eq!(pairs.len(), queries.len());
    for (query, pair) in queries.iter().zip(&pairs) {
        if matches!(
            query.kind,
            QueryKind::FirstSentence | QueryKind::LastSentence
        ) {
            assert!(!pair.texts[1].contains(&*query.text));
        }
        assert!(pair.texts[1].contains("We asked patients."));
    }
}

#[test]
fn a_set_is_built_as_its_table_says() {
    let dir = TempDir::new().unwrap();
    let path = dir.path().join("articles.jsonl");
    fs::write(&path, "read by the test").unwrap();
    let held = dir.path().join("held.tsv");
    fs::write(&held, "anchor\tpositive\nTitle 2\tText 2.\n").unwrap();
    let text = "build = \"title_abstract\"\nfiles = [\"articles.jsonl\"]\nexclude = [\"held.tsv\"]\nlimit = 3";
    let table = toml::from_str(text).unwrap();
    let spec = BuildSpec::from_table(&table)
        .unwrap()
        .relative_to(dir.path());
    let open = |file: &std::path::Path| {
        assert_eq!(file, path);
        Ok((0..6).map(|n| Ok(with_mesh(&n.to_string(), vec![]))))
    };
    let built = spec.build(open).unwrap();
    assert_eq!(
        (built.examples.len(), built.excluded, built.over_limit),
        (3, 1, 2)
    );
    assert_eq!((built.intake.read, built.files[0].bytes), (6, 16));
    let none = spec
        .build(|_: &std::path::Path| Ok(std::iter::empty()))
        .unwrap_err();
    assert!(
        none.to_string().contains("no example could be built"),
        "{none}"
    );
}

#[test]
fn builders_are_named_in_tables() {
    for (text, fits) in [
        ("build = { sections = { per_article = 2 } }", true),
        ("build = { citations = {} }", true),
        (
            "build = { mesh_graded = { tree = \"mesh.tsv\", settings = { per_article = 2 } } }",
            true,
        ),
        (
            "build = { queries = { kinds = [\"title\", \"mesh_pair\"] } }",
            true,
        ),
        ("build = { mesh_graded = {} }", false),
        ("build = { citations = { per_articel = 2 } }", false),
        ("build = \"poems\"", false),
    ] {
        let table = toml::from_str(&format!("files = [\"a\"]\n{text}")).unwrap();
        let spec = BuildSpec::from_table(&table);
        assert_eq!(spec.is_ok(), fits, "{text}: {spec:?}");
    }
}
