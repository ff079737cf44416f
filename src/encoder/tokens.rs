//! Texts as queries or as passages: their tokens, and cuts that are asked for.

use super::{Embeddings, Encoder};
use crate::Result;

/// What a text is to the model, which decides the prompt before it.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Role {
    /// What is looked for.
    Query,
    /// What is found.
    #[default]
    Passage,
}

/// Which part of a text stays when it is cut.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Keep {
    /// Its beginning.
    #[default]
    Beginning,
    /// Its end.
    End,
}

impl Encoder {
    /// The vectors of texts behind the prompt of their role, in the order of the
    /// texts. A text that is longer than [`Encoder::max_tokens`] is cut: look at
    /// [`Encoder::tokens_as`] before.
    ///
    /// # Errors
    /// When the tokenizer fails.
    pub fn encode_as<S: AsRef<str> + Sync>(&self, role: Role, texts: &[S]) -> Result<Embeddings> {
        self.encode(self.prompt(role), texts)
    }

    /// Tokens that a text takes up behind the prompt of its role, prompt and
    /// special tokens included, when it is not cut.
    ///
    /// # Errors
    /// When the tokenizer fails.
    pub fn tokens_as(&self, role: Role, text: &str) -> Result<usize> {
        let tokens = self.text_tokens(&format!("{}{text}", self.prompt(role)))?;
        Ok(tokens + self.tokenizer.special_tokens())
    }

    /// Tokens of a text by itself, without prompt and special tokens.
    ///
    /// # Errors
    /// When the tokenizer fails.
    pub fn text_tokens(&self, text: &str) -> Result<usize> {
        self.tokenizer.count(text)
    }

    /// As much of a text as the model reads at once behind the prompt of its
    /// role.
    ///
    /// # Errors
    /// When the tokenizer fails.
    pub fn shortened<'t>(&self, role: Role, text: &'t str, keep: Keep) -> Result<&'t str> {
        if self.tokens_as(role, text)? <= self.max_tokens() {
            return Ok(text);
        }
        let pieces = self.tokenizer.located(text)?;
        let frame = self.tokens_as(role, "")?;
        let mut room = self.max_tokens().saturating_sub(frame).min(pieces.len());
        // A cut within a word can make other pieces of its rest.
        loop {
            let part = match keep {
                Keep::Beginning => {
                    let end = pieces
                        .get(room)
                        .map_or(text.len(), |piece| piece.bytes.start);
                    &text[..text.floor_char_boundary(end)]
                }
                Keep::End => {
                    let first = pieces.get(pieces.len() - room);
                    let start = first.map_or(text.len(), |piece| piece.bytes.start);
                    &text[text.ceil_char_boundary(start)..]
                }
            };
            if room == 0 || self.tokens_as(role, part)? <= self.max_tokens() {
                return Ok(part);
            }
            room -= 1;
        }
    }

    /// Lengths to which a vector may be cut and still be compared, rising, all
    /// below [`Encoder::dimension`]: those that the model directory declares as
    /// trained for (Matryoshka representations, Kusupati et al. 2022).
    pub fn matryoshka(&self) -> &[usize] {
        &self.matryoshka
    }

    fn prompt(&self, role: Role) -> &str {
        match role {
            Role::Query => &self.fingerprint.query_prompt,
            Role::Passage => &self.fingerprint.passage_prompt,
        }
    }
}
