//! `elink.fcgi`: similar articles, what an article cites, and what cites it.

use super::answer::{ELINK, Failure, Mode, check_db, json_body, xml_body};
use super::call::Call;
use super::ids::{Named, as_set, kept, listed};
use super::{DB, history::Set};
use crate::error::ApiError;
use crate::state::Shared;
use axum::extract::State;
use axum::response::Response;
use medsift::ArticleId;
use medsift::keyword::pmid;
use medsift::query::Filter;
use medsift::searcher::Searcher;
use medsift::xml::XmlWriter;
use serde_json::{Value, json};
use std::collections::BTreeMap;

/// Articles that one call may ask links of: each is a search of its own.
const MOST: usize = 500;

/// A score is the cosine times this, as a whole number.
const SCALE: f32 = 1e6;

/// A way from article to article.
pub(super) struct LinkName {
    pub(super) name: &'static str,
    pub(super) menu: &'static str,
    pub(super) about: &'static str,
}

const SIMILAR: &str = "pubmed_pubmed";
const CITED_IN: &str = "pubmed_pubmed_citedin";
const REFERENCES: &str = "pubmed_pubmed_refs";

/// All of them, in the order in which they are answered.
pub(super) const LINK_NAMES: [LinkName; 3] = [
    LinkName {
        name: SIMILAR,
        menu: "Similar articles",
        about: "Articles of this index that are nearest by meaning",
    },
    LinkName {
        name: CITED_IN,
        menu: "Cited in",
        about: "Articles of this index that cite the article",
    },
    LinkName {
        name: REFERENCES,
        menu: "References",
        about: "Articles of this index that the article cites",
    },
];

/// What is done with the links.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Command {
    List { scores: bool },
    Keep,
}

/// The links of one article, or of several together.
struct LinkSet {
    pmids: Vec<u32>,
    /// By the name of the way, with scores where it has some.
    ways: Vec<(&'static str, Vec<(u32, Option<u64>)>)>,
    /// What is not known here.
    note: Option<String>,
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

fn links(
    searcher: &Searcher,
    pmids: Vec<u32>,
    names: &[&'static str],
) -> Result<LinkSet, ApiError> {
    let mut ways = Vec::new();
    let mut note = None;
    for &name in names {
        let found = match name {
            SIMILAR => similar(searcher, &pmids)?,
            CITED_IN => {
                note = unknown_citations(searcher)?;
                let mut citing = Vec::new();
                for &pmid in &pmids {
                    citing.extend(searcher.cited_in(pmid)?);
                }
                unscored(citing)
            }
            _ => references(searcher, &pmids)?,
        };
        ways.push((name, found));
    }
    Ok(LinkSet { pmids, ways, note })
}

/// Each once, rising.
fn unscored(mut pmids: Vec<u32>) -> Vec<(u32, Option<u64>)> {
    pmids.sort_unstable();
    pmids.dedup();
    pmids.into_iter().map(|pmid| (pmid, None)).collect()
}

/// The nearest articles of each, best first, without those that were named.
fn similar(searcher: &Searcher, pmids: &[u32]) -> Result<Vec<(u32, Option<u64>)>, ApiError> {
    let most = searcher.settings().query.max_limit;
    let mut best: BTreeMap<u32, f32> = BTreeMap::new();
    for one in pmids {
        let Ok(id) = ArticleId::new(&one.to_string()) else {
            continue;
        };
        if !searcher.holds_pmid(*one)? {
            continue;
        }
        let found = searcher.similar(&id, &Filter::default(), Some(most))?;
        for hit in found.into_iter().flat_map(|found| found.hits) {
            let Some(near) = pmid(hit.id.as_str()) else {
                continue;
            };
            if searcher.holds_pmid(near)? && !pmids.contains(&near) {
                let score = best.entry(near).or_insert(hit.score);
                *score = score.max(hit.score);
            }
        }
    }
    let mut best: Vec<(u32, f32)> = best.into_iter().collect();
    best.sort_by(|one, other| other.1.total_cmp(&one.1));
    let scored = best.into_iter();
    Ok(scored
        .map(|(pmid, score)| (pmid, Some((score.max(0.0) * SCALE) as u64)))
        .collect())
}

fn references(searcher: &Searcher, pmids: &[u32]) -> Result<Vec<(u32, Option<u64>)>, ApiError> {
    let mut cited = Vec::new();
    for &one in pmids {
        let Some(stored) = searcher.article_of_pmid(one)? else {
            continue;
        };
        for pmid in stored.article.cites().filter_map(pmid) {
            if searcher.holds_pmid(pmid)? {
                cited.push(pmid);
            }
        }
    }
    Ok(unscored(cited))
}

fn unknown_citations(searcher: &Searcher) -> Result<Option<String>, ApiError> {
    let unknown = searcher.without_citations()?;
    Ok((unknown > 0).then(|| {
        format!(
            "of {unknown} articles of this index it is not known what they cite, since an earlier \
             medsift indexed them: index their files again into a new folder"
        )
    }))
}

/// Keeps the links of each way as a set of the history.
fn keep(state: &Shared, call: &Call, mode: Mode, sets: Vec<LinkSet>) -> Result<Response, Failure> {
    let mut environment = call.text("WebEnv").map(str::to_owned);
    let mut all: Vec<(Vec<u32>, Vec<(&str, usize)>)> = Vec::new();
    for set in sets {
        let mut keys = Vec::new();
        for (name, links) in set.ways.into_iter().filter(|(_, links)| !links.is_empty()) {
            let links: Set = as_set(links.into_iter().map(|(pmid, _)| pmid).collect());
            let (name_of, key) = state.history.keep(environment.as_deref(), links)?;
            environment = Some(name_of);
            keys.push((name, key));
        }
        all.push((set.pmids, keys));
    }
    let environment = environment.unwrap_or_default();
    if mode == Mode::Json {
        let sets = all.into_iter().map(|(pmids, keys)| {
            let keys = keys.into_iter();
            let keys: Vec<Value> = keys
                .map(|(name, key)| json!({"dbto": DB, "linkname": name, "querykey": key.to_string()}))
                .collect();
            json!({
                "dbfrom": DB, "ids": texts(&pmids), "linksetdbhistories": keys,
                "webenv": environment,
            })
        });
        let sets: Vec<Value> = sets.collect();
        return Ok(json_body(
            &json!({"header": ELINK.header(), "linksets": sets}),
        ));
    }
    let mut xml = ELINK.document();
    xml.inside(ELINK.root, &[], |xml| {
        for (pmids, keys) in &all {
            xml.inside("LinkSet", &[], |xml| {
                from(xml, pmids);
                for (name, key) in keys {
                    xml.inside("LinkSetDbHistory", &[], |xml| {
                        xml.leaf("DbTo", DB);
                        xml.leaf("LinkName", name);
                        xml.leaf("QueryKey", &key.to_string());
                    });
                }
                xml.leaf("WebEnv", &environment);
            });
        }
    });
    Ok(xml_body(xml))
}

fn from(xml: &mut XmlWriter, pmids: &[u32]) {
    xml.leaf("DbFrom", DB);
    xml.inside("IdList", &[], |xml| {
        for pmid in pmids {
            xml.leaf("Id", &pmid.to_string());
        }
    });
}

fn as_xml(sets: &[LinkSet], scores: bool) -> Response {
    let mut xml = ELINK.document();
    xml.inside(ELINK.root, &[], |xml| {
        for set in sets {
            xml.inside("LinkSet", &[], |xml| {
                from(xml, &set.pmids);
                for (name, links) in &set.ways {
                    let note = set.note.as_ref().filter(|_| *name == CITED_IN);
                    way(xml, name, links, scores, note);
                }
            });
        }
    });
    xml_body(xml)
}

/// A way without links is left out, as at NCBI, unless there is something to
/// say of it.
fn way(
    xml: &mut XmlWriter,
    name: &str,
    links: &[(u32, Option<u64>)],
    scores: bool,
    note: Option<&String>,
) {
    if links.is_empty() && note.is_none() {
        return;
    }
    xml.inside("LinkSetDb", &[], |xml| {
        xml.leaf("DbTo", DB);
        xml.leaf("LinkName", name);
        for (pmid, score) in links {
            xml.inside("Link", &[], |xml| {
                xml.leaf("Id", &pmid.to_string());
                if let (true, Some(score)) = (scores, score) {
                    xml.leaf("Score", &score.to_string());
                }
            });
        }
        match note {
            Some(note) if links.is_empty() => xml.leaf("Info", note),
            Some(note) => xml.raw(&format!("<!-- {note} -->\n")),
            None => {}
        }
    });
}

fn as_json(sets: &[LinkSet], scores: bool) -> Response {
    let link = |&(pmid, score): &(u32, Option<u64>)| match score {
        Some(score) if scores => json!({"id": pmid.to_string(), "score": score}),
        _ => json!(pmid.to_string()),
    };
    let sets = sets.iter().map(|set| {
        let ways = set.ways.iter().filter(|(_, links)| !links.is_empty());
        let ways: Vec<Value> = ways
            .map(|(name, links)| {
                let links: Vec<Value> = links.iter().map(link).collect();
                json!({"dbto": DB, "linkname": name, "links": links})
            })
            .collect();
        let mut value = json!({"dbfrom": DB, "ids": texts(&set.pmids), "linksetdbs": ways});
        if let Some(note) = &set.note {
            value["info"] = note.as_str().into();
        }
        value
    });
    let sets: Vec<Value> = sets.collect();
    json_body(&json!({"header": ELINK.header(), "linksets": sets}))
}

fn texts(pmids: &[u32]) -> Vec<String> {
    pmids.iter().map(u32::to_string).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ways_are_named_or_all_are_meant() {
        let all = names(&Call::default()).unwrap();
        assert_eq!(all, [SIMILAR, CITED_IN, REFERENCES]);
        let some = Call::of("linkname=pubmed_pubmed_refs,+pubmed_pubmed");
        assert_eq!(names(&some).unwrap(), [REFERENCES, SIMILAR]);
        assert!(names(&Call::of("linkname=pubmed_pmc")).is_err());
    }

    #[test]
    fn a_way_without_links_is_told_only_where_something_is_unknown() {
        let write = |links: &[(u32, Option<u64>)], note: Option<&String>| {
            let mut xml = XmlWriter::new();
            way(&mut xml, CITED_IN, links, true, note);
            xml.finish()
        };
        let note = "unknown".to_owned();
        assert_eq!(write(&[], None), "");
        assert!(write(&[], Some(&note)).contains("<Info>unknown</Info>"));
        let both = write(&[(7, Some(12))], Some(&note));
        assert!(both.contains("<Score>12</Score>") && both.contains("<!-- unknown -->"));
    }
}
