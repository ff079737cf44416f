//! Ranked lists in TREC's form, for programs that score them.

use crate::context::Context;
use crate::error::{CliError, Result};
use clap::Args;
use medsift::eval::{CollectionQuery, Run, read_queries};
use medsift::query::{Query, QueryRequest, Syntax};
use medsift::searcher::Searcher;
use std::path::PathBuf;

/// Articles of each list, as TREC's runs have it.
pub(crate) const DEPTH: usize = 1000;

/// What makes of a search a run.
#[derive(Debug, Args)]
#[command(next_help_heading = "Runs for evaluation")]
pub(crate) struct RunArgs {
    /// Print the ranked list as TREC's runs have it: query Q0 article rank score
    /// tag; 1000 articles a query, or --limit
    #[arg(long, conflicts_with_all = ["json", "explain", "enrich", "offset", "cursor", "facets", "sort"])]
    pub(crate) trec: bool,
    /// Name of the run
    #[arg(
        long,
        value_name = "NAME",
        default_value = "medsift",
        requires = "trec"
    )]
    tag: String,
    /// Id of the query in the run
    #[arg(
        long,
        value_name = "ID",
        default_value = "1",
        requires = "trec",
        conflicts_with = "queries"
    )]
    query_id: String,
    /// File with many queries: BEIR's queries.jsonl, or lines of an id, a tab and
    /// a text. They are plain words unless --syntax says otherwise
    #[arg(long, value_name = "FILE", requires = "trec", conflicts_with = "query")]
    pub(crate) queries: Option<PathBuf>,
}

/// A query with its id in the run.
pub(crate) type Named = (String, Query);

impl RunArgs {
    /// How queries are read where nobody says it: what a collection asks in
    /// words is no syntax, whatever its signs.
    pub(crate) fn syntax(&self) -> Syntax {
        match self.queries {
            Some(_) => Syntax::Plain,
            None => Syntax::Auto,
        }
    }

    /// The queries, checked, before anything is loaded.
    pub(crate) fn read(&self, context: &Context, request: &QueryRequest) -> Result<Vec<Named>> {
        for (option, name) in [("--tag", &self.tag), ("--query-id", &self.query_id)] {
            if name.is_empty() || name.contains(char::is_whitespace) {
                let what = format!("{option} {name:?}: a name without white space is needed");
                return Err(CliError::Usage(what));
            }
        }
        let asked = match &self.queries {
            Some(path) => read_queries(path)?,
            None => vec![CollectionQuery {
                id: self.query_id.clone(),
                text: request.query.clone(),
                metadata: Default::default(),
            }],
        };
        let limits = &context.settings.search.query;
        let checked = asked.into_iter().map(|CollectionQuery { id, text, .. }| {
            let request = QueryRequest {
                query: text,
                ..request.clone()
            };
            let query = Query::new(request, limits).map_err(|error| match &self.queries {
                Some(_) => CliError::Failure(format!("query {id}: {error}")),
                None => error.into(),
            })?;
            Ok((id, query))
        });
        checked.collect()
    }

    /// Prints the list of each query.
    pub(crate) fn print(
        &self,
        context: &mut Context,
        searcher: &Searcher,
        queries: &[Named],
        depth: usize,
    ) -> Result<()> {
        for (id, query) in queries {
            let mut ranked = searcher.rank(query)?;
            ranked.truncate(depth);
            let documents = ranked
                .into_iter()
                .map(|(article, score)| (article.to_string(), f64::from(score)));
            let mut run = Run::default();
            run.insert(id, documents.collect());
            let mut lines = Vec::new();
            run.write(&mut lines, &self.tag)
                .map_err(|error| CliError::Failure(format!("query {id}: {error}")))?;
            context.out.text(&String::from_utf8_lossy(&lines))?;
        }
        Ok(())
    }
}
