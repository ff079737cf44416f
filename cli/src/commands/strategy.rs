//! `medsift strategy`: searches of several lines that refer to each other.

use crate::args::IndexDir;
use crate::context::Context;
use crate::error::{Exit, Result};
use crate::open::{self, Uses};
use crate::render::{self, strategy::counted};
use crate::strategies::{self, Record, Report, Store};
use clap::{Args, Subcommand};
use medsift::query::pubmed::Date;
use medsift::query::strategy::Strategy;
use serde::Serialize;
use std::path::{Path, PathBuf};

/// Arguments of `medsift strategy`.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  medsift strategy run asthma.txt --index ./idx
  medsift strategy save asthma asthma.txt
  medsift strategy run asthma --export report/     and what is new since the last run

A strategy is a text with a query of PubMed's language on each line:
  // Steroids for asthma in children
  1. asthma[mh] OR asthma*[tiab]
  2. steroid*[tiab]                 // inhaled or not
  3. #1 AND #2")]
pub(crate) struct StrategyArgs {
    #[command(subcommand)]
    command: StrategyCommand,
}

#[derive(Debug, Subcommand)]
enum StrategyCommand {
    /// Search every line of a strategy
    #[command(after_help = "\
Examples:
  medsift strategy run asthma.txt
  medsift strategy run asthma --index /data/pubmed --json
  medsift strategy run asthma --line 3 --export reports/2025-01

What has a dot or a slash is a file, anything else the name of a kept strategy. A run of a kept
strategy is remembered, and the next one says what is new. --export writes strategy.md,
strategy.json and ids.txt: date, state of the index, translation and records of each line, and the
items of PRISMA-S that they cover.")]
    Run {
        /// A file, or the name of a strategy that is kept
        #[arg(value_name = "FILE|NAME")]
        what: String,
        #[command(flatten)]
        dir: IndexDir,
        /// The line that is the result; the last one without it
        #[arg(long, value_name = "NUMBER")]
        line: Option<u32>,
        /// Write the report into this folder
        #[arg(long, value_name = "DIR")]
        export: Option<PathBuf>,
        /// Print as JSON
        #[arg(long)]
        json: bool,
    },
    /// Keep a strategy by name
    #[command(after_help = "\
Examples:
  medsift strategy save asthma asthma.txt
  medsift strategy save asthma asthma.txt --replace

It is kept in $XDG_DATA_HOME/medsift/strategies, else ~/.local/share/medsift/strategies.")]
    Save {
        /// The name: letters, digits, - and _
        name: String,
        /// The text
        file: PathBuf,
        /// Put it in the place of the one that has the name
        #[arg(long)]
        replace: bool,
    },
    /// List the strategies that are kept
    #[command(after_help = "\
Examples:
  medsift strategy list
  medsift strategy list --json")]
    List {
        /// Print as JSON
        #[arg(long)]
        json: bool,
    },
    /// Show a strategy that is kept, and its runs
    #[command(after_help = "\
Examples:
  medsift strategy show asthma
  medsift strategy show asthma --json")]
    Show {
        /// Its name
        name: String,
        /// Print as JSON
        #[arg(long)]
        json: bool,
    },
}

/// Runs a command about strategies.
pub(crate) fn run(context: &mut Context, args: &StrategyArgs) -> Result<Exit> {
    match &args.command {
        StrategyCommand::Run {
            what,
            dir,
            line,
            export,
            json,
        } => search(context, what, &dir.index, *line, export.as_deref(), *json)?,
        StrategyCommand::Save {
            name,
            file,
            replace,
        } => save(context, name, file, *replace)?,
        StrategyCommand::List { json } => list(context, *json)?,
        StrategyCommand::Show { name, json } => show(context, name, *json)?,
    }
    Ok(Exit::Ok)
}

fn search(
    context: &mut Context,
    what: &str,
    dir: &Path,
    line: Option<u32>,
    export: Option<&Path>,
    json: bool,
) -> Result<()> {
    let kept = strategies::is_name(what).then(Store::of_user).transpose()?;
    let text = match &kept {
        Some(store) => store.text(what)?,
        None => strategies::read_text(Path::new(what))?,
    };
    let strategy = Strategy::parse(&text)?;
    strategy.result(line)?;
    let uses = Uses {
        mesh: true,
        entities: false,
        answers: false,
    };
    let index = open::without_model(context, dir, uses)?;
    let run = index
        .searcher()?
        .run_strategy(&strategy, line, Date::today())?;
    let place = std::path::absolute(dir).unwrap_or_else(|_| dir.to_owned());
    let place = place.display().to_string();
    let record = Record::new(&run, &text, &place);
    let last = match &kept {
        Some(store) => store.records(what)?.pop(),
        None => None,
    };
    let since = last.as_ref().map(|last| last.until(&record));
    let name = kept.is_some().then_some(what);
    let report = Report::new(name, &strategy, &place, run, since);
    if let Some(folder) = export {
        report.export(folder)?;
    }
    // Remembered when everything else is done: else nothing would be new in
    // the run that is to make up for this one.
    print(context, &report, json)?;
    if let Some(store) = &kept
        && last.is_none_or(|last| !last.says_as_much_as(&record))
    {
        store.record(what, &record)?;
    }
    Ok(())
}

fn print(context: &mut Context, report: &Report, json: bool) -> Result<()> {
    if json {
        return context.out.json(report);
    }
    for line in &report.run.lines {
        for warning in &line.warnings {
            let warning = render::text::clean(warning);
            context.note(&format!("note: #{}: {warning}", line.number));
        }
    }
    let page = render::strategy::page(report, context.out.style());
    context.out.text(&page)
}

fn save(context: &Context, name: &str, file: &Path, replace: bool) -> Result<()> {
    let text = strategies::read_text(file)?;
    // What cannot be read is better found out now.
    let lines = Strategy::parse(&text)?.lines().len();
    let path = Store::of_user()?.save(name, &text, replace)?;
    context.note(&format!(
        "{name}, {lines} lines, is kept in {}",
        path.display()
    ));
    Ok(())
}

/// A strategy in a list.
#[derive(Debug, Serialize)]
struct Listed {
    name: String,
    runs: usize,
    #[serde(skip_serializing_if = "Option::is_none")]
    last_day: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    last_articles: Option<usize>,
}

fn list(context: &mut Context, json: bool) -> Result<()> {
    let store = Store::of_user()?;
    let mut all = Vec::new();
    for name in store.names()? {
        let records = store.records(&name)?;
        let last = records.last();
        all.push(Listed {
            runs: records.len(),
            last_day: last.map(|last| last.day.clone()),
            last_articles: last.map(|last| last.ids.len()),
            name,
        });
    }
    if json {
        return context.out.json(&all);
    }
    if all.is_empty() {
        context.note("no strategy is kept: keep one with `medsift strategy save NAME FILE`");
    }
    let line = |one: &Listed| match (&one.last_day, one.last_articles) {
        (Some(day), Some(articles)) => {
            format!(
                "{}  {}, last on {day}: {}\n",
                one.name,
                counted(one.runs as u64, "run"),
                counted(articles as u64, "article")
            )
        }
        _ => format!("{}  not run yet\n", one.name),
    };
    let page: String = all.iter().map(line).collect();
    context.out.text(&page)
}

/// A strategy that is kept.
#[derive(Debug, Serialize)]
struct Shown<'s> {
    name: &'s str,
    text: &'s str,
    runs: &'s [Record],
}

fn show(context: &mut Context, name: &str, json: bool) -> Result<()> {
    let store = Store::of_user()?;
    let (text, runs) = (store.text(name)?, store.records(name)?);
    if json {
        return context.out.json(&Shown {
            name,
            text: &text,
            runs: &runs,
        });
    }
    context.out.text(&render::strategy::kept(&text, &runs))
}
