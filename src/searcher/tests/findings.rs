//! Articles whose entities the index holds.

use super::*;
use crate::enrich::link::{Evidence, Link, Method};
use crate::enrich::{
    ArticleEntities, ArticleFindings, ArticleRelations, Entity, Recipe, RecipeHead, Relation,
};
use crate::index::verify;
use crate::query::{FacetField, Filter};

fn recipe(name: &str) -> Recipe {
    let head = |name: &str| RecipeHead {
        name: name.to_owned(),
        sha256: name.repeat(3),
    };
    Recipe {
        model: "tiny".to_owned(),
        encoder: "ab".to_owned(),
        head: head(name),
        relations: vec![head("induces")],
        names: None,
        nearest: false,
    }
}

/// A mention in a text, with the concept that it stands for.
fn entity(text: &str, kind: &str, mention: &str, concept: Option<(&str, &str)>) -> Entity {
    let start = text[..text.find(mention).unwrap()].chars().count();
    Entity {
        kind: kind.to_owned(),
        start,
        end: start + mention.chars().count(),
        text: mention.to_owned(),
        score: 0.9,
        concept: concept.map(|(id, name)| Link {
            id: id.to_owned(),
            name: name.to_owned(),
            evidence: Evidence {
                method: Method::Exact,
                score: 1.0,
            },
        }),
    }
}

/// What somebody could have found: statins and pain in titles.
fn found(title: &str) -> ArticleFindings {
    let pain = ("MESH:D063806", "Myalgia");
    let mut entities = ArticleEntities::default();
    let mut relations = ArticleRelations::default();
    if title.contains("Statins") {
        entities
            .title
            .push(entity(title, "Chemical", "Statins", None));
    }
    for mention in ["muscle pain", "Muscle pain"] {
        if title.contains(mention) {
            entities
                .title
                .push(entity(title, "Disease", mention, Some(pain)));
        }
    }
    if entities.title.len() == 2 {
        relations.title.push(Relation {
            kind: "induces".to_owned(),
            head: "induces".to_owned(),
            score: 0.75,
            first: 0,
            second: 1,
            evidence: crate::enrich::Evidence {
                start: 0,
                end: title.chars().count(),
                text: title.to_owned(),
            },
        });
    }
    ArticleFindings {
        entities,
        relations: Some(relations),
    }
}

/// Enriches at most so many articles that this recipe has not read.
fn enrich(dir: &Path, recipe: &Recipe, most: usize) -> usize {
    let mut writer = IndexWriter::open_existing(dir, WriterSettings::default()).unwrap();
    let keys = writer.not_enriched_by(recipe).unwrap();
    for &key in keys.iter().take(most) {
        let stored = writer.article(key).unwrap();
        let found = found(&stored.article.title.plain);
        writer.enrich(key, &stored, found, recipe).unwrap();
    }
    writer.commit().unwrap();
    writer.close().unwrap();
    keys.len()
}

fn ask(index: &Index, request: QueryRequest) -> SearchResponse {
    let searcher = index.searcher().unwrap();
    let query = Query::new(request, &searcher.settings().query).unwrap();
    searcher.search(&query).unwrap()
}

fn request(query: &str) -> QueryRequest {
    QueryRequest {
        query: query.to_owned(),
        ..QueryRequest::default()
    }
}

#[test]
fn what_was_found_is_searched_filtered_counted_and_shown() {
    let (dir, index) = index(None);
    let recipe = recipe("entities");
    assert_eq!(enrich(dir.path(), &recipe, 9), 3);
    assert_eq!(enrich(dir.path(), &recipe, 9), 0);
    for (query, expected) in [
        ("entity:MESH:D063806", &["1", "3"][..]),
        ("entity:d063806 AND statins[ti]", &["1"]),
        ("entity:\"muscle pain\"", &["1", "3"]),
        ("myalgia[entity] NOT entity:Chemical:statins", &["3"]),
        ("entity:Chemical:*", &["1", "2"]),
        ("relation:induces|statins|D063806", &["1"]),
        ("relation:*|*|myalgia", &["1"]),
        ("relation:induces|myalgia|*", &[]),
    ] {
        let response = ask(&index, request(query));
        let mut ids = ids(&response);
        ids.sort_unstable();
        assert_eq!(ids, expected, "{query}");
        assert_eq!(
            response
                .warnings
                .iter()
                .filter(|one| one.contains("enrich"))
                .count(),
            0
        );
    }
    let narrowed = QueryRequest {
        filter: Filter {
            entity: vec!["MESH:D063806".to_owned()],
            relation: vec!["induces | * | *".to_owned()],
            ..Filter::default()
        },
        facets: vec![FacetField::Entity],
        enrich: vec![Enrichment::Relations],
        ..request("muscle pain")
    };
    let response = ask(&index, narrowed.clone());
    assert_eq!(ids(&response), ["1"]);
    let hit = &response.hits[0];
    let relations = &hit.relations.as_ref().unwrap().title;
    assert_eq!(relations[0].kind, "induces");
    assert_eq!(hit.entities.as_ref().unwrap().title.len(), 2);
    let report = response.enrichment.unwrap();
    assert_eq!((report.stored, report.head.as_str()), (1, "entities"));
    assert_eq!(report.relation_heads, ["induces"]);
    let counted = response.facets.unwrap().entity.unwrap().values;
    let counted: Vec<_> = counted
        .iter()
        .map(|one| {
            (
                &one.value[..],
                one.name.as_deref(),
                one.kind.as_deref(),
                one.articles,
            )
        })
        .collect();
    assert_eq!(
        counted,
        [
            ("Chemical:statins", Some("Statins"), Some("Chemical"), 1),
            ("MESH:D063806", Some("Myalgia"), Some("Disease"), 1),
        ]
    );
    let unknown = QueryRequest {
        filter: Filter {
            entity: vec!["statin".to_owned()],
            ..Filter::default()
        },
        ..narrowed
    };
    let warnings = ask(&index, unknown).warnings.join("\n");
    assert!(
        warnings.contains("has entity `statin`; did you mean `statins`?"),
        "{warnings}"
    );
}

#[test]
fn an_index_that_is_not_wholly_enriched_says_so_and_goes_on_where_it_stopped() {
    let (dir, index) = index(None);
    let ask = |query| ask(&index, request(query)).warnings.join("\n");
    let warnings = ask("entity:myalgia");
    assert!(warnings.contains("in 0 of the 3 articles"), "{warnings}");
    assert!(warnings.contains("`medsift enrich`"), "{warnings}");
    let recipe = recipe("entities");
    assert_eq!(enrich(dir.path(), &recipe, 2), 3);
    assert!(ask("entity:myalgia").contains("in 2 of the 3 articles"));
    assert_eq!(enrich(dir.path(), &recipe, 2), 1);
    assert_eq!(ask("entity:myalgia"), "");
    assert_eq!(verify(dir.path()).unwrap().faults, Vec::<String>::new());
}

#[test]
fn findings_stay_with_their_article_and_go_with_it() {
    let (dir, index) = index(None);
    enrich(dir.path(), &recipe("entities"), 9);
    let found = |query| ids(&ask(&index, request(query))).join(" ");
    // The same content from another file: its date changes, nothing else.
    let mut writer = IndexWriter::open_existing(dir.path(), WriterSettings::default()).unwrap();
    let same = articles().remove(0);
    let origin = Origin::full("pubmed25n0002.xml");
    let (change, _) = writer.classify(same, &origin).unwrap();
    assert_eq!(change, crate::index::Change::Unchanged);
    writer.commit().unwrap();
    writer.close().unwrap();
    assert_eq!(found("relation:induces|*|*"), "1");
    // Another content: what was found in the old one is not true of it.
    let new = article("1", "Ibuprofen", "D063806", "Myalgia", 2015);
    add(dir.path(), &[new]);
    assert_eq!(found("relation:induces|*|*"), "");
    remove(dir.path(), &["3"]);
    assert_eq!(found("entity:myalgia"), "");
    let searcher = index.searcher().unwrap();
    assert_eq!(searcher.enriched_articles().unwrap(), 1);
    assert_eq!(verify(dir.path()).unwrap().faults, Vec::<String>::new());
}

#[test]
fn another_recipe_reads_everything_again_and_the_old_one_is_forgotten() {
    let (dir, index) = index(None);
    enrich(dir.path(), &recipe("entities"), 9);
    let better = recipe("better");
    assert_eq!(enrich(dir.path(), &better, 1), 3);
    let heads = || {
        let stats = index.searcher().unwrap().stats().unwrap();
        let enriched = stats.enriched.into_iter();
        enriched
            .map(|one| (one.recipe.head.name, one.articles))
            .collect::<Vec<_>>()
    };
    assert_eq!(
        heads(),
        [("entities".to_owned(), 2), ("better".to_owned(), 1)]
    );
    assert_eq!(enrich(dir.path(), &better, 9), 2);
    enrich(dir.path(), &better, 9);
    assert_eq!(heads(), [("better".to_owned(), 3)]);
}

#[test]
fn what_would_be_found_now_goes_before_what_the_index_holds_of_another_making() {
    let settings = EnrichSettings::default();
    let enricher = Arc::new(Enricher::new(crate::enrich::tests::tagger(48), &settings));
    let (dir, index) = index_with(Extras {
        enricher: Some(Arc::clone(&enricher)),
        ..Extras::default()
    });
    enrich(dir.path(), &recipe("entities"), 9);
    let asked = QueryRequest {
        enrich: vec![Enrichment::Entities],
        ..request("muscle pain")
    };
    let live = ask(&index, asked.clone());
    assert_eq!(live.enrichment.unwrap().stored, 0);
    // By the recipe of the enricher itself: what the index holds is what it
    // would find, and is shown as it is.
    enrich(dir.path(), enricher.recipe(), 2);
    let mixed = ask(&index, asked);
    let report = mixed.enrichment.unwrap();
    assert_eq!((report.stored, report.incomplete), (2, None));
    assert!(mixed.hits.iter().all(|hit| hit.entities.is_some()));
}

#[test]
fn findings_that_do_not_fit_their_article_are_found_by_verify() {
    let (dir, _index) = index(None);
    let recipe = recipe("entities");
    let mut writer = IndexWriter::open_existing(dir.path(), WriterSettings::default()).unwrap();
    let key = writer.not_enriched_by(&recipe).unwrap()[0];
    let stored = writer.article(key).unwrap();
    let mut wrong = found("Statins and muscle pain");
    wrong.entities.title[0].start += 1;
    writer.enrich(key, &stored, wrong, &recipe).unwrap();
    writer.commit().unwrap();
    writer.close().unwrap();
    let faults = verify(dir.path()).unwrap().faults.join("\n");
    assert!(faults.contains("does not stand where it says"), "{faults}");
}
