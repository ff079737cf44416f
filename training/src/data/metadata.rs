//! Headings and links that JSON-lines collections keep in `metadata`.

use medsift::article::{Article, MeshHeading, MeshTerm};
use serde_json::Value;
use std::collections::BTreeMap;

type Metadata = BTreeMap<String, Value>;

/// PMID of an article: what its metadata says, else its id where that is a
/// number. (Collections of PMC articles are counted by PMC ids, which look the
/// same.)
pub(super) fn article_pmid(article: &Article) -> Option<u32> {
    match article.metadata.get("pmid") {
        Some(value) => pmid_value(value),
        None => article.id.as_str().parse().ok(),
    }
}

/// A PMID as a text or a number.
pub(super) fn pmid_value(value: &Value) -> Option<u32> {
    match value {
        Value::String(text) => text.trim().parse().ok(),
        other => other.as_u64()?.try_into().ok(),
    }
}

/// PMIDs of the articles that an article cites: those of its references, and
/// `ref_pmids` of its metadata.
pub(super) fn cited_pmids(article: &Article) -> Vec<u32> {
    let references = article
        .references
        .iter()
        .flat_map(|reference| &reference.ids);
    references
        .filter(|id| id.valid && id.kind.eq_ignore_ascii_case("pubmed"))
        .filter_map(|id| id.value.trim().parse().ok())
        .chain(list(&article.metadata, "ref_pmids").filter_map(pmid_value))
        .collect()
}

/// `cites` of the metadata: ids of the collection itself.
pub(super) fn cited_ids(metadata: &Metadata) -> Vec<String> {
    list(metadata, "cites")
        .filter_map(|value| value.as_str().map(|id| id.trim().to_owned()))
        .collect()
}

fn list<'a>(metadata: &'a Metadata, key: &str) -> impl Iterator<Item = &'a Value> {
    metadata
        .get(key)
        .and_then(Value::as_array)
        .into_iter()
        .flatten()
}

/// `mesh`: a list, or a text with `;` between the headings. A heading is
/// `Descriptor` or `Descriptor/qualifier`, a main topic with `*` on it. The
/// qualifiers of a descriptor are put together.
pub(super) fn mesh(metadata: &Metadata) -> Vec<MeshHeading> {
    let headings: Vec<&str> = match metadata.get("mesh") {
        Some(Value::Array(values)) => values.iter().filter_map(Value::as_str).collect(),
        Some(Value::String(text)) => text.split(';').collect(),
        _ => Vec::new(),
    };
    let mut mesh: Vec<MeshHeading> = Vec::new();
    for heading in headings {
        let mut parts = heading.split('/').map(str::trim);
        let (name, major) = starred(parts.next().unwrap_or_default());
        if name.is_empty() {
            continue;
        }
        let at = match mesh.iter().position(|known| known.descriptor.name == name) {
            Some(at) => at,
            None => {
                mesh.push(MeshHeading {
                    descriptor: term(name),
                    ..MeshHeading::default()
                });
                mesh.len() - 1
            }
        };
        mesh[at].major |= major;
        for qualifier in parts {
            let (name, major) = starred(qualifier);
            if !name.is_empty() {
                mesh[at].qualifiers.push((term(name), major));
            }
        }
    }
    mesh
}

fn starred(name: &str) -> (&str, bool) {
    let plain = name.trim_matches('*').trim();
    (plain, plain.len() != name.len())
}

fn term(name: &str) -> MeshTerm {
    MeshTerm {
        name: name.to_owned(),
        ui: None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use medsift::ArticleId;
    use serde_json::json;

    fn metadata(value: Value) -> Metadata {
        serde_json::from_value(value).unwrap()
    }

    #[test]
    fn headings_come_as_a_list_or_a_text() {
        let listed = mesh(&metadata(json!({
            "mesh": ["*Epinephrine/urine", "Epinephrine", "Epinephrine/*blood", "Humans"]
        })));
        assert_eq!(listed.len(), 2);
        assert!(listed[0].major && listed[0].descriptor.name == "Epinephrine");
        let qualifiers: Vec<_> = listed[0]
            .qualifiers
            .iter()
            .map(|(q, m)| (q.name.as_str(), *m))
            .collect();
        assert_eq!(qualifiers, [("urine", false), ("blood", true)]);
        let text = mesh(&metadata(json!({"mesh": "Adult; Angiotensins; "})));
        assert_eq!(text.len(), 2);
        assert!(!text[1].is_major());
    }

    #[test]
    fn links_and_pmids_are_found_in_either_type() {
        let mut article = Article::new(ArticleId::new("1065065").unwrap());
        assert_eq!(article_pmid(&article), Some(1_065_065));
        article.metadata = metadata(json!({"pmid": "12", "cites": ["W1"], "ref_pmids": [7, "8"]}));
        assert_eq!(article_pmid(&article), Some(12));
        assert_eq!(cited_ids(&article.metadata), ["W1"]);
        assert_eq!(cited_pmids(&article), [7, 8]);
        article.metadata = metadata(json!({"pmid": ""}));
        assert_eq!(article_pmid(&article), None);
    }
}
