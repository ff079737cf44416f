//! The configuration file of a training, and what the command line changes in
//! it.

use super::overrides;
use crate::error::{CliError, Result};
use crate::model;
use clap::Args;
use medsift_training::config::TrainConfig;
use medsift_training::trainer::TeacherFolders;
use std::path::{Path, PathBuf};

/// A configuration file and changes to it.
#[derive(Debug, Args)]
pub(super) struct RecipeArgs {
    /// Configuration of the training
    #[arg(value_name = "CONFIG.toml")]
    file: PathBuf,
    /// Folder that `{data}` stands for in the configuration
    #[arg(long, value_name = "DIR")]
    data: Option<PathBuf>,
    /// Folder of the run, in place of `output`
    #[arg(long, value_name = "DIR")]
    output: Option<PathBuf>,
    /// Start model, in place of `base`: a known name, a directory, or the
    /// hub's org/name
    #[arg(long, value_name = "MODEL")]
    model: Option<String>,
    /// Threads; 0 for as many as there are cores
    #[arg(long, value_name = "N")]
    threads: Option<usize>,
    /// Change any other key, such as stage.0.batch=64; without a value the key
    /// is taken away; may be repeated
    #[arg(long, value_name = "KEY=VALUE")]
    set: Vec<String>,
}

impl RecipeArgs {
    /// The configuration, changed and checked.
    pub(super) fn read(&self) -> Result<TrainConfig> {
        let text = std::fs::read_to_string(&self.file)
            .map_err(|error| medsift::Error::io("read", &self.file, error))?;
        let uses_data = text.contains("{data}");
        let mut config = if self.set.is_empty() {
            TrainConfig::parse(&text, &self.file)?
        } else {
            let text = overrides::apply(&text, &self.file, &self.set)?;
            // Lines are counted in the changed text, not in the file's.
            let name = format!("{} with --set", self.file.display());
            TrainConfig::parse(&text, Path::new(&name))?
        };
        if let Some(output) = &self.output {
            config.output.clone_from(output);
        }
        if let Some(model) = &self.model {
            config.base.model = Some(model.clone());
            config.base.scratch = None;
        }
        if let Some(threads) = self.threads {
            config.threads = threads;
        }
        let config = config.with_data_dir(self.data.clone());
        if uses_data && !config.data_dir.is_dir() {
            return Err(CliError::Usage(format!(
                "{} reads from {{data}}, which is {} and no folder: name the data with --data DIR",
                self.file.display(),
                config.data_dir.display()
            )));
        }
        Ok(config)
    }

    /// The command with these arguments, as a shell takes it.
    pub(super) fn command(&self, verb: &str) -> String {
        let mut words = vec!["medsift train".to_owned(), verb.to_owned()];
        words.push(path(&self.file));
        let mut option = |name: &str, value: Option<String>| {
            words.extend(value.map(|value| format!("{name} {value}")));
        };
        option("--data", self.data.as_deref().map(path));
        option("--output", self.output.as_deref().map(path));
        option("--model", self.model.as_deref().map(quoted));
        option("--threads", self.threads.map(|threads| threads.to_string()));
        for set in &self.set {
            option("--set", Some(quoted(set)));
        }
        words.join(" ")
    }
}

/// The folder of the model that a configuration starts from; it is fetched
/// where it is not here yet. `None` for a network with random weights.
pub(super) fn base(config: &TrainConfig, quiet: bool) -> Result<Option<PathBuf>> {
    let name = config.base.model.as_deref();
    name.map(|name| Ok(model::resolve(name, quiet)?.dir))
        .transpose()
}

/// The folders of the teachers that stages name; they are fetched where they
/// are not here yet.
pub(super) fn teachers(config: &TrainConfig, quiet: bool) -> Result<TeacherFolders> {
    let stages = config.stages.iter();
    let names = stages.flat_map(|stage| &stage.teachers);
    names
        .map(|teacher| {
            Ok((
                teacher.model.clone(),
                model::resolve(&teacher.model, quiet)?.dir,
            ))
        })
        .collect()
}

fn path(path: &Path) -> String {
    quoted(&path.to_string_lossy())
}

/// A word as a POSIX shell takes it.
fn quoted(word: &str) -> String {
    let plain = |c: char| c.is_ascii_alphanumeric() || "-_./=:,+@%".contains(c);
    if !word.is_empty() && word.chars().all(plain) {
        return word.to_owned();
    }
    format!("'{}'", word.replace('\'', r"'\''"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_quoted_where_a_shell_would_split_them() {
        assert_eq!(quoted("runs/a-1.toml"), "runs/a-1.toml");
        assert_eq!(quoted("my data"), "'my data'");
        assert_eq!(quoted("it's"), r"'it'\''s'");
        assert_eq!(quoted(""), "''");
    }

    #[test]
    fn the_command_says_everything_again() {
        let args = RecipeArgs {
            file: "a b.toml".into(),
            data: Some("d".into()),
            output: None,
            model: Some("minilm".into()),
            threads: Some(2),
            set: vec!["stage.0.batch=8".into()],
        };
        assert_eq!(
            args.command("run"),
            "medsift train run 'a b.toml' --data d --model minilm --threads 2 \
             --set stage.0.batch=8"
        );
    }
}
