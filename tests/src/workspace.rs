use crate::{Finished, Medsift, tiny_model};
use std::fs;
use std::path::{Path, PathBuf};
use tempfile::TempDir;

/// A folder of its own for one journey: working directory, home, cache.
pub struct Workspace {
    dir: TempDir,
}

impl Workspace {
    /// An empty one, removed when it is dropped.
    ///
    /// # Panics
    ///
    /// When there is no place for it.
    #[expect(clippy::new_without_default, reason = "it makes a folder")]
    pub fn new() -> Self {
        let dir = TempDir::new().expect("a temporary folder");
        fs::create_dir(dir.path().join("home")).expect("a home");
        Self { dir }
    }

    /// The working directory of its commands.
    pub fn path(&self) -> &Path {
        self.dir.path()
    }

    /// A path in it.
    pub fn join(&self, name: &str) -> PathBuf {
        self.dir.path().join(name)
    }

    /// Writes a file and gives its path.
    ///
    /// # Panics
    ///
    /// When it cannot be written.
    pub fn write(&self, name: &str, content: impl AsRef<[u8]>) -> PathBuf {
        let path = self.join(name);
        fs::write(&path, content).expect("a file can be written");
        path
    }

    /// `medsift` with these arguments, not started yet.
    pub fn medsift<A: AsRef<std::ffi::OsStr>>(&self, args: impl IntoIterator<Item = A>) -> Medsift {
        Medsift::new(self.path(), &self.join("home"), args)
    }

    /// Runs `medsift` to its end; arguments are separated by spaces.
    pub fn run(&self, args: &str) -> Finished {
        self.medsift(args.split_whitespace()).run()
    }

    /// Indexes files into `./idx` with the tiny model and expects success.
    pub fn index(&self, files: &[&Path]) -> Finished {
        let finished = self
            .medsift(["index", "--model"])
            .arg(tiny_model())
            .args(files)
            .run();
        finished.expect(0)
    }
}
