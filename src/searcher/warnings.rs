use super::Searcher;
use super::findings::Asked;
use super::retrieve::Candidates;
use crate::encoder::Encoder;
use crate::error::{Error, Result};
use crate::keyword::{KeywordMatches, UnknownValue};
use crate::query::{Filter, Mode, Query};
use std::borrow::Cow;

impl Searcher {
    /// The query as this searcher can answer it. Without an encoder a query
    /// that names no mode is answered by its words.
    ///
    /// # Errors
    ///
    /// `InvalidInput` where a mode was asked for that needs the encoder.
    pub(super) fn answerable<'q>(&self, query: &'q Query) -> Result<Cow<'q, Query>> {
        match self.check_mode(query) {
            Err(_) if !query.mode_is_asked() => Ok(Cow::Owned(query.in_mode(Mode::Keyword))),
            checked => checked.map(|()| Cow::Borrowed(query)),
        }
    }

    /// Refuses a mode that needs an encoder where there is none, or words
    /// where the query has none.
    pub(super) fn check_mode(&self, query: &Query) -> Result<()> {
        if query.mode() == Mode::Semantic && query.words().is_empty() {
            return Err(Error::invalid(
                "mode",
                "mode semantic ranks by words, and the query has none but names, dates and \
                 filters: use mode keyword",
            ));
        }
        if query.mode() == Mode::Keyword || self.encoder().is_some() {
            return Ok(());
        }
        Err(Error::invalid(
            "mode",
            format!(
                "mode {} needs the model {}, which is not open: use mode keyword, or start medsift \
                 with that model (--model DIR)",
                query.mode().as_str(),
                self.commit.model
            ),
        ))
    }

    /// Values of a filter that no article has.
    pub(super) fn unknown_filter_values(&self, filter: &Filter) -> Result<Vec<String>> {
        let unknown = self.keyword.unknown_values(filter)?;
        Ok(unknown.iter().map(unknown_value).collect())
    }

    /// What the user should know of how the query was read. `asked` is the
    /// query as it came, `query` as it was answered.
    pub(super) fn warnings(
        &self,
        asked: &Query,
        query: &Query,
        candidates: &Candidates,
    ) -> Result<Vec<String>> {
        let mut warnings = Vec::new();
        if asked.mode() != query.mode() {
            warnings.push(format!(
                "only the words were searched, not the meaning: the model {} is not open; start \
                 medsift with it (--model DIR), or use mode keyword",
                self.commit.model
            ));
        }
        warnings.extend_from_slice(query.warnings());
        if let Some(selection) = &candidates.selection {
            warnings.extend_from_slice(&selection.warnings);
        }
        warnings.extend(self.unknown_filter_values(query.filter())?);
        warnings.extend(self.not_enriched(Asked::of(query))?);
        if let (Some(matches), None) = (&candidates.keyword, &candidates.selection) {
            warnings.extend(words(matches));
        }
        if let (Some(_), Some(encoder)) = (&candidates.semantic, self.encoder()) {
            warnings.extend(cut(encoder, query)?);
        }
        Ok(warnings)
    }
}

/// A filter that nothing passes would otherwise look like a search that finds
/// nothing; the likest value is named, never put in its place.
fn unknown_value(unknown: &UnknownValue) -> String {
    let UnknownValue {
        kind,
        value,
        nearest,
    } = unknown;
    let hint = nearest
        .as_ref()
        .map_or_else(String::new, |near| format!("; did you mean `{near}`?"));
    format!("no article in this index has {kind} `{value}`{hint}")
}

/// What became of the query's words.
fn words(matches: &KeywordMatches) -> Vec<String> {
    let notes = &matches.notes;
    let mut warnings = Vec::new();
    if notes.only_stop_words {
        let words = "the query has only very common words: they were searched as words";
        warnings.push(words.to_owned());
    }
    if !notes.in_parts.is_empty() {
        warnings.push(format!(
            "no article holds {} as a whole: the parts were searched",
            notes.in_parts.join(", ")
        ));
    }
    if !notes.unknown.is_empty() {
        warnings.push(format!("no article holds: {}", notes.unknown.join(", ")));
    }
    warnings
}

/// Whether the model read only the beginning of the query.
fn cut(encoder: &Encoder, query: &Query) -> Result<Option<String>> {
    let warning = format!(
        "the query is longer than the {} tokens that the model reads: the semantic side took its \
         beginning only",
        encoder.max_tokens()
    );
    Ok(encoder.cuts_query(query.words())?.then_some(warning))
}
