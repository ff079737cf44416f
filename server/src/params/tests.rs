use super::*;
use medsift::Fusion;
use medsift::query::{Enrichment, FacetField, Mode, Sort, Syntax};
use proptest::prelude::*;

fn read(text: &str) -> Result<QueryRequest, ApiError> {
    let uri: Uri = format!("/v1/search?{text}").parse().unwrap();
    search_request(&of_address(&uri))
}

fn field(text: &str) -> Option<String> {
    read(text).unwrap_err().field
}

#[test]
fn every_parameter_lands_in_its_field() {
    let request = read(
        "q=statins+and%20muscle&mode=keyword&limit=5&offset=20&year=2019..2023&journal=Lancet\
         &journal=BMJ&publication_type=Review&mesh=Humans&language=eng&has_abstract=true\
         &retracted=false&explain=1&exact=true&fusion=rrf&fusion_k=30&semantic_weight=0.25",
    )
    .unwrap();
    assert_eq!(request.query, "statins and muscle");
    assert_eq!(request.mode, Some(Mode::Keyword));
    assert_eq!((request.limit, request.offset), (Some(5), 20));
    assert_eq!(request.filter.journal, ["Lancet", "BMJ"]);
    assert_eq!(request.filter.has_abstract, Some(true));
    assert_eq!(request.filter.retracted, Some(false));
    assert!(request.explain && request.exact);
    assert_eq!(
        request.fusion,
        Some(Fusion::Rrf {
            k: 30.0,
            semantic_weight: 0.25
        })
    );
}

#[test]
fn years_are_read_in_every_form() {
    let range = |text: &str| read(text).unwrap().filter.year.map(|y| (y.from, y.to));
    assert_eq!(range("q=a"), None);
    assert_eq!(range("year=2019"), Some((Some(2019), Some(2019))));
    assert_eq!(range("year=2019..2023"), Some((Some(2019), Some(2023))));
    assert_eq!(range("year=2019-2023"), Some((Some(2019), Some(2023))));
    assert_eq!(range("year=2019.."), Some((Some(2019), None)));
    assert_eq!(range("year=2019-"), Some((Some(2019), None)));
    assert_eq!(range("year=-2023"), Some((None, Some(2023))));
    assert_eq!(range("year=..2023"), Some((None, Some(2023))));
    assert_eq!(range("year_from=1999"), Some((Some(1999), None)));
    assert_eq!(range("year_to=2001"), Some((None, Some(2001))));
    for bad in [
        "year=",
        "year=..",
        "year=abc",
        "year=-",
        "year=2019&year_to=2020",
    ] {
        assert_eq!(field(bad).as_deref(), Some("year"), "{bad}");
    }
}

#[test]
fn what_is_not_understood_is_named() {
    for (text, name) in [
        ("q=a&colour=red", "colour"),
        ("q=a&q=b", "q"),
        ("q=a&query=b", "query"),
        ("mode=fuzzy", "mode"),
        ("limit=ten", "limit"),
        ("limit=-1", "limit"),
        ("offset=99999999999999999999999", "offset"),
        ("has_abstract=maybe", "has_abstract"),
        ("retracted=", "retracted"),
        ("journal=", "journal"),
        ("fusion=magic", "fusion"),
        ("fusion_k=3", "fusion_k"),
        ("semantic_weight=1", "semantic_weight"),
        ("fusion=weighted&fusion_k=3", "fusion_k"),
        ("fusion=rrf&fusion_k=inf", "fusion_k"),
        ("fusion=rrf&semantic_weight=NaN", "semantic_weight"),
        ("sort=size", "sort"),
        ("cursor=00ff", "cursor"),
        ("facets=year,colour", "facets"),
        ("facets=", "facets"),
        ("facet_limit=x", "facet_limit"),
    ] {
        assert_eq!(field(text).as_deref(), Some(name), "{text}");
    }
}

#[test]
fn facets_come_one_by_one_or_in_a_row() {
    let facets = |text: &str| read(text).unwrap().facets;
    let both = vec![FacetField::Mesh, FacetField::Year];
    assert_eq!(facets("facets=mesh,year"), both);
    assert_eq!(facets("facets=mesh&facets=year,mesh"), both);
    assert!(facets("q=a").is_empty());
}

#[test]
fn fusion_takes_the_cores_defaults() {
    let fusion = read("fusion=rrf").unwrap().fusion.unwrap();
    assert_eq!(
        serde_json::to_value(fusion).unwrap(),
        serde_json::json!({"method": "rrf", "k": 60.0, "semantic_weight": 0.5})
    );
}

#[test]
fn fields_of_the_core_are_named_as_parameters() {
    let named = |field: &'static str| {
        let error = ApiError::from(medsift::Error::invalid(field, "x"));
        as_given(&[], OwnNames::Flat, error).field
    };
    assert_eq!(named("filter.year").as_deref(), Some("year"));
    assert_eq!(named("fusion.k").as_deref(), Some("fusion_k"));
    assert_eq!(named("query").as_deref(), Some("query"));
}

fn words() -> impl Strategy<Value = Vec<String>> {
    // Values are trimmed when read, so those that trimming changes are left out.
    proptest::collection::vec("[^\\s\\pC](.{0,12}[^\\s\\pC])?", 0..3)
}

prop_compose! {
    fn requests()(
        query in ".{0,30}",
        mode in proptest::option::of(prop_oneof![Just(Mode::Hybrid), Just(Mode::Keyword), Just(Mode::Semantic)]),
        from in proptest::option::of(any::<i32>()),
        to in proptest::option::of(any::<i32>()),
        (journal, publication_type, mesh, language) in (words(), words(), words(), words()),
        (entity, relation) in (words(), words()),
        (has_abstract, retracted) in any::<(Option<bool>, Option<bool>)>(),
        (offset, limit, exact, explain) in any::<(usize, Option<usize>, bool, bool)>(),
        (syntax, lenient, enrich) in
            (prop::sample::select(Syntax::ALL.to_vec()), any::<bool>(), any::<bool>()),
        (by_date, facets, facet_limit) in (any::<bool>(), 0..=5_usize, any::<Option<usize>>()),
        fusion in proptest::option::of(prop_oneof![
            (0.001f32..1e6, 0f32..=1.0).prop_map(|(k, semantic_weight)| Fusion::Rrf { k, semantic_weight }),
            (0f32..=1.0).prop_map(|semantic_weight| Fusion::Weighted { semantic_weight }),
        ]),
    ) -> QueryRequest {
        let year = YearRange { from, to };
        QueryRequest {
            query,
            syntax,
            lenient,
            mode,
            filter: Filter {
                year: (year != YearRange::default()).then_some(year),
                journal, publication_type, mesh, language, entity, relation, has_abstract, retracted,
            },
            offset, limit, fusion, exact, explain,
            enrich: if enrich { vec![Enrichment::Entities] } else { Vec::new() },
            sort: if by_date { Sort::Date } else { Sort::Relevance },
            cursor: None,
            facets: FacetField::ALL[..facets].to_vec(),
            facet_limit,
        }
    }
}

proptest! {
    #[test]
    fn a_request_survives_the_query_string(request in requests()) {
        let text = query_string(&request);
        let address = format!("/?{text}");
        prop_assert!(address.parse::<Uri>().is_ok());
        prop_assert_eq!(read(&text).unwrap(), request);
    }

    #[test]
    fn no_query_string_panics(text in "[a-z_]{0,12}=[ -~]{0,20}(&[a-z_]{0,12}=[ -~]{0,20}){0,3}") {
        if let Ok(uri) = format!("/?{text}").parse::<Uri>() {
            let _ = search_request(&of_address(&uri));
        }
    }
}
