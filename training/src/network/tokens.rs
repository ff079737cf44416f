//! Texts of one pass, one behind the other.

/// Token numbers of several texts without filling.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Tokens {
    ids: Vec<u32>,
    /// Segment of each token; all in the first where empty.
    types: Vec<u32>,
    bounds: Vec<usize>,
}

impl Default for Tokens {
    fn default() -> Self {
        Self {
            ids: Vec::new(),
            types: Vec::new(),
            bounds: vec![0],
        }
    }
}

impl Tokens {
    /// Texts of one segment each.
    pub fn new<'a>(texts: impl IntoIterator<Item = &'a [u32]>) -> Self {
        let mut tokens = Self::default();
        for text in texts {
            tokens.push(text, None);
        }
        tokens
    }

    /// Adds a text; `types` are as many as `ids`.
    ///
    /// # Panics
    /// When they are not.
    pub fn push(&mut self, ids: &[u32], types: Option<&[u32]>) {
        if let Some(types) = types {
            assert_eq!(types.len(), ids.len(), "a segment for each token");
            self.types.resize(self.ids.len(), 0);
            self.types.extend_from_slice(types);
        }
        self.ids.extend_from_slice(ids);
        if !self.types.is_empty() {
            self.types.resize(self.ids.len(), 0);
        }
        self.bounds.push(self.ids.len());
    }

    /// Number of texts.
    pub fn texts(&self) -> usize {
        self.bounds.len() - 1
    }

    /// Number of tokens.
    pub fn len(&self) -> usize {
        self.ids.len()
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.ids.is_empty()
    }

    /// All token numbers.
    pub fn ids(&self) -> &[u32] {
        &self.ids
    }

    /// Segment of a token.
    pub fn token_type(&self, token: usize) -> u32 {
        self.types.get(token).copied().unwrap_or(0)
    }

    /// Where each text begins, and where the last ends.
    pub fn bounds(&self) -> &[usize] {
        &self.bounds
    }
}
