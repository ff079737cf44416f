//! `esearch.fcgi`: PMIDs of what a query selects.

use super::answer::{ESEARCH, Failure, Mode, check_db, json_body, xml_body};
use super::call::Call;
use super::ids::as_set;
use super::{MOST_LISTED, term};
use crate::error::ApiError;
use crate::state::Shared;
use axum::extract::State;
use axum::response::Response;
use medsift::query::pubmed::{Date, Leaf};
use medsift::searcher::{PmidList, PmidOrder, PmidSearch};
use serde_json::{Value, json};
use std::collections::BTreeMap;

/// PMIDs in an answer where a call names no number.
const LISTED: usize = 20;

const PARAMETERS: [&str; 17] = [
    "db",
    "term",
    "retstart",
    "retmax",
    "sort",
    "field",
    "datetype",
    "mindate",
    "maxdate",
    "reldate",
    "rettype",
    "retmode",
    "usehistory",
    "WebEnv",
    "query_key",
    "idtype",
    "version",
];

/// Answers the call.
pub(crate) async fn answer(State(state): State<Shared>, call: Call) -> Response {
    let answer = search(&state, &call).await;
    ESEARCH.respond(&call, answer)
}

/// A search that was made.
struct Found {
    list: PmidList,
    from: usize,
    /// Environment and number of the set, where it is kept.
    kept: Option<(String, usize)>,
    fields_not_found: Vec<String>,
    messages: Vec<String>,
}

async fn search(state: &Shared, call: &Call) -> Result<Response, Failure> {
    let mode = Mode::of(call)?;
    check_db(call, "db")?;
    let counts_only = match call.text("rettype").unwrap_or("uilist") {
        "uilist" => false,
        "count" => true,
        other => {
            return Err(Failure::new(format!(
                "unknown rettype {other:?}: use uilist or count"
            )));
        }
    };
    let found = find(state, call, counts_only).await?;
    Ok(match (mode, counts_only) {
        (Mode::Xml, true) => {
            let mut xml = ESEARCH.document();
            xml.inside(ESEARCH.root, &[], |xml| {
                xml.leaf("Count", &found.list.count.to_string());
            });
            xml_body(xml)
        }
        (Mode::Json, true) => {
            let count = found.list.count.to_string();
            json_body(&json!({"header": ESEARCH.header(), "esearchresult": {"count": count}}))
        }
        (Mode::Xml, false) => as_xml(&found),
        (Mode::Json, false) => as_json(&found),
    })
}

async fn find(state: &Shared, call: &Call, counts_only: bool) -> Result<Found, Failure> {
    let environment = call.text("WebEnv").map(str::to_owned);
    let sets = match &environment {
        Some(name) => state.history.sets(name)?,
        None if call.text("query_key").is_some() => {
            return Err(Failure::new("query_key is given without WebEnv"));
        }
        None => BTreeMap::new(),
    };
    let term = term::read(call, &sets)?;
    let mut messages = term.notes;
    let order = order(call.text("sort"), &mut messages);
    let (from, most) = part(call, counts_only, &mut messages)?;
    messages.extend(
        call.unknown(&PARAMETERS)
            .map(|name| format!("the parameter {name:?} is not known here, and was passed over")),
    );
    let keeps = match call.text("usehistory") {
        Some("y") if !counts_only => true,
        None | Some("y" | "n") => false,
        Some(other) => {
            return Err(Failure::new(format!("usehistory is {other:?}: use y or n")));
        }
    };
    let longest = state.history.longest();
    let search = PmidSearch {
        tree: term.tree,
        day: Date::today(),
        sets,
        order,
        from: if keeps { 0 } else { from },
        most: if keeps { longest + 1 } else { most },
    };
    let job = move |_: &_, searcher: &medsift::searcher::Searcher| {
        searcher.pmid_list(&search).map_err(ApiError::from)
    };
    let mut list = state.with_searcher(job).await?.value;
    let mut kept = None;
    if keeps {
        let all = as_set(std::mem::take(&mut list.pmids));
        kept = Some(state.history.keep(environment.as_deref(), all.clone())?);
        let end = from.saturating_add(most).min(all.len());
        list.pmids = all.get(from..end).unwrap_or_default().to_vec();
    }
    messages.extend(told(&list));
    Ok(Found {
        list,
        from,
        kept,
        fields_not_found: term.fields_not_found,
        messages,
    })
}

/// `retstart` and `retmax`.
fn part(
    call: &Call,
    counts_only: bool,
    messages: &mut Vec<String>,
) -> Result<(usize, usize), Failure> {
    let from = call.whole("retstart")?.unwrap_or(0);
    let most = call.whole("retmax")?.unwrap_or(LISTED);
    if most > MOST_LISTED {
        messages.push(format!(
            "retmax is {most}: one answer has at most {MOST_LISTED}; go on with retstart"
        ));
    }
    let most = if counts_only {
        0
    } else {
        most.min(MOST_LISTED)
    };
    Ok((from, most))
}

fn order(name: Option<&str>, messages: &mut Vec<String>) -> PmidOrder {
    let Some(name) = name else {
        return PmidOrder::default();
    };
    let plain = name.to_lowercase().replace(['_', '+', ' '], "");
    match plain.as_str() {
        "relevance" | "bestmatch" => PmidOrder::Relevance,
        "pubdate" | "publicationdate" | "date" => PmidOrder::Date,
        "author" | "firstauthor" => PmidOrder::FirstAuthor,
        "journalname" | "journal" => PmidOrder::Journal,
        "mostrecent" | "recentlyadded" => PmidOrder::Newest,
        _ => {
            messages.push(format!(
                "unknown sort {name:?}: use relevance, pub_date, Author, JournalName or \
                 most_recent, which was taken"
            ));
            PmidOrder::Newest
        }
    }
}

/// What the list does not show.
fn told(list: &PmidList) -> Vec<String> {
    let mut told = list.warnings.clone();
    if list.without_pmid > 0 {
        told.push(format!(
            "{} other articles match and have no PMID: /v1/search finds them",
            list.without_pmid
        ));
    }
    if list.count == 0 {
        told.push("No items found.".to_owned());
    }
    told
}

/// Terms that no article has: those that stand in quotation marks, and others.
fn without_articles(list: &PmidList) -> (Vec<&str>, Vec<&str>) {
    let leaves = list.tree.leaves();
    let empty = list.terms.iter().filter(|count| count.articles == 0);
    let terms = empty.map(|count| count.term.as_str()).filter(|term| {
        // Sets of the history are no phrases.
        let is_set = |leaf: &Leaf| matches!(leaf, Leaf::Line { .. }) && leaf.to_string() == *term;
        !leaves.iter().any(|(leaf, _)| is_set(leaf))
    });
    terms.partition(|term| term.starts_with('"'))
}

fn as_xml(found: &Found) -> Response {
    let list = &found.list;
    let (quoted, phrases) = without_articles(list);
    let mut xml = ESEARCH.document();
    xml.inside(ESEARCH.root, &[], |xml| {
        xml.leaf("Count", &list.count.to_string());
        xml.leaf("RetMax", &list.pmids.len().to_string());
        xml.leaf("RetStart", &found.from.to_string());
        if let Some((environment, key)) = &found.kept {
            xml.leaf("QueryKey", &key.to_string());
            xml.leaf("WebEnv", environment);
        }
        xml.inside("IdList", &[], |xml| {
            for pmid in &list.pmids {
                xml.leaf("Id", &pmid.to_string());
            }
        });
        xml.inside("TranslationSet", &[], |xml| {
            for (from, to) in &list.mapped {
                xml.inside("Translation", &[], |xml| {
                    xml.leaf("From", from);
                    xml.leaf("To", to);
                });
            }
        });
        xml.leaf("QueryTranslation", &list.tree.to_string());
        if !phrases.is_empty() || !found.fields_not_found.is_empty() {
            xml.inside("ErrorList", &[], |xml| {
                for phrase in &phrases {
                    xml.leaf("PhraseNotFound", phrase);
                }
                for field in &found.fields_not_found {
                    xml.leaf("FieldNotFound", field);
                }
            });
        }
        if !quoted.is_empty() || !found.messages.is_empty() {
            xml.inside("WarningList", &[], |xml| {
                for phrase in &quoted {
                    xml.leaf("QuotedPhraseNotFound", phrase);
                }
                for message in &found.messages {
                    xml.leaf("OutputMessage", message);
                }
            });
        }
    });
    xml_body(xml)
}

fn as_json(found: &Found) -> Response {
    let list = &found.list;
    let (quoted, phrases) = without_articles(list);
    let ids: Vec<String> = list.pmids.iter().map(u32::to_string).collect();
    let mapped = list.mapped.iter();
    let mapped: Vec<Value> = mapped
        .map(|(from, to)| json!({"from": from, "to": to}))
        .collect();
    let mut result = json!({
        "count": list.count.to_string(),
        "retmax": list.pmids.len().to_string(),
        "retstart": found.from.to_string(),
        "idlist": ids,
        "translationset": mapped,
        "querytranslation": list.tree.to_string(),
    });
    if let Some((environment, key)) = &found.kept {
        result["querykey"] = key.to_string().into();
        result["webenv"] = environment.as_str().into();
    }
    if !phrases.is_empty() || !found.fields_not_found.is_empty() {
        result["errorlist"] =
            json!({"phrasesnotfound": phrases, "fieldsnotfound": found.fields_not_found});
    }
    if !quoted.is_empty() || !found.messages.is_empty() {
        result["warninglist"] = json!({
            "phrasesignored": [],
            "quotedphrasesnotfound": quoted,
            "outputmessages": found.messages,
        });
    }
    json_body(&json!({"header": ESEARCH.header(), "esearchresult": result}))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn orders_have_the_names_of_ncbi() {
        for (name, expected) in [
            (None, PmidOrder::Newest),
            (Some("relevance"), PmidOrder::Relevance),
            (Some("pub_date"), PmidOrder::Date),
            (Some("pub+date"), PmidOrder::Date),
            (Some("Author"), PmidOrder::FirstAuthor),
            (Some("first author"), PmidOrder::FirstAuthor),
            (Some("JournalName"), PmidOrder::Journal),
            (Some("most recent"), PmidOrder::Newest),
        ] {
            let mut messages = Vec::new();
            assert_eq!(order(name, &mut messages), expected, "{name:?}");
            assert!(messages.is_empty());
        }
        let mut messages = Vec::new();
        assert_eq!(order(Some("title"), &mut messages), PmidOrder::Newest);
        assert!(messages[0].contains("title"), "{messages:?}");
    }
}
