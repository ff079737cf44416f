use super::Mode;
use crate::error::{Error, Result};
use crate::fusion::Fusion;
use serde::{Deserialize, Serialize};

/// What a request may leave out and may not exceed.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct QueryDefaults {
    /// Mode of a request that names none.
    pub mode: Mode,
    /// Hits on a page of a request that names no limit.
    pub limit: usize,
    /// Most hits on a page.
    pub max_limit: usize,
    /// Deepest hit that can be paged to.
    pub max_window: usize,
    /// Longest query text in characters.
    pub max_query_chars: usize,
    /// Fusion of a request that names none.
    pub fusion: Fusion,
}

impl Default for QueryDefaults {
    fn default() -> Self {
        Self {
            mode: Mode::Hybrid,
            limit: 10,
            max_limit: 100,
            max_window: 1000,
            max_query_chars: 4000,
            fusion: Fusion::default(),
        }
    }
}

impl QueryDefaults {
    /// Refuses defaults that no request could keep.
    pub fn check(&self) -> Result<()> {
        self.fusion.check()?;
        if self.limit == 0 || self.limit > self.max_limit || self.max_limit > self.max_window {
            return Err(Error::invalid(
                "search.query.limit",
                format!(
                    "limit {}, max_limit {} and max_window {} must rise in this order from 1",
                    self.limit, self.max_limit, self.max_window
                ),
            ));
        }
        Ok(())
    }
}
