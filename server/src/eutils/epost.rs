//! `epost.fcgi`: keeps a list of PMIDs in the history.

use super::answer::{EPOST, Failure, Mode, check_db, json_body, xml_body};
use super::call::Call;
use super::ids::{as_set, listed};
use crate::state::Shared;
use axum::extract::State;
use axum::response::Response;
use serde_json::json;

/// Answers the call.
pub(crate) async fn answer(State(state): State<Shared>, call: Call) -> Response {
    let answer = keep(&state, &call);
    EPOST.respond(&call, answer)
}

fn keep(state: &Shared, call: &Call) -> Result<Response, Failure> {
    let mode = Mode::of(call)?;
    check_db(call, "db")?;
    let named = listed(&call.all("id").collect::<Vec<_>>().join(","));
    if named.pmids.is_empty() {
        return Err(Failure::new("no PMIDs were sent: give id"));
    }
    let kept = state
        .history
        .keep(call.text("WebEnv"), as_set(named.pmids))?;
    let (environment, key) = (kept.0, kept.1.to_string());
    Ok(match mode {
        Mode::Xml => {
            let mut xml = EPOST.document();
            xml.inside(EPOST.root, &[], |xml| {
                if !named.others.is_empty() {
                    xml.inside("InvalidIdList", &[], |xml| {
                        for id in &named.others {
                            xml.leaf("Id", id);
                        }
                    });
                }
                xml.leaf("QueryKey", &key);
                xml.leaf("WebEnv", &environment);
            });
            xml_body(xml)
        }
        Mode::Json => json_body(&json!({
            "header": EPOST.header(),
            "epostresult": {
                "querykey": key, "webenv": environment, "invalididlist": named.others,
            },
        })),
    })
}
