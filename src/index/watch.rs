/// What a commit spends its time on.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum CommitStep {
    /// The graph over the passages that are new.
    NewSegment,
    /// The graph over the passages of segments that are joined.
    JoinedSegment,
}

/// Who watches a commit.
pub trait CommitWatch: Sync {
    /// Passages that are in the graph by now, of how many.
    fn graph(&self, _step: CommitStep, _done: u64, _all: u64) {}

    /// Whether to come to an end: segments are then left unjoined, which a
    /// later commit makes up for. Everything that was put is committed.
    fn cancelled(&self) -> bool {
        false
    }
}

/// Watches nothing.
#[derive(Debug, Clone, Copy, Default)]
pub struct Unwatched;

impl CommitWatch for Unwatched {}
