//! Articles that somebody else reads.

use medsift::Result;
use medsift::article::Article;
use std::fmt;
use std::path::Path;
use std::sync::Arc;

/// The articles of one file, in order, each read when it is asked for.
pub type Articles = Box<dyn Iterator<Item = Result<Article>> + Send>;

/// Opens files of articles, such as PubMed XML. This crate reads none of
/// their formats itself: whoever starts a training says how they are read.
#[derive(Clone)]
pub struct ArticleSource(Arc<Open>);

type Open = dyn Fn(&Path) -> Result<Articles> + Send + Sync;

impl ArticleSource {
    /// A source that opens a file by a function. It is called for the same
    /// file anew in each pass over it.
    pub fn new(open: impl Fn(&Path) -> Result<Articles> + Send + Sync + 'static) -> Self {
        Self(Arc::new(open))
    }

    /// The articles of a file.
    ///
    /// # Errors
    /// Those of the function.
    pub fn open(&self, path: &Path) -> Result<Articles> {
        (self.0)(path)
    }
}

impl fmt::Debug for ArticleSource {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("ArticleSource")
    }
}
