//! `elink.fcgi`: similar articles, what an article cites, and what cites it.

use super::answer::{ELINK, Failure, Mode, check_db};
use super::call::Call;
use super::ids::{Named, as_set, kept, listed};
use super::links::{LINK_NAMES, LinkSet, links};
use super::linkset::{Kept, KeptGroup, as_json, as_xml};
use crate::error::ApiError;
use crate::state::Shared;
use axum::extract::State;
use axum::response::Response;
use medsift::searcher::Searcher;

/// Articles that one call may ask links of: each is a search of its own.
const MOST: usize = 500;

/// What is done with the links.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Command {
    List { scores: bool },
    Keep,
}

/// Answers the call.
pub(crate) async fn answer(State(state): State<Shared>, call: Call) -> Response {
    let answer = link(&state, &call).await;
    ELINK.respond(&call, answer)
}

async fn link(state: &Shared, call: &Call) -> Result<Response, Failure> {
    let mode = Mode::of(call)?;
    check_db(call, "db")?;
    check_db(call, "dbfrom")?;
    let command = match call.text("cmd").unwrap_or("neighbor") {
        "neighbor" => Command::List { scores: false },
        "neighbor_score" => Command::List { scores: true },
        "neighbor_history" => Command::Keep,
        other => {
            return Err(Failure::new(format!(
                "cmd {other:?} is not answered here: use neighbor, neighbor_score or \
                 neighbor_history"
            )));
        }
    };
    if let Some(name) = ["term", "mindate", "maxdate", "reldate"]
        .into_iter()
        .find(|name| call.text(name).is_some())
    {
        return Err(Failure::new(format!(
            "{name} does not narrow links here: keep them with cmd=neighbor_history and search \
             among them with esearch"
        )));
    }
    let names = names(call)?;
    let groups = groups(state, call)?;
    let job = move |_: &_, searcher: &Searcher| {
        let sets = groups
            .into_iter()
            .map(|pmids| links(searcher, pmids, &names));
        sets.collect::<Result<Vec<_>, ApiError>>()
    };
    let sets = state.with_searcher(job).await?.value;
    if command == Command::Keep {
        return keep(state, call, mode, sets);
    }
    let scores = command == Command::List { scores: true };
    Ok(match mode {
        Mode::Xml => as_xml(&sets, scores),
        Mode::Json => as_json(&sets, scores),
    })
}

/// The ways that are asked for: all of them where none is named.
fn names(call: &Call) -> Result<Vec<&'static str>, Failure> {
    let all = LINK_NAMES.map(|link| link.name);
    let Some(text) = call.text("linkname") else {
        return Ok(all.to_vec());
    };
    let find = |name: &str| {
        all.into_iter().find(|known| *known == name).ok_or_else(|| {
            Failure::new(format!("unknown linkname {name:?}: use {}", all.join(", ")))
        })
    };
    text.split(',').map(|name| find(name.trim())).collect()
}

/// Each `id` is a group, and so is a set of the history.
fn groups(state: &Shared, call: &Call) -> Result<Vec<Vec<u32>>, Failure> {
    let groups: Vec<Vec<u32>> = match kept(state, call)? {
        Some(set) => vec![set.to_vec()],
        None => {
            let named: Vec<Named> = call.all("id").map(listed).collect();
            if let Some(other) = named.iter().flat_map(|named| &named.others).next() {
                return Err(Failure::new(format!("{other:?} is no PMID")));
            }
            named.into_iter().map(|named| named.pmids).collect()
        }
    };
    let count: usize = groups.iter().map(Vec::len).sum();
    match count {
        0 => Err(Failure::new(
            "ID list is empty: give id, or WebEnv and query_key",
        )),
        1..=MOST => Ok(groups),
        _ => Err(Failure::new(format!(
            "{count} articles are more than the {MOST} that one call links: send them in parts"
        ))),
    }
}

/// Keeps the links of each way as a set of the history.
fn keep(state: &Shared, call: &Call, mode: Mode, sets: Vec<LinkSet>) -> Result<Response, Failure> {
    let mut environment = call.text("WebEnv").map(str::to_owned);
    let mut all: Vec<KeptGroup> = Vec::new();
    for set in sets {
        let mut keys = Vec::new();
        for (name, links) in set.ways.into_iter().filter(|(_, links)| !links.is_empty()) {
            let links = as_set(links.into_iter().map(|(pmid, _)| pmid).collect());
            let (name_of, key) = state.history.keep(environment.as_deref(), links)?;
            environment = Some(name_of);
            keys.push((name, key));
        }
        all.push((set.pmids, keys));
    }
    let kept = Kept {
        groups: all,
        environment: environment.unwrap_or_default(),
    };
    Ok(match mode {
        Mode::Xml => kept.xml(),
        Mode::Json => kept.json(),
    })
}

#[cfg(test)]
mod tests {
    use super::super::links::{CITED_IN, REFERENCES, SIMILAR};
    use super::*;

    #[test]
    fn ways_are_named_or_all_are_meant() {
        let all = names(&Call::default()).unwrap();
        assert_eq!(all, [SIMILAR, CITED_IN, REFERENCES]);
        let some = Call::of("linkname=pubmed_pubmed_refs,+pubmed_pubmed");
        assert_eq!(names(&some).unwrap(), [REFERENCES, SIMILAR]);
        assert!(names(&Call::of("linkname=pubmed_pmc")).is_err());
    }
}
