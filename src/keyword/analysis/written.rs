//! Words as they are written: folded and taken apart as for ranking, but not
//! stemmed. Truncation, phrases and field searches look words up in this form,
//! as PubMed does.

use super::term::join;
use super::{Analysis, Analyzer, Atom, Chunk, Token, Unit};

impl Unit {
    /// The folded word: neither stemmed nor made singular.
    pub(in crate::keyword) fn verbatim(&self) -> &str {
        self.plural.as_deref().unwrap_or_else(|| self.written())
    }

    /// Its parts that stand at positions of their own.
    fn parts(&self) -> Vec<&str> {
        match self.atoms.as_slice() {
            [] => vec![self.verbatim()],
            atoms => atoms.iter().map(Atom::verbatim).collect(),
        }
    }
}

impl Atom {
    fn verbatim(&self) -> &str {
        self.surface.as_deref().unwrap_or(&self.term)
    }
}

impl Chunk {
    /// The compound in one word, where it can be one.
    fn written_whole(&self) -> Option<String> {
        self.whole.as_ref()?;
        let parts: Vec<&str> = self.units.iter().map(Unit::verbatim).collect();
        join(&parts)
    }
}

impl Analysis {
    /// The tokens that an index of words as written holds for the text, at the
    /// positions that [`Analysis::tokens`] gives their stems.
    pub(super) fn written_tokens(&self) -> Vec<Token> {
        let mut tokens = Vec::with_capacity(self.chunks.len() + 8);
        let mut position = 0;
        for chunk in &self.chunks {
            let mut push = |term: &str, position: usize| {
                tokens.push(Token {
                    term: term.to_owned(),
                    range: chunk.range.clone(),
                    position,
                });
            };
            if let Some(whole) = chunk.written_whole() {
                push(&whole, position);
            }
            for unit in &chunk.units {
                let parts = unit.parts();
                if parts.len() > 1 {
                    push(unit.verbatim(), position);
                }
                for (part, at) in parts.iter().zip(position..) {
                    push(part, at);
                }
                position += parts.len();
            }
        }
        tokens
    }
}

/// A word of a query, taken apart.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(in crate::keyword) struct Written {
    /// What stands at following positions.
    pub(in crate::keyword) parts: Vec<String>,
    /// The same in one word, for a compound.
    pub(in crate::keyword) whole: Option<String>,
}

impl Analyzer {
    /// The words of a query as an index of words as written holds them.
    pub(in crate::keyword) fn written(&mut self, text: &str) -> Vec<Written> {
        let analysis = self.analyze(text);
        let chunks = analysis.chunks.iter();
        let written = chunks.map(|chunk| Written {
            parts: chunk
                .units
                .iter()
                .flat_map(Unit::parts)
                .map(str::to_owned)
                .collect(),
            whole: chunk.written_whole(),
        });
        written.collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tokens(text: &str) -> Vec<String> {
        let tokens = Analyzer::new().analyze(text).written_tokens();
        let written = tokens
            .iter()
            .map(|token| format!("{}@{}", token.term, token.position));
        written.collect()
    }

    #[test]
    fn words_stay_as_they_are() {
        assert_eq!(
            tokens("Vaccinated mice, vaccines"),
            ["vaccinated@0", "mice@1", "vaccines@2"]
        );
        assert_eq!(
            tokens("SNPs and an SNP"),
            ["snps@0", "and@1", "an@2", "snp@3"]
        );
        assert_eq!(
            tokens("VACCINATED MICE STAYED WELL")[..2],
            ["vaccinated@0", "mice@1"]
        );
    }

    #[test]
    fn compounds_have_parts_at_following_positions() {
        assert_eq!(tokens("IL-2 x"), ["il2@0", "il@0", "2@1", "x@2"]);
        assert_eq!(tokens("IL2 x"), ["il2@0", "il@0", "2@1", "x@2"]);
        assert_eq!(tokens("TNF-α"), ["tnfalpha@0", "tnf@0", "alpha@1"]);
        assert_eq!(
            tokens("anti-inflammatories"),
            ["antiinflammatories@0", "anti@0", "inflammatories@1"]
        );
    }

    #[test]
    fn a_query_is_taken_apart_as_texts_are() {
        let written = Analyzer::new().written("Anti-IL2 antibodies");
        assert_eq!(written[0].parts, ["anti", "il", "2"]);
        assert_eq!(written[0].whole.as_deref(), Some("antiil2"));
        assert_eq!(written[1].parts, ["antibodies"]);
        assert_eq!(written[1].whole, None);
    }
}
