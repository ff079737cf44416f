//! Passages for a question, to be read by a language model: the best of an
//! index that fit a budget of tokens, different from each other, each with the
//! place that it comes from and a citation.

mod choose;
mod diversity;
mod gather;
mod request;
mod response;
#[cfg(test)]
mod tests;

pub use request::{PassageQuery, PassageRequest, PassageSettings};
pub use response::{PassagesResponse, PassagesTook, RetrievedPassage};

use super::{Searcher, rank};
use crate::error::{Error, ErrorKind, Result};
use crate::query::Mode;
use crate::trace::stage;
use choose::Chooser;
use std::time::Instant;

/// What whoever asks is told where the index was opened without its model.
pub const NO_TOKENIZER: &str = "passages cannot be fitted to a budget: the model of the index, \
                                whose tokenizer counts, is not open; start medsift with it \
                                (--model DIR)";

impl Searcher {
    /// The passages for a question.
    ///
    /// Articles are found as by [`Searcher::search`]; the passages of the best
    /// [`PassageSettings::articles`] of them compete. They are taken by maximal
    /// marginal relevance (Carbonell and Goldstein 1998) over their vectors, for
    /// as long as the budget lasts. Neighbouring windows of an article become
    /// one passage. What is larger than the rest of the budget is cut at the end
    /// of a sentence, and says so; where not even a few sentences fit it is
    /// passed over for something smaller.
    ///
    /// # Errors
    ///
    /// `NotFound` where the index was opened without its model, and as
    /// [`Searcher::search`].
    pub fn passages(&self, asked: &PassageQuery) -> Result<PassagesResponse> {
        let start = Instant::now();
        let encoder = self.encoder().map(AsRef::as_ref);
        let encoder = encoder.ok_or_else(|| Error::new(ErrorKind::NotFound, NO_TOKENIZER))?;
        let query = &asked.query;
        self.check_mode(query)?;
        let vector = self.embed(query)?;
        let candidates = self.retrieve(query, vector.as_deref())?;
        let warnings = self.warnings(query, query, &candidates)?;
        let mut ranked = rank(query, &candidates);
        ranked.truncate(self.settings.passages.articles);
        let searched = Instant::now();
        self.deadline.check()?;
        let _stage = stage!("choose");
        let sources = self.sources(&ranked)?;
        let rows = self.gather(query, &sources, vector.as_deref());
        let count = |text: &str| encoder.text_tokens(text);
        let chosen = Chooser::new(asked, &sources, &rows, &count).run()?;
        let end = Instant::now();
        let millis = |from: Instant, to: Instant| (to - from).as_secs_f64() * 1e3;
        let passages = response::passages(&sources, &chosen.passages, &count)?;
        Ok(PassagesResponse {
            question: query.text().to_owned(),
            mode: query.mode(),
            filter: query.filter().clone(),
            fusion: (query.mode() == Mode::Hybrid).then(|| query.fusion().clone()),
            budget: asked.budget,
            tokens: passages.iter().map(|passage| passage.tokens).sum(),
            citation_tokens: response::citation_tokens(&passages),
            citations_counted: asked.count_citations,
            tokenizer: encoder.fingerprint().name.clone(),
            diversity: asked.diversity,
            passages,
            candidates: rows.len(),
            passed_over: chosen.passed_over,
            warnings,
            model: self.commit.model.name.clone(),
            generation: self.generation(),
            took: PassagesTook {
                total_ms: millis(start, end),
                search_ms: millis(start, searched),
                choose_ms: millis(searched, end),
            },
        })
    }
}
