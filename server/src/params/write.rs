use super::LISTS;
use super::fusion::SEMANTIC_WEIGHT;
use form_urlencoded::Serializer;
use medsift::Fusion;
use medsift::query::{QueryRequest, Sort, Syntax};

/// Writes a request as the query string that [`super::search_request`] reads back.
pub(crate) fn query_string(request: &QueryRequest) -> String {
    let mut out = Serializer::new(String::new());
    let mut put = |name: &str, value: Option<String>| {
        if let Some(value) = value {
            out.append_pair(name, &value);
        }
    };
    let filter = &request.filter;
    let years = filter.year.unwrap_or_default();
    let on = |flag: bool| flag.then(|| "true".to_owned());
    put(
        "q",
        Some(request.query.clone()).filter(|text| !text.is_empty()),
    );
    let syntax = Some(request.syntax).filter(|&syntax| syntax != Syntax::default());
    put("syntax", syntax.map(|syntax| syntax.as_str().to_owned()));
    put("lenient", on(request.lenient));
    put("mode", request.mode.map(|mode| mode.as_str().to_owned()));
    put("year_from", years.from.map(|year| year.to_string()));
    put("year_to", years.to.map(|year| year.to_string()));
    let enrich = request.enrich.iter().map(|one| one.as_str().to_owned());
    let facets = request.facets.iter().map(|one| one.as_str().to_owned());
    let lists = [
        &filter.journal,
        &filter.publication_type,
        &filter.mesh,
        &filter.language,
        &filter.entity,
        &filter.relation,
        &enrich.collect(),
        &facets.collect(),
    ];
    for (name, values) in LISTS.into_iter().zip(lists) {
        for value in values {
            put(name, Some(value.clone()));
        }
    }
    put(
        "has_abstract",
        filter.has_abstract.map(|flag| flag.to_string()),
    );
    put("retracted", filter.retracted.map(|flag| flag.to_string()));
    put("limit", request.limit.map(|limit| limit.to_string()));
    put(
        "offset",
        Some(request.offset)
            .filter(|&offset| offset > 0)
            .map(|n| n.to_string()),
    );
    let sort = Some(request.sort).filter(|&sort| sort != Sort::default());
    put("sort", sort.map(|sort| sort.as_str().to_owned()));
    put("cursor", request.cursor.map(|cursor| cursor.to_string()));
    put(
        "facet_limit",
        request.facet_limit.map(|limit| limit.to_string()),
    );
    put("exact", on(request.exact));
    put("explain", on(request.explain));
    match &request.fusion {
        Some(Fusion::Rrf { k, semantic_weight }) => {
            put("fusion", Some("rrf".to_owned()));
            put("fusion_k", Some(k.to_string()));
            put(SEMANTIC_WEIGHT, Some(semantic_weight.to_string()));
        }
        Some(Fusion::Weighted { semantic_weight }) => {
            put("fusion", Some("weighted".to_owned()));
            put(SEMANTIC_WEIGHT, Some(semantic_weight.to_string()));
        }
        None => {}
    }
    out.finish()
}
