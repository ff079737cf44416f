//! The model that is part of this program.

use crate::error::Result;
use std::fmt;
use std::fs;
use std::path::Path;

/// Paths in the model directory, with `/`, and contents.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) struct ShippedFiles(&'static [(&'static str, &'static [u8])]);

macro_rules! shipped {
    ($folder:literal: $($path:literal),* $(,)?) => {
        ShippedFiles(&[$((
            $path,
            include_bytes!(concat!("../../../models/", $folder, "/", $path)),
        )),*])
    };
}

/// `models/medsift-mini`.
pub(super) const MINI: ShippedFiles = shipped!("medsift-mini":
    "1_Pooling/config.json",
    "2_Dense/config.json",
    "2_Dense/model.safetensors",
    "README.md",
    "config.json",
    "config_sentence_transformers.json",
    "model.int8.safetensors",
    "modules.json",
    "sentence_bert_config.json",
    "tokenizer.json",
    "tokenizer_config.json",
);

impl ShippedFiles {
    /// Writes the files into a folder.
    pub(super) fn unpack(self, into: &Path) -> Result<()> {
        for (name, content) in self.0 {
            let path = into.join(name);
            let folder = path.parent().unwrap_or(into);
            fs::create_dir_all(folder)
                .map_err(|error| medsift::Error::io("create", folder, error))?;
            fs::write(&path, content).map_err(|error| medsift::Error::io("write", &path, error))?;
        }
        Ok(())
    }
}

impl fmt::Debug for ShippedFiles {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list()
            .entries(self.0.iter().map(|(name, content)| (name, content.len())))
            .finish()
    }
}
