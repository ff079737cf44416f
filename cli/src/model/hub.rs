//! Models from the Hugging Face hub.

use crate::progress;
use hf_hub::api::Progress;
use hf_hub::api::sync::{ApiBuilder, ApiRepo};
use hf_hub::{Cache, Repo, RepoType};
use indicatif::ProgressBar;
use std::fs;
use std::path::{Component, Path};
use std::time::Duration;

/// How long the first answer may take. Downloads themselves have no limit.
const PATIENCE: Duration = Duration::from_secs(5);

/// Fetches files of a model into a directory. Files that another program has
/// already fetched into the hub's own local cache are copied from there.
///
/// The error is a text for the list of what was tried.
pub(super) fn fetch(id: &str, files: &[String], into: &Path, quiet: bool) -> Result<(), String> {
    let repo = Repo::new(id.to_owned(), RepoType::Model);
    let local = Cache::from_env().repo(repo.clone());
    let mut remote = None;
    for file in files {
        let target = target(into, file)?;
        if let Some(source) = local.get(file) {
            fs::copy(&source, &target).map_err(|error| format!("{}: {error}", target.display()))?;
            continue;
        }
        let api = match &remote {
            Some(api) => api,
            None => remote.insert(reach(&repo, into)?),
        };
        let bar = Bar(progress::byte_bar(quiet, 0));
        let path = api
            .download_with_progress(file, bar)
            .map_err(|error| format!("{file}: {error}"))?;
        fs::copy(&path, &target).map_err(|error| format!("{}: {error}", target.display()))?;
    }
    Ok(())
}

/// The names of a model's files that the encoder may need.
pub(super) fn list(id: &str, into: &Path) -> Result<Vec<String>, String> {
    let repo = Repo::new(id.to_owned(), RepoType::Model);
    let info = reach(&repo, into)?
        .info()
        .map_err(|error| error.to_string())?;
    let names: Vec<String> = info
        .siblings
        .into_iter()
        .map(|file| file.rfilename)
        .collect();
    Ok(needed(&names))
}

/// Of a repository's files, those of a model directory; the weights in one
/// form only.
fn needed(names: &[String]) -> Vec<String> {
    let weights = ["model.safetensors", "pytorch_model.bin"]
        .into_iter()
        .find(|weights| names.iter().any(|name| name == weights));
    names
        .iter()
        .filter(|name| match name.split('/').collect::<Vec<_>>()[..] {
            [file] => {
                weights == Some(file)
                    || file == "vocab.txt"
                    || file == "merges.txt"
                    || (file.ends_with(".json") && !file.ends_with(".index.json"))
            }
            [folder, "config.json"] => folder.starts_with(|c: char| c.is_ascii_digit()),
            _ => false,
        })
        .cloned()
        .collect()
}

/// A connection to the hub, after one question with a short time limit: on a
/// network without a way out, the client itself would wait for minutes.
fn reach(repo: &Repo, scratch: &Path) -> Result<ApiRepo, String> {
    let api = ApiBuilder::from_env()
        .with_cache_dir(scratch.join(".hub"))
        .with_token(Cache::from_env().token())
        .with_progress(false)
        .build()
        .map_err(|error| error.to_string())?
        .repo(repo.clone());
    let agent = ureq::AgentBuilder::new()
        .try_proxy_from_env(true)
        .timeout_connect(PATIENCE)
        .timeout(PATIENCE)
        .build();
    match agent.head(&api.url("config.json")).call() {
        Ok(_) => Ok(api),
        Err(ureq::Error::Status(404 | 401, _)) => {
            Err("the hub has no such model, or it is not public".to_owned())
        }
        Err(ureq::Error::Status(code, _)) => Err(format!("the hub answered {code}")),
        Err(ureq::Error::Transport(error)) => Err(format!("not reachable: {}", error.kind())),
    }
}

/// Where a file goes; names that lead out of the directory are refused.
fn target(into: &Path, file: &str) -> Result<std::path::PathBuf, String> {
    let path = Path::new(file);
    if !path
        .components()
        .all(|part| matches!(part, Component::Normal(_)))
    {
        return Err(format!("a file name leads out of the folder: {file:?}"));
    }
    let target = into.join(path);
    if let Some(parent) = target.parent() {
        fs::create_dir_all(parent).map_err(|error| format!("{}: {error}", parent.display()))?;
    }
    Ok(target)
}

/// A download's bar.
struct Bar(ProgressBar);

impl Progress for Bar {
    fn init(&mut self, size: usize, filename: &str) {
        self.0.set_length(size as u64);
        self.0.set_prefix(filename.to_owned());
    }

    fn update(&mut self, size: usize) {
        self.0.inc(size as u64);
    }

    fn finish(&mut self) {
        self.0.finish_and_clear();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names(list: &[&str]) -> Vec<String> {
        list.iter().map(|&name| name.to_owned()).collect()
    }

    #[test]
    fn one_form_of_the_weights_is_fetched() {
        let both = names(&[
            "README.md",
            "config.json",
            "model.safetensors",
            "pytorch_model.bin",
            "onnx/model.onnx",
            "1_Pooling/config.json",
            "vocab.txt",
            "model.safetensors.index.json",
            "openvino/config.json",
        ]);
        assert_eq!(
            needed(&both),
            [
                "config.json",
                "model.safetensors",
                "1_Pooling/config.json",
                "vocab.txt"
            ]
        );
        assert_eq!(
            needed(&names(&["pytorch_model.bin", "tf_model.h5"])),
            ["pytorch_model.bin"]
        );
    }

    #[test]
    fn names_that_lead_out_are_refused() {
        let dir = tempfile::tempdir().unwrap();
        for name in ["../x", "/etc/passwd", "a/../../x"] {
            assert!(target(dir.path(), name).is_err(), "{name}");
        }
        assert!(target(dir.path(), "1_Pooling/config.json").is_ok());
    }
}
