use crate::binary;
use serde_json::Value;
use std::ffi::OsStr;
use std::io::{BufRead, BufReader};
use std::path::Path;
use std::process::{Child, ChildStdout, Command, Output, Stdio};
use std::thread;
use std::time::{Duration, Instant};

/// Longest time that a command of a journey may take.
const PATIENCE: Duration = Duration::from_secs(240);

/// A `medsift` command with an environment of its own: nothing of the
/// caller's settings, cache or home reaches it.
pub struct Medsift {
    command: Command,
}

/// A command that has ended.
#[derive(Debug)]
pub struct Finished {
    /// The exit code; nothing after a signal.
    pub code: Option<i32>,
    /// Standard output.
    pub stdout: String,
    /// Standard error.
    pub stderr: String,
}

/// A command that still runs; it is killed when this is dropped.
pub struct Running {
    child: Child,
}

impl Medsift {
    pub(crate) fn new<A: AsRef<OsStr>>(
        dir: &Path,
        home: &Path,
        args: impl IntoIterator<Item = A>,
    ) -> Self {
        let mut command = Command::new(binary());
        for (name, _) in std::env::vars_os() {
            let name = name.to_string_lossy().into_owned();
            if name.starts_with("MEDSIFT_") || name.starts_with("XDG_") || name.starts_with("HF_") {
                command.env_remove(name);
            }
        }
        command
            .current_dir(dir)
            .env("HOME", home)
            .env("NO_COLOR", "1")
            .args(args)
            .stdin(Stdio::null());
        Self { command }
    }

    /// One more argument.
    #[must_use]
    pub fn arg(mut self, arg: impl AsRef<OsStr>) -> Self {
        self.command.arg(arg);
        self
    }

    /// More arguments.
    #[must_use]
    pub fn args<A: AsRef<OsStr>>(mut self, args: impl IntoIterator<Item = A>) -> Self {
        self.command.args(args);
        self
    }

    /// Sets an environment variable.
    #[must_use]
    pub fn env(mut self, name: &str, value: impl AsRef<OsStr>) -> Self {
        self.command.env(name, value);
        self
    }

    /// Sends standard output elsewhere.
    #[must_use]
    pub fn stdout(mut self, to: Stdio) -> Self {
        self.command.stdout(to);
        self
    }

    /// Takes standard input from elsewhere, where there is nothing to read
    /// otherwise.
    #[must_use]
    pub fn stdin(mut self, from: Stdio) -> Self {
        self.command.stdin(from);
        self
    }

    /// Runs to the end.
    ///
    /// # Panics
    ///
    /// When it cannot be started.
    pub fn run(mut self) -> Finished {
        self.command.output().expect("medsift starts").into()
    }

    /// Starts, with both outputs piped.
    ///
    /// # Panics
    ///
    /// When it cannot be started.
    pub fn start(mut self) -> Running {
        self.command.stdout(Stdio::piped()).stderr(Stdio::piped());
        Running {
            child: self.command.spawn().expect("medsift starts"),
        }
    }
}

impl From<Output> for Finished {
    fn from(output: Output) -> Self {
        Self {
            code: output.status.code(),
            stdout: String::from_utf8_lossy(&output.stdout).into_owned(),
            stderr: String::from_utf8_lossy(&output.stderr).into_owned(),
        }
    }
}

impl Finished {
    /// Goes on if the exit code is as expected.
    ///
    /// # Panics
    ///
    /// With both outputs when it is not, or when a panic was reported.
    pub fn expect(self, code: i32) -> Self {
        assert_eq!(self.code, Some(code), "{self:#?}");
        assert!(!self.stderr.contains("panicked"), "{self:#?}");
        self
    }

    /// Goes on if standard error holds every part.
    ///
    /// # Panics
    ///
    /// When a part is missing.
    pub fn says(self, parts: &[&str]) -> Self {
        for part in parts {
            assert!(self.stderr.contains(part), "{part:?} is not in {self:#?}");
        }
        self
    }

    /// Goes on if standard output holds every part.
    ///
    /// # Panics
    ///
    /// When a part is missing.
    pub fn prints(self, parts: &[&str]) -> Self {
        for part in parts {
            assert!(self.stdout.contains(part), "{part:?} is not in {self:#?}");
        }
        self
    }

    /// Standard output as JSON.
    ///
    /// # Panics
    ///
    /// When it is none.
    pub fn json(&self) -> Value {
        serde_json::from_str(&self.stdout).unwrap_or_else(|error| panic!("{error}: {self:#?}"))
    }
}

impl Running {
    /// The process id.
    pub fn id(&self) -> u32 {
        self.child.id()
    }

    /// The next line of standard output; empty at its end. Call it once.
    ///
    /// # Panics
    ///
    /// When the output was taken before.
    pub fn first_line(&mut self) -> (String, BufReader<ChildStdout>) {
        let mut reader = BufReader::new(self.child.stdout.take().expect("output is piped"));
        let mut line = String::new();
        reader.read_line(&mut line).expect("output can be read");
        (line.trim_end().to_owned(), reader)
    }

    /// Host and port of a server, which it prints first. Call it once.
    ///
    /// # Panics
    ///
    /// When it prints something else.
    pub fn address(&mut self) -> String {
        let (line, _) = self.first_line();
        line.strip_prefix("http://")
            .unwrap_or_else(|| panic!("{line:?} is no address"))
            .to_owned()
    }

    /// Sends a signal by its name (`INT`, `TERM`, `KILL`).
    ///
    /// # Panics
    ///
    /// When there is no `kill` command.
    pub fn signal(&self, name: &str) {
        let id = self.child.id().to_string();
        let status = Command::new("kill").args(["-s", name, &id]).status();
        assert!(
            status.expect("kill runs").success(),
            "signal {name} to {id}"
        );
    }

    /// Waits for the end.
    ///
    /// # Panics
    ///
    /// When it takes too long.
    pub fn wait(mut self) -> Finished {
        let began = Instant::now();
        while self
            .child
            .try_wait()
            .expect("a child can be waited for")
            .is_none()
        {
            assert!(began.elapsed() < PATIENCE, "medsift does not end");
            thread::sleep(Duration::from_millis(20));
        }
        let mut output = Output {
            status: self.child.wait().expect("a child can be waited for"),
            stdout: Vec::new(),
            stderr: Vec::new(),
        };
        if let Some(mut from) = self.child.stdout.take() {
            std::io::Read::read_to_end(&mut from, &mut output.stdout).expect("output can be read");
        }
        if let Some(mut from) = self.child.stderr.take() {
            std::io::Read::read_to_end(&mut from, &mut output.stderr).expect("output can be read");
        }
        output.into()
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        // It has mostly ended by itself; then there is nothing to kill.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
