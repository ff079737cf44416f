use super::filter_args::FilterArgs;
use crate::args::IndexDir;
use crate::context::Context;
use crate::error::{Exit, Result};
use crate::{open, render};
use clap::Args;
use medsift::{ArticleId, Error, ErrorKind};

/// Arguments of `medsift similar`.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  medsift similar 11943073
  medsift similar 11943073 --year 2020- --type Review --limit 5 --json

The vectors of the index are compared: no model is needed.")]
pub(crate) struct SimilarArgs {
    /// PMID, or the id that the source gives
    #[arg(value_name = "ID")]
    id: String,
    #[command(flatten)]
    dir: IndexDir,
    /// Articles to show
    #[arg(long, short = 'n', value_name = "COUNT")]
    limit: Option<usize>,
    /// Print the answer as JSON
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    filters: FilterArgs,
}

/// Prints the nearest articles.
pub(crate) fn run(context: &mut Context, args: &SimilarArgs) -> Result<Exit> {
    let id = ArticleId::new(&args.id).map_err(|error| Error::invalid("id", error.to_string()))?;
    let index = open::without_model(context, &args.dir.index, Default::default())?;
    let filter = args.filters.filter();
    let found = index.searcher()?.similar(&id, &filter, args.limit)?;
    let found = found.ok_or_else(|| {
        let dir = args.dir.index.display();
        Error::new(
            ErrorKind::NotFound,
            format!("the index {dir} holds no article {id}"),
        )
    })?;
    if args.json {
        context.out.json(&found)?;
        return Ok(Exit::Ok);
    }
    for warning in &found.warnings {
        context.note(&format!("note: {}", render::text::clean(warning)));
    }
    let text = if found.hits.is_empty() {
        "no other article\n".to_owned()
    } else {
        render::hits::table(&found.hits, context.out.width(), context.out.style())
    };
    context.out.text(&text)?;
    Ok(Exit::Ok)
}
