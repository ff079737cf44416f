//! `einfo.fcgi`: which databases there are, and what can be searched in them.

use super::DB;
use super::answer::{EINFO, Failure, Mode, check_db, json_body, xml_body};
use super::call::Call;
use super::links::{LINK_NAMES, LinkName};
use crate::error::ApiError;
use crate::state::Shared;
use axum::extract::State;
use axum::response::Response;
use medsift::query::pubmed::{Field, Kind};
use medsift::searcher::Searcher;
use serde_json::{Value, json};

const MENU: &str = "PubMed";
const ABOUT: &str = "Bibliographic records of this index";

/// Answers the call.
pub(crate) async fn answer(State(state): State<Shared>, call: Call) -> Response {
    let answer = inform(&state, &call).await;
    EINFO.respond(&call, answer)
}

/// State of the index.
struct Known {
    count: u64,
    generation: u64,
    updated: String,
}

async fn inform(state: &Shared, call: &Call) -> Result<Response, Failure> {
    let mode = Mode::of(call)?;
    check_db(call, "db")?;
    if call.text("db").is_none() {
        return Ok(match mode {
            Mode::Xml => {
                let mut xml = EINFO.document();
                xml.inside(EINFO.root, &[], |xml| {
                    xml.inside("DbList", &[], |xml| xml.leaf("DbName", DB));
                });
                xml_body(xml)
            }
            Mode::Json => {
                json_body(&json!({"header": EINFO.header(), "einforesult": {"dblist": [DB]}}))
            }
        });
    }
    let job = |_: &_, searcher: &Searcher| -> Result<Known, ApiError> {
        let commit = searcher.commit();
        Ok(Known {
            count: searcher.articles_with_pmid()?,
            generation: commit.generation,
            updated: moment(&commit.committed_at),
        })
    };
    let known = state.with_searcher(job).await?.value;
    Ok(match mode {
        Mode::Xml => as_xml(&known),
        Mode::Json => as_json(&known),
    })
}

/// `2025/01/02 03:04` of RFC 3339.
fn moment(text: &str) -> String {
    let minutes = text.get(..16).unwrap_or(text);
    minutes.replace('-', "/").replace('T', " ")
}

/// Name in capitals, full name, and what `einfo` says of it: whether its values
/// are dates, numbers, single words, a hierarchy.
fn facts(field: Field) -> (String, &'static str, [(&'static str, bool); 6]) {
    let kind = field.kind();
    let facts = [
        ("IsDate", kind == Kind::Dates),
        ("IsNumerical", field == Field::Pmid),
        (
            "SingleToken",
            matches!(kind, Kind::Values | Kind::Dates | Kind::Filter),
        ),
        ("Hierarchy", kind == Kind::Mesh),
        ("IsHidden", false),
        ("IsRangable", kind == Kind::Dates),
    ];
    (field.tag().to_uppercase(), field.name(), facts)
}

fn about(field: Field) -> String {
    format!("Searched as [{}]", field.tag())
}

fn as_xml(known: &Known) -> Response {
    let mut xml = EINFO.document();
    xml.inside(EINFO.root, &[], |xml| {
        xml.inside("DbInfo", &[], |xml| {
            xml.leaf("DbName", DB);
            xml.leaf("MenuName", MENU);
            xml.leaf("Description", ABOUT);
            xml.leaf("DbBuild", &format!("medsift-{}", known.generation));
            xml.leaf("Count", &known.count.to_string());
            xml.leaf("LastUpdate", &known.updated);
            xml.inside("FieldList", &[], |xml| {
                for field in Field::all() {
                    let (name, full, facts) = facts(field);
                    xml.inside("Field", &[], |xml| {
                        xml.leaf("Name", &name);
                        xml.leaf("FullName", full);
                        xml.leaf("Description", &about(field));
                        for (fact, holds) in facts {
                            xml.leaf(fact, if holds { "Y" } else { "N" });
                        }
                    });
                }
            });
            xml.inside("LinkList", &[], |xml| {
                for LinkName { name, menu, about } in LINK_NAMES {
                    xml.inside("Link", &[], |xml| {
                        xml.leaf("Name", name);
                        xml.leaf("Menu", menu);
                        xml.leaf("Description", about);
                        xml.leaf("DbTo", DB);
                    });
                }
            });
        });
    });
    xml_body(xml)
}

fn as_json(known: &Known) -> Response {
    let field = |field: Field| -> Value {
        let (name, full, facts) = facts(field);
        let mut value = json!({"name": name, "fullname": full, "description": about(field)});
        for (fact, holds) in facts {
            value[fact.to_lowercase()] = if holds { "Y" } else { "N" }.into();
        }
        value
    };
    let link = |LinkName { name, menu, about }: LinkName| json!({"name": name, "menu": menu, "description": about, "dbto": DB});
    let fields: Vec<Value> = Field::all().map(field).collect();
    let links: Vec<Value> = LINK_NAMES.into_iter().map(link).collect();
    json_body(&json!({
        "header": EINFO.header(),
        "einforesult": {"dbinfo": [{
            "dbname": DB, "menuname": MENU, "description": ABOUT,
            "dbbuild": format!("medsift-{}", known.generation),
            "count": known.count.to_string(), "lastupdate": known.updated,
            "fieldlist": fields, "linklist": links,
        }]},
    }))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn moments_are_written_as_ncbi_does() {
        assert_eq!(moment("2025-01-02T03:04:05.6Z"), "2025/01/02 03:04");
        assert_eq!(moment(""), "");
    }

    #[test]
    fn names_of_fields_are_tags_that_are_read_back() {
        for field in Field::all() {
            let (name, full, _) = facts(field);
            assert_eq!(Field::of_tag(&name), Some(field));
            assert_eq!(Field::of_tag(full), Some(field));
        }
    }
}
