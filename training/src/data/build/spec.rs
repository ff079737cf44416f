//! What a configuration says about a set that is built from articles.

use super::{
    CitationSettings, Collection, Intake, MeshGradedSettings, MeshTree, QuerySettings,
    SectionSettings, citations, mesh_graded, pseudo_queries, query_pairs, sections, title_abstract,
};
use crate::data::exclude::Exclusions;
use crate::data::files::expand;
use crate::data::guard::refuse_evaluation_set;
use crate::data::lines::Lines;
use crate::data::random::draw;
use crate::data::spec::from_table;
use crate::data::{DataSet, Skipped, SourceFile};
use crate::example::Example;
use medsift::{Article, Error, ErrorKind, Result};
use serde::{Deserialize, Serialize};
use std::path::{Path, PathBuf};

/// A set that is built from articles. Keys that are not known are refused.
///
/// ```toml
/// build = { citations = { per_article = 5 } }
/// files = ["data/pubmed/*.xml.gz"]
/// exclude = ["data/retrieval/nfcorpus", "data/retrieval/scifact"]
/// ```
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct BuildSpec {
    /// Which examples are built.
    pub build: Builder,
    /// Files with articles, in any format that the caller reads; `*` and `?`
    /// in a file's name.
    pub files: Vec<String>,
    /// Held-out files whose articles, texts and pairs are left out
    /// ([`Exclusions`]).
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub exclude: Vec<String>,
    /// At most so many examples, drawn with the seed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub limit: Option<usize>,
    /// Seed of that draw.
    #[serde(default)]
    pub seed: u64,
}

/// The builders, with their settings: `"title_abstract"`, or
/// `{ sections = {} }` and so on.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Builder {
    /// [`title_abstract`].
    TitleAbstract,
    /// [`sections`].
    Sections(SectionSettings),
    /// [`citations`].
    Citations(CitationSettings),
    /// [`mesh_graded`].
    MeshGraded {
        /// File with the MeSH trees ([`MeshTree::read`]).
        tree: PathBuf,
        /// How pairs are drawn.
        #[serde(default)]
        settings: MeshGradedSettings,
    },
    /// [`pseudo_queries`] with [`query_pairs`].
    Queries(QuerySettings),
}

/// A set that was built.
#[derive(Debug, Clone)]
pub struct BuiltSet {
    /// The examples.
    pub examples: Vec<Example>,
    /// What became of the articles.
    pub intake: Intake,
    /// Examples with a held-out pair or text, which were left out.
    pub excluded: usize,
    /// Examples above the limit.
    pub over_limit: usize,
    /// The files that were read.
    pub files: Vec<BuiltFrom>,
}

/// A file that a set was built from.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct BuiltFrom {
    /// Where it is.
    pub path: PathBuf,
    /// SHA-256 of the file as it lies on disk, in hexadecimal.
    pub sha256: String,
    /// Its length.
    pub bytes: u64,
}

/// The examples belong to all files together: the record counts them with the
/// last one.
impl From<BuiltSet> for DataSet {
    fn from(set: BuiltSet) -> Self {
        let last = set.files.len().saturating_sub(1);
        let source = |(at, file): (usize, BuiltFrom)| {
            let (examples, skipped) = if at == last {
                let skipped = Skipped {
                    excluded: set.excluded,
                    over_limit: set.over_limit,
                    ..Skipped::default()
                };
                (set.examples.len(), skipped)
            } else {
                (0, Skipped::default())
            };
            SourceFile {
                path: file.path,
                sha256: file.sha256,
                bytes: file.bytes,
                examples,
                skipped,
                faults: Vec::new(),
            }
        };
        Self {
            sources: set.files.into_iter().enumerate().map(source).collect(),
            examples: set.examples,
        }
    }
}

impl BuildSpec {
    /// Reads a table of a configuration.
    ///
    /// # Errors
    /// Names the key that is missing, not known or of another type.
    pub fn from_table(table: &toml::Table) -> Result<Self> {
        from_table(table)
    }

    /// Takes relative paths as seen from a folder.
    #[must_use]
    pub fn relative_to(mut self, folder: &Path) -> Self {
        for file in self.files.iter_mut().chain(&mut self.exclude) {
            *file = folder.join(&*file).to_string_lossy().into_owned();
        }
        if let Builder::MeshGraded { tree, .. } = &mut self.build {
            *tree = folder.join(&*tree);
        }
        self
    }

    /// Builds the set. `open` reads the articles of a file.
    ///
    /// # Errors
    /// When a file belongs to a set for measuring or cannot be read, a
    /// setting does not fit, or no example comes out.
    pub fn build<A>(&self, mut open: impl FnMut(&Path) -> Result<A>) -> Result<BuiltSet>
    where
        A: Iterator<Item = Result<Article>>,
    {
        let paths = expand(&self.files)?;
        let mut files = Vec::new();
        for path in &paths {
            refuse_evaluation_set(path)?;
            let (sha256, bytes) = Lines::checksum(path)?;
            files.push(BuiltFrom {
                path: path.clone(),
                sha256,
                bytes,
            });
        }
        let exclusions = Exclusions::read(&self.exclude)?;
        let mut collection = Collection::default();
        for path in &paths {
            collection.extend(open(path)?, &exclusions)?;
        }
        let mut examples = self.build.examples(&collection)?;
        let built = examples.len();
        examples.retain(|example| !exclusions.holds_example(&example.texts));
        let excluded = built - examples.len();
        if examples.is_empty() {
            return Err(Error::new(
                ErrorKind::Incompatible,
                format!(
                    "no example could be built of {}: {:?}, {excluded} examples held out",
                    self.files.join(", "),
                    collection.intake
                ),
            ));
        }
        let all = examples.len();
        if let Some(limit) = self.limit {
            let keep = draw(all, limit, self.seed);
            let mut kept = keep.into_iter();
            examples.retain(|_| kept.next().unwrap_or(false));
        }
        Ok(BuiltSet {
            intake: collection.intake,
            excluded,
            over_limit: all - examples.len(),
            examples,
            files,
        })
    }
}

impl Builder {
    fn examples(&self, collection: &Collection) -> Result<Vec<Example>> {
        Ok(match self {
            Self::TitleAbstract => title_abstract(collection),
            Self::Sections(settings) => sections(collection, settings),
            Self::Citations(settings) => citations(collection, settings),
            Self::MeshGraded { tree, settings } => {
                mesh_graded(collection, &MeshTree::read(tree)?, settings)?
            }
            Self::Queries(settings) => {
                query_pairs(collection, &pseudo_queries(collection, settings))
            }
        })
    }
}
