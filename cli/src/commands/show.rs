use crate::args::IndexDir;
use crate::context::Context;
use crate::error::{Exit, Result};
use crate::{open, render};
use clap::Args;
use medsift::article::citation::CitationFormat;
use medsift::{ArticleId, Error, ErrorKind};

/// Arguments of `medsift show`.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  medsift show 11943073
  medsift show MED-10 --index ./nfcorpus --json
  medsift show 11943073 --format bibtex >> thesis.bib")]
pub(crate) struct ShowArgs {
    /// PMID, or the id that the source gives
    #[arg(value_name = "ID")]
    id: String,
    #[command(flatten)]
    dir: IndexDir,
    /// Print the article as JSON
    #[arg(long)]
    json: bool,
    /// Print a citation instead: nbib, ris, bibtex, csl or xml
    #[arg(long, value_name = "FORMAT", conflicts_with = "json")]
    format: Option<CitationFormat>,
}

/// Prints every stored part of an article.
pub(crate) fn run(context: &mut Context, args: &ShowArgs) -> Result<Exit> {
    let id = ArticleId::new(&args.id).map_err(|error| Error::invalid("id", error.to_string()))?;
    let index = open::without_model(context, &args.dir.index, Default::default())?;
    let stored = index.searcher()?.article(&id)?.ok_or_else(|| {
        let dir = args.dir.index.display();
        Error::new(
            ErrorKind::NotFound,
            format!("the index {dir} holds no article {id}"),
        )
    })?;
    if let Some(format) = args.format {
        context.out.text(&format.write(&stored.article))?;
    } else if args.json {
        context.out.json(&stored)?;
    } else {
        let text = render::article::page(&stored, context.out.width(), context.out.style());
        context.out.text(&text)?;
    }
    Ok(Exit::Ok)
}
