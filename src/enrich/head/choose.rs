//! Which heads a model directory holds, and which one is meant.

use super::files::{CONFIG, FOLDER};
use crate::error::{Error, ErrorKind, Result};
use std::fs;
use std::path::Path;

/// What heads are for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Task {
    /// As `config.json` has it.
    pub(super) name: &'static str,
    /// Kind of the stage that trains one.
    pub(super) stage: &'static str,
    /// A file that has such a stage.
    pub(super) recipe: &'static str,
}

impl Task {
    /// Named entities.
    pub(super) const ENTITIES: Self = Self {
        name: "entities",
        stage: "token",
        recipe: "config/train/ner.toml",
    };

    /// Answers within passages.
    pub(super) const ANSWER: Self = Self {
        name: "answer",
        stage: "span",
        recipe: "config/train/answers.toml",
    };

    /// Labels of whole texts.
    pub(super) const TEXT: Self = Self {
        name: "text",
        stage: "text",
        recipe: "config/train/gad.toml",
    };
}

/// A head that lies in a model directory.
struct Found {
    name: String,
    /// Its task as its file has it; nothing where that cannot be read.
    task: Option<String>,
}

impl Found {
    fn is_for(&self, task: Task) -> bool {
        self.task.as_deref() == Some(task.name)
    }

    fn described(&self) -> String {
        let task = self.task.as_deref().unwrap_or("its config.json is damaged");
        format!("{} ({task})", self.name)
    }
}

/// The names of the heads for a task, in alphabetical order.
pub(super) fn names(model: &Path, task: Task) -> Result<Vec<String>> {
    let found = all(model)?.into_iter();
    let wanted = found.filter(|head| head.is_for(task));
    Ok(wanted.map(|head| head.name).collect())
}

/// All heads of a model directory, in alphabetical order.
fn all(model: &Path) -> Result<Vec<Found>> {
    let folder = model.join(FOLDER);
    if !folder.is_dir() {
        return Ok(Vec::new());
    }
    let failed = |error| Error::io("list", &folder, error);
    let mut found = Vec::new();
    for entry in fs::read_dir(&folder).map_err(failed)? {
        let entry = entry.map_err(failed)?;
        let config = entry.path().join(CONFIG);
        if config.is_file() {
            let bytes = fs::read(&config).unwrap_or_default();
            let value: serde_json::Value = serde_json::from_slice(&bytes).unwrap_or_default();
            found.push(Found {
                name: entry.file_name().to_string_lossy().into_owned(),
                task: value
                    .get("task")
                    .and_then(serde_json::Value::as_str)
                    .map(str::to_owned),
            });
        }
    }
    found.sort_by(|a, b| a.name.cmp(&b.name));
    Ok(found)
}

/// The head that is meant: the one with this name, or the only one for the
/// task.
pub(super) fn choose(model: &Path, name: Option<&str>, task: Task) -> Result<String> {
    let all = all(model)?;
    let wanted: Vec<&Found> = all.iter().filter(|head| head.is_for(task)).collect();
    let listed = |heads: &[&Found]| {
        let heads: Vec<String> = heads.iter().map(|head| head.described()).collect();
        heads.join(", ")
    };
    let every: Vec<&Found> = all.iter().collect();
    let model = model.display();
    if let Some(name) = name {
        if wanted.iter().any(|head| head.name == name) {
            return Ok(name.to_owned());
        }
        // What its file says, or what is wrong with it, tells more than a list.
        if every.iter().any(|head| head.name == name) {
            return Ok(name.to_owned());
        }
        if !every.is_empty() {
            return Err(Error::new(
                ErrorKind::NotFound,
                format!(
                    "the model {model} has no head {name:?}; there are: {}",
                    listed(&every)
                ),
            ));
        }
    }
    match wanted[..] {
        [one] => Ok(one.name.clone()),
        [] => {
            let others = match every.is_empty() {
                true => String::new(),
                false => format!("; there are: {}", listed(&every)),
            };
            Err(Error::new(
                ErrorKind::NotFound,
                format!(
                    "the model {model} has no head for {} ({FOLDER}/NAME): train one with a \
                     stage of kind `{}`, as {} has it{others}",
                    task.name, task.stage, task.recipe
                ),
            ))
        }
        _ => {
            let names: Vec<&str> = wanted.iter().map(|head| head.name.as_str()).collect();
            Err(Error::new(
                ErrorKind::InvalidInput,
                format!(
                    "the model {model} has several heads for {} ({}); name one",
                    task.name,
                    names.join(", ")
                ),
            ))
        }
    }
}

/// Whether a name does for a head, whose folder it becomes: letters, digits,
/// `-` and `_`.
///
/// # Errors
/// When it does not.
pub fn check_name(name: &str) -> Result<()> {
    let fits = |c: char| c.is_ascii_alphanumeric() || matches!(c, '-' | '_');
    if !name.is_empty() && name.chars().all(fits) {
        return Ok(());
    }
    Err(Error::invalid(
        "name",
        format!("{name:?} is no name for a head: use letters, digits, - and _"),
    ))
}
