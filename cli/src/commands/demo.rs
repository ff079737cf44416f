use super::index::Build;
use super::serve::{AddressArgs, Server};
use crate::context::Context;
use crate::error::{CliError, Exit, Result};
use crate::open::{LoadedModel, Uses};
use crate::{model, open};
use clap::Args;
use medsift::index::PassageMode;
use std::env;
use std::fs;
use std::path::{Path, PathBuf};

/// Records written for this project, marked as made up.
const SAMPLE: &[u8] = include_bytes!("../../../tests/fixtures/sample/medsift-sample.xml");

/// Arguments of `medsift demo`.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  medsift demo
  medsift demo --port 9000
  medsift demo --dir ./try-it --no-serve && medsift search \"muscle pain\" --index ./try-it/idx

The records are made-up samples. The model is part of this program: nothing is fetched.")]
pub(crate) struct DemoArgs {
    /// Folder for sample and index [default: medsift/demo in the user's data folder]
    #[arg(long, value_name = "DIR")]
    dir: Option<PathBuf>,
    #[command(flatten)]
    address: AddressArgs,
    /// Build the index and stop
    #[arg(long)]
    no_serve: bool,
    /// Model: a known name, a directory, or the hub's org/name
    #[arg(long, value_name = "MODEL", default_value = model::DEFAULT)]
    model: String,
}

/// Model, sample index, search page.
pub(crate) fn run(context: &mut Context, args: DemoArgs) -> Result<Exit> {
    let dir = match args.dir {
        Some(dir) => dir,
        None => data_dir()?,
    };
    let server = if args.no_serve {
        None
    } else {
        let config = args.address.apply(&context.settings.server);
        Some(Server::bind(config)?)
    };
    let model = LoadedModel::load(context, &args.model)?;
    let sample = write_sample(&dir)?;
    let idx = dir.join("idx");
    let build = Build {
        dir: &idx,
        inputs: &[sample],
        model: &model,
        passages: PassageMode::On,
        replace: false,
        reencode: false,
    };
    let report = build.run(context)?;
    if report.cancelled {
        return Ok(Exit::Interrupted);
    }
    context.note(&format!(
        "{} sample records are in {}",
        report.articles,
        idx.display(),
    ));
    let Some(server) = server else {
        context.out.text(&format!("{}\n", idx.display()))?;
        return Ok(Exit::Ok);
    };
    let index = open::with_loaded(context, &idx, &model, Uses::ALL)?;
    server.run(context, index)
}

/// Puts the sample where the indexer reads it.
fn write_sample(dir: &Path) -> Result<PathBuf> {
    fs::create_dir_all(dir).map_err(|error| medsift::Error::io("create", dir, error))?;
    let path = dir.join("medsift-sample.xml");
    if fs::read(&path).is_ok_and(|there| there == SAMPLE) {
        return Ok(path);
    }
    fs::write(&path, SAMPLE).map_err(|error| medsift::Error::io("write", &path, error))?;
    Ok(path)
}

/// `$XDG_DATA_HOME/medsift/demo`, else `~/.local/share/medsift/demo`.
fn data_dir() -> Result<PathBuf> {
    let xdg = env::var_os("XDG_DATA_HOME")
        .map(PathBuf::from)
        .filter(|path| path.is_absolute());
    let data = xdg.or_else(|| env::home_dir().map(|home| home.join(".local").join("share")));
    data.map(|data| data.join("medsift").join("demo"))
        .ok_or_else(|| {
            CliError::Usage("there is no home folder: give a folder with --dir DIR".to_owned())
        })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_sample_is_written_once_and_repaired() {
        let dir = tempfile::tempdir().unwrap();
        let path = write_sample(&dir.path().join("demo")).unwrap();
        assert_eq!(fs::read(&path).unwrap(), SAMPLE);
        let written = fs::metadata(&path).unwrap().modified().unwrap();
        write_sample(&dir.path().join("demo")).unwrap();
        assert_eq!(fs::metadata(&path).unwrap().modified().unwrap(), written);
        fs::write(&path, "torn").unwrap();
        write_sample(&dir.path().join("demo")).unwrap();
        assert_eq!(fs::read(&path).unwrap(), SAMPLE);
    }
}
