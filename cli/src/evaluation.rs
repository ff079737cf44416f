//! Measuring search quality: every judged query through the searcher, scored.

use crate::context::Context;
use crate::error::{CliError, Result};
use crate::progress;
use crate::trec::DEPTH;
use clap::ValueEnum;
use medsift::Fusion;
use medsift::eval::{Qrels, RetrievalScores, Run};
use medsift::index::PassageMode;
use medsift::query::{Mode, Query, QueryRequest, Syntax};
use medsift::searcher::Searcher;
use serde::Serialize;
use std::collections::BTreeMap;
use std::time::Instant;

/// Half of the queries: every other one, by id.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, ValueEnum)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Half {
    /// The first, third, …
    A,
    /// The second, fourth, …
    B,
}

/// What is measured.
#[derive(Debug, Clone, Serialize)]
pub(crate) struct Plan {
    /// Name of the folder.
    pub(crate) dataset: String,
    /// Which judgements.
    pub(crate) split: String,
    /// Half of the queries, where only one was asked.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) half: Option<Half>,
    /// Which sides answer.
    pub(crate) mode: Mode,
    /// Whether every vector is compared.
    pub(crate) exact: bool,
    /// How articles became passages.
    pub(crate) passages: PassageMode,
}

/// What came out.
#[derive(Debug, Clone, Serialize)]
pub(crate) struct Report {
    /// What was measured.
    #[serde(flatten)]
    pub(crate) plan: Plan,
    /// How the sides were fused, in hybrid mode.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) fusion: Option<Fusion>,
    /// Model of the vectors.
    pub(crate) model: String,
    /// Articles in the index.
    pub(crate) articles: u64,
    /// Means over the queries.
    #[serde(flatten)]
    pub(crate) scores: RetrievalScores,
    /// One query after the other, encoding included.
    pub(crate) queries_per_second: f64,
    /// Time of one query.
    pub(crate) latency_ms: Percentiles,
}

/// Percentiles (nearest rank).
#[derive(Debug, Clone, Copy, Default, Serialize)]
pub(crate) struct Percentiles {
    /// Half of the queries are no slower.
    pub(crate) p50: f64,
    /// 95 of 100.
    pub(crate) p95: f64,
    /// 99 of 100.
    pub(crate) p99: f64,
}

/// The report and the ranked lists behind it.
pub(crate) struct Measured {
    /// Scores and times.
    pub(crate) report: Report,
    /// For a run file.
    pub(crate) run: Run,
}

/// Asks every judged query and scores the lists.
pub(crate) fn measure(
    context: &Context,
    plan: &Plan,
    searcher: &Searcher,
    queries: BTreeMap<String, String>,
    mut qrels: Qrels,
) -> Result<Measured> {
    let queries = halved(queries, plan.half);
    qrels.retain_queries(|id| queries.contains_key(id));
    if queries.is_empty() {
        return Err(CliError::Failure(format!(
            "the split {} of {} judges no query",
            plan.split, plan.dataset
        )));
    }
    let mut checked = Vec::with_capacity(queries.len());
    for (id, text) in &queries {
        let query = Query::new(request(plan, text), &context.settings.search.query)
            .map_err(|error| CliError::Failure(format!("query {id}: {error}")))?;
        checked.push((id, query));
    }
    let bar = progress::count_bar(context.quiet, queries.len() as u64);
    bar.set_prefix("queries");
    let mut run = Run::default();
    let times = timed(
        &checked,
        |query| searcher.rank(query),
        |id, mut ranked| {
            ranked.truncate(DEPTH);
            let documents = ranked
                .into_iter()
                .map(|(article, score)| (article.to_string(), f64::from(score)));
            run.insert(id, documents.collect());
            bar.inc(1);
        },
    )?;
    bar.finish_and_clear();
    let stats = searcher.stats()?;
    let hybrid = plan.mode == Mode::Hybrid;
    let report = Report {
        plan: plan.clone(),
        fusion: hybrid.then(|| context.settings.search.query.fusion.clone()),
        model: stats.model.name,
        articles: stats.articles,
        scores: RetrievalScores::of(&run, &qrels),
        queries_per_second: 1e3 * times.len() as f64 / times.iter().sum::<f64>().max(1e-9),
        latency_ms: Percentiles::of(times),
    };
    Ok(Measured { report, run })
}

/// Asks every query and gives the milliseconds that each took. The first is
/// asked once before the clock starts: it gathers what later ones find ready,
/// such as the ids of all articles, and reads files into memory.
fn timed<I: Copy, Q, A>(
    queries: &[(I, Q)],
    mut ask: impl FnMut(&Q) -> medsift::Result<A>,
    mut keep: impl FnMut(I, A),
) -> Result<Vec<f64>> {
    if let Some((_, first)) = queries.first() {
        ask(first)?;
    }
    let mut times = Vec::with_capacity(queries.len());
    for (id, query) in queries {
        let began = Instant::now();
        let answer = ask(query)?;
        times.push(began.elapsed().as_secs_f64() * 1e3);
        keep(*id, answer);
    }
    Ok(times)
}

fn request(plan: &Plan, text: &str) -> QueryRequest {
    QueryRequest {
        query: text.to_owned(),
        // What a collection asks in words is no syntax, whatever its signs.
        syntax: Syntax::Plain,
        mode: Some(plan.mode),
        exact: plan.exact,
        ..QueryRequest::default()
    }
}

fn halved(queries: BTreeMap<String, String>, half: Option<Half>) -> BTreeMap<String, String> {
    let wanted = |place: usize| match half {
        None => true,
        Some(Half::A) => place.is_multiple_of(2),
        Some(Half::B) => !place.is_multiple_of(2),
    };
    let numbered = queries.into_iter().enumerate();
    numbered
        .filter(|&(place, _)| wanted(place))
        .map(|(_, query)| query)
        .collect()
}

impl Percentiles {
    fn of(mut times: Vec<f64>) -> Self {
        times.sort_by(f64::total_cmp);
        let at = |percent: usize| {
            let rank = (times.len() * percent).div_ceil(100).max(1);
            times.get(rank - 1).copied().unwrap_or_default()
        };
        Self {
            p50: at(50),
            p95: at(95),
            p99: at(99),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_halves_share_nothing_and_make_the_whole() {
        let all: BTreeMap<String, String> = ["q1", "q10", "q2", "q3", "q4"]
            .map(|id| (id.to_owned(), String::new()))
            .into();
        let a = halved(all.clone(), Some(Half::A));
        let b = halved(all.clone(), Some(Half::B));
        assert!(a.keys().all(|id| !b.contains_key(id)));
        assert_eq!(a.len() + b.len(), all.len());
        assert_eq!((a.len(), halved(all, None).len()), (3, 5));
    }

    #[test]
    fn what_only_the_first_query_does_is_not_timed() {
        let mut asked = 0;
        let mut kept = Vec::new();
        let ask = |_: &&str| {
            asked += 1;
            if asked == 1 {
                std::thread::sleep(std::time::Duration::from_secs(2));
            }
            Ok(asked)
        };
        let queries = [("q1", "a"), ("q2", "b")];
        let times = timed(&queries, ask, |id, answer| kept.push((id, answer))).unwrap();
        assert_eq!(kept, [("q1", 2), ("q2", 3)]);
        assert!(
            times.len() == 2 && times.iter().all(|&ms| ms < 1000.0),
            "{times:?}"
        );
    }

    #[test]
    fn percentiles_are_nearest_ranks() {
        let times = Percentiles::of((1..=200).rev().map(f64::from).collect());
        assert_eq!((times.p50, times.p95, times.p99), (100.0, 190.0, 198.0));
        assert_eq!(Percentiles::of(vec![7.0]).p99, 7.0);
        assert_eq!(Percentiles::of(Vec::new()).p50, 0.0);
    }
}
