//! Ways from article to article.

use crate::error::ApiError;
use medsift::ArticleId;
use medsift::keyword::pmid;
use medsift::query::Filter;
use medsift::searcher::Searcher;
use std::collections::BTreeMap;

/// A score is the cosine times this, as a whole number.
const SCALE: f32 = 1e6;

/// A way from article to article.
pub(super) struct LinkName {
    pub(super) name: &'static str,
    pub(super) menu: &'static str,
    pub(super) about: &'static str,
}

pub(super) const SIMILAR: &str = "pubmed_pubmed";
pub(super) const CITED_IN: &str = "pubmed_pubmed_citedin";
pub(super) const REFERENCES: &str = "pubmed_pubmed_refs";

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

/// A PMID with its score, where the way has scores.
pub(super) type Scored = (u32, Option<u64>);

/// The links of one article, or of several together.
pub(super) struct LinkSet {
    pub(super) pmids: Vec<u32>,
    /// By the name of the way, with scores where it has some.
    pub(super) ways: Vec<(&'static str, Vec<Scored>)>,
    /// What is not known here.
    pub(super) note: Option<String>,
}

/// Follows the ways that are named from a group of articles.
pub(super) fn links(
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
fn unscored(mut pmids: Vec<u32>) -> Vec<Scored> {
    pmids.sort_unstable();
    pmids.dedup();
    pmids.into_iter().map(|pmid| (pmid, None)).collect()
}

/// The nearest articles of each, best first, without those that were named.
fn similar(searcher: &Searcher, pmids: &[u32]) -> Result<Vec<Scored>, ApiError> {
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

fn references(searcher: &Searcher, pmids: &[u32]) -> Result<Vec<Scored>, ApiError> {
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
