use serde::{Deserialize, Serialize};
use std::ops::AddAssign;

/// What happened to every record read from a file:
/// `read = added + replaced + unchanged + deleted + quarantined`.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Ledger {
    /// Records seen.
    pub read: u64,
    /// Articles that the index did not hold.
    pub added: u64,
    /// Articles whose older state gave way.
    pub replaced: u64,
    /// Records that changed nothing: the same content again, an older
    /// version, the deletion of an article that is not there.
    pub unchanged: u64,
    /// Articles that were removed.
    pub deleted: u64,
    /// Records that could not be read and were put aside.
    pub quarantined: u64,
}

impl Ledger {
    /// Whether every record read is accounted for.
    pub fn balances(&self) -> bool {
        self.read == self.added + self.replaced + self.unchanged + self.deleted + self.quarantined
    }
}

impl AddAssign for Ledger {
    fn add_assign(&mut self, other: Self) {
        self.read += other.read;
        self.added += other.added;
        self.replaced += other.replaced;
        self.unchanged += other.unchanged;
        self.deleted += other.deleted;
        self.quarantined += other.quarantined;
    }
}
