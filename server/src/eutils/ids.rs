//! The PMIDs that a call names: in a list, or as a set of the history.

use super::answer::Failure;
use super::call::Call;
use super::history::Set;
use crate::state::AppState;
use medsift::keyword::pmid;
use std::sync::Arc;

/// What a call is about.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct Named {
    /// PMIDs, in order.
    pub(super) pmids: Vec<u32>,
    /// What is no PMID, as it was given.
    pub(super) others: Vec<String>,
}

/// The values of `id`, each of which may be several with commas between them.
pub(super) fn listed(values: &str) -> Named {
    let mut named = Named::default();
    for id in values.split(',').map(str::trim).filter(|id| !id.is_empty()) {
        match pmid(id) {
            Some(pmid) => named.pmids.push(pmid),
            None => named.others.push(id.to_owned()),
        }
    }
    named
}

/// The set of the history that a call names, where it names one.
pub(super) fn kept(state: &AppState, call: &Call) -> Result<Option<Set>, Failure> {
    match (call.text("WebEnv"), call.text("query_key")) {
        (Some(environment), Some(key)) => state.history.set(environment, key).map(Some),
        (None, None) => Ok(None),
        (Some(_), None) => Err(Failure::new("WebEnv is given without query_key")),
        (None, Some(_)) => Err(Failure::new("query_key is given without WebEnv")),
    }
}

/// The part of a list that a call wants: `retstart` and `retmax`, of which at
/// most `most`.
pub(super) fn wanted(state: &AppState, call: &Call, most: usize) -> Result<Named, Failure> {
    let from = call.whole("retstart")?.unwrap_or(0);
    let count = call.whole("retmax")?.unwrap_or(most).min(most);
    let mut named = match kept(state, call)? {
        Some(set) => {
            let end = from.saturating_add(count).min(set.len());
            let part = set.get(from..end).unwrap_or_default();
            return Ok(Named {
                pmids: part.to_vec(),
                others: Vec::new(),
            });
        }
        None => listed(&call.all("id").collect::<Vec<_>>().join(",")),
    };
    let given = named.pmids.len() + named.others.len();
    if given == 0 {
        return Err(Failure::new(
            "ID list is empty: give id, or WebEnv and query_key",
        ));
    }
    if given > most {
        return Err(Failure::new(format!(
            "{given} ids are more than the {most} that one answer has: send them in parts, or \
             use epost and retstart"
        )));
    }
    named.pmids.drain(..from.min(named.pmids.len()));
    named.pmids.truncate(count);
    Ok(named)
}

/// A list of PMIDs as it is kept.
pub(super) fn as_set(pmids: Vec<u32>) -> Set {
    Arc::from(pmids)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ids_come_with_commas_and_what_is_none_is_told() {
        let named = listed("1, 22,,x-3,007");
        assert_eq!(named.pmids, [1, 22]);
        assert_eq!(named.others, ["x-3", "007"]);
    }
}
