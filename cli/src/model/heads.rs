//! Heads that are part of the program, for models that it knows. They fit one
//! encoder, to the byte; what they change in it lies beside it.

use std::fs;
use std::io::{self, Write};
use std::path::Path;

/// A head.
struct ShippedHead {
    /// The known model that it is for.
    model: &'static str,
    /// Its folder in the model directory, and the names and contents in it.
    folder: &'static str,
    files: &'static [(&'static str, &'static [u8])],
}

macro_rules! file {
    ($head:literal, $name:literal) => {
        (
            $name,
            include_bytes!(concat!("../../../models/", $head, "/", $name)),
        )
    };
}

/// The head for entities was learnt over all-MiniLM-L6-v2, of which medsift-mini
/// is still the most part: what it changes is the same for both, and what differs
/// is the encoder that its configuration names.
static ALL: &[ShippedHead] = &[
    ShippedHead {
        model: "medsift-mini",
        folder: "heads/answers",
        files: &[
            file!("medsift-mini/heads/answers", "README.md"),
            file!("medsift-mini/heads/answers", "adapter.safetensors"),
            file!("medsift-mini/heads/answers", "config.json"),
            file!("medsift-mini/heads/answers", "head.safetensors"),
        ],
    },
    ShippedHead {
        model: "medsift-mini",
        folder: "heads/associated",
        files: &[
            file!("medsift-mini/heads/associated", "README.md"),
            file!("medsift-mini/heads/associated", "adapter.safetensors"),
            file!("medsift-mini/heads/associated", "config.json"),
            file!("medsift-mini/heads/associated", "head.safetensors"),
        ],
    },
    ShippedHead {
        model: "medsift-mini",
        folder: "heads/induces",
        files: &[
            file!("medsift-mini/heads/induces", "README.md"),
            file!("medsift-mini/heads/induces", "adapter.safetensors"),
            file!("medsift-mini/heads/induces", "config.json"),
            file!("medsift-mini/heads/induces", "head.safetensors"),
        ],
    },
    ShippedHead {
        model: "medsift-mini",
        folder: "heads/entities",
        files: &[
            file!("medsift-mini/heads/entities", "README.md"),
            file!("minilm/heads/entities", "adapter.safetensors"),
            file!("medsift-mini/heads/entities", "config.json"),
            file!("minilm/heads/entities", "head.safetensors"),
        ],
    },
    ShippedHead {
        model: "minilm",
        folder: "heads/entities",
        files: &[
            file!("minilm/heads/entities", "README.md"),
            file!("minilm/heads/entities", "adapter.safetensors"),
            file!("minilm/heads/entities", "config.json"),
            file!("minilm/heads/entities", "head.safetensors"),
        ],
    },
];

/// Puts the heads of a known model into its directory, where they are not there
/// as this program has them. Without them the model still searches, so that a
/// directory that cannot be written to is no reason to stop.
pub(super) fn install(model: &str, dir: &Path) {
    for head in ALL.iter().filter(|head| head.model == model) {
        let folder = dir.join(head.folder);
        let there = |(name, content): &(&str, &[u8])| {
            fs::read(folder.join(name)).is_ok_and(|found| found == *content)
        };
        if head.files.iter().all(there) {
            continue;
        }
        if let Err(error) = write(&folder, head.files) {
            tracing::warn!(%error, folder = %folder.display(), "a head is not put in its place");
        }
    }
}

/// Writes the files of a head. Its configuration is written last: without it
/// there is no head.
fn write(folder: &Path, files: &[(&str, &[u8])]) -> io::Result<()> {
    fs::create_dir_all(folder)?;
    let is_last = |(name, _): &&(&str, &[u8])| *name == "config.json";
    let first = files.iter().filter(|file| !is_last(file));
    for (name, content) in first.chain(files.iter().filter(is_last)) {
        let mut passing = tempfile::NamedTempFile::new_in(folder)?;
        passing.write_all(content)?;
        passing.as_file().sync_all()?;
        passing
            .persist(folder.join(name))
            .map_err(|error| error.error)?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use medsift::enrich::TokenHead;

    #[test]
    fn heads_are_put_beside_their_model_and_mended() {
        let dir = tempfile::tempdir().unwrap();
        install("other", dir.path());
        assert_eq!(fs::read_dir(dir.path()).unwrap().count(), 0);
        install("minilm", dir.path());
        assert_eq!(TokenHead::names(dir.path()).unwrap(), ["entities"]);
        let config = dir.path().join("heads/entities/config.json");
        let whole = fs::read(&config).unwrap();
        fs::write(&config, "torn").unwrap();
        install("minilm", dir.path());
        assert_eq!(fs::read(&config).unwrap(), whole);
        let left = fs::read_dir(dir.path().join("heads/entities")).unwrap();
        assert_eq!(left.count(), 4, "no scratch is left");
    }

    /// A head that names another encoder would be refused where it lies.
    #[test]
    fn heads_name_the_encoder_that_they_lie_beside() {
        let known = crate::model::registry::find("medsift-mini").unwrap();
        let cache = tempfile::tempdir().unwrap();
        let dir = crate::model::install::known(known, cache.path(), true).unwrap();
        install(known.name, &dir);
        let encoder = medsift::encoder::Encoder::open(&dir, Default::default()).unwrap();
        assert_eq!(encoder.dimension(), known.dimension);
        assert_eq!(encoder.max_tokens(), known.max_tokens);
        let encoder = std::sync::Arc::new(encoder);
        medsift::enrich::Tagger::open(encoder.clone(), &dir, None).unwrap();
        for name in ["associated", "induces"] {
            medsift::enrich::TextClassifier::open(encoder.clone(), &dir, Some(name)).unwrap();
        }
    }

    #[test]
    fn a_folder_that_cannot_be_written_to_stops_nothing() {
        let dir = tempfile::tempdir().unwrap();
        // A file stands where the folder should.
        fs::write(dir.path().join("heads"), "").unwrap();
        install("minilm", dir.path());
        assert!(dir.path().join("heads").is_file());
    }
}
