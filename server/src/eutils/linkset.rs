//! Links as they are answered.

use super::DB;
use super::answer::{ELINK, json_body, xml_body};
use super::links::{CITED_IN, LinkSet, Scored};
use axum::response::Response;
use medsift::xml::XmlWriter;
use serde_json::{Value, json};

/// The PMIDs of a group, and the numbers of its sets by the name of the way.
pub(super) type KeptGroup = (Vec<u32>, Vec<(&'static str, usize)>);

/// Links that were kept as sets of the history.
pub(super) struct Kept {
    /// In the order of the call.
    pub(super) groups: Vec<KeptGroup>,
    /// Where the sets are.
    pub(super) environment: String,
}

impl Kept {
    pub(super) fn json(&self) -> Response {
        let sets = self.groups.iter().map(|(pmids, keys)| {
            let keys = keys.iter();
            let keys: Vec<Value> = keys
                .map(|(name, key)| json!({"dbto": DB, "linkname": name, "querykey": key.to_string()}))
                .collect();
            json!({
                "dbfrom": DB, "ids": texts(pmids), "linksetdbhistories": keys,
                "webenv": self.environment,
            })
        });
        let sets: Vec<Value> = sets.collect();
        json_body(&json!({"header": ELINK.header(), "linksets": sets}))
    }

    pub(super) fn xml(&self) -> Response {
        let mut xml = ELINK.document();
        xml.inside(ELINK.root, &[], |xml| {
            for (pmids, keys) in &self.groups {
                xml.inside("LinkSet", &[], |xml| {
                    from(xml, pmids);
                    for (name, key) in keys {
                        xml.inside("LinkSetDbHistory", &[], |xml| {
                            xml.leaf("DbTo", DB);
                            xml.leaf("LinkName", name);
                            xml.leaf("QueryKey", &key.to_string());
                        });
                    }
                    xml.leaf("WebEnv", &self.environment);
                });
            }
        });
        xml_body(xml)
    }
}

fn from(xml: &mut XmlWriter, pmids: &[u32]) {
    xml.leaf("DbFrom", DB);
    xml.inside("IdList", &[], |xml| {
        for pmid in pmids {
            xml.leaf("Id", &pmid.to_string());
        }
    });
}

pub(super) fn as_xml(sets: &[LinkSet], scores: bool) -> Response {
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
fn way(xml: &mut XmlWriter, name: &str, links: &[Scored], scores: bool, note: Option<&String>) {
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

pub(super) fn as_json(sets: &[LinkSet], scores: bool) -> Response {
    let link = |&(pmid, score): &Scored| match score {
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
    fn a_way_without_links_is_told_only_where_something_is_unknown() {
        let write = |links: &[Scored], note: Option<&String>| {
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
