//! `esummary.fcgi`: summaries of articles.

use super::MOST_FETCHED;
use super::answer::{ESUMMARY, Failure, Mode, check_db, json_body, xml_body};
use super::call::Call;
use super::docsum::Summary;
use super::ids::{Named, wanted};
use crate::error::ApiError;
use crate::state::Shared;
use axum::extract::State;
use axum::response::Response;
use medsift::index::StoredArticle;
use medsift::searcher::Searcher;
use serde_json::{Map, Value, json};

/// What is said of an id that has no article, as at NCBI.
const MISSING: &str = "cannot get document summary";

/// Answers the call.
pub(crate) async fn answer(State(state): State<Shared>, call: Call) -> Response {
    let answer = summarise(&state, &call).await;
    ESUMMARY.respond(&call, answer)
}

async fn summarise(state: &Shared, call: &Call) -> Result<Response, Failure> {
    let mode = Mode::of(call)?;
    check_db(call, "db")?;
    if mode == Mode::Xml && call.text("version").is_some_and(|version| version != "1.0") {
        return Err(Failure::new(
            "XML is written in version 1.0: leave version away, or ask for retmode=json, which \
             has the fields of version 2.0",
        ));
    }
    let named = wanted(state, call, MOST_FETCHED)?;
    let job = move |_: &_, searcher: &Searcher| match mode {
        Mode::Xml => as_xml(searcher, &named),
        Mode::Json => as_json(searcher, &named),
    };
    Ok(state.with_searcher(job).await?.value)
}

fn found(searcher: &Searcher, pmid: u32) -> Result<Option<(StoredArticle, usize)>, ApiError> {
    let Some(stored) = searcher.article_of_pmid(pmid)? else {
        return Ok(None);
    };
    Ok(Some((stored, searcher.cited_in(pmid)?.len())))
}

fn as_xml(searcher: &Searcher, named: &Named) -> Result<Response, ApiError> {
    let mut xml = ESUMMARY.document();
    xml.open(ESUMMARY.root);
    xml.raw("\n");
    for &pmid in &named.pmids {
        match found(searcher, pmid)? {
            Some((stored, cited)) => Summary {
                pmid,
                article: &stored.article,
                cited,
            }
            .write(&mut xml),
            None => xml.leaf("ERROR", &format!("UID={pmid}: {MISSING}")),
        }
    }
    for other in &named.others {
        xml.leaf("ERROR", &format!("UID={other}: {MISSING}"));
    }
    xml.close(ESUMMARY.root);
    Ok(xml_body(xml))
}

fn as_json(searcher: &Searcher, named: &Named) -> Result<Response, ApiError> {
    let mut result = Map::new();
    let mut uids: Vec<String> = Vec::new();
    let missing = |id: &str| json!({"uid": id, "error": MISSING});
    for &pmid in &named.pmids {
        let summary = match found(searcher, pmid)? {
            Some((stored, cited)) => Summary {
                pmid,
                article: &stored.article,
                cited,
            }
            .json(),
            None => missing(&pmid.to_string()),
        };
        uids.push(pmid.to_string());
        result.insert(pmid.to_string(), summary);
    }
    for other in &named.others {
        uids.push(other.clone());
        result.insert(other.clone(), missing(other));
    }
    result.insert("uids".to_owned(), uids.into());
    let body = json!({"header": ESUMMARY.header(), "result": Value::Object(result)});
    Ok(json_body(&body))
}
