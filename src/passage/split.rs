//! Cutting an article into passages.

use super::sentence::sentence_starts;
use super::{Passage, join};
use crate::encoder::Encoder;
use crate::{Article, Result};
use std::ops::Range;

/// The passages of an article: none when it has neither title nor text.
///
/// Windows end at sentence ends; a sentence that is longer than a window is
/// cut at the ends of words, and a word that is longer still between its
/// pieces. Sections of a full text have passages of their own. A title that
/// takes up more than half a window is cut in front of the text, and gets
/// passages of its own, with an empty range, which hold the whole of it.
///
/// The ranges cover the running text, white space apart, in order and without
/// overlap; no passage is longer than the encoder's limit.
///
/// # Errors
/// When the tokenizer fails.
pub fn split_passages(article: &Article, encoder: &Encoder) -> Result<Vec<Passage>> {
    let title = article.display_title().plain.trim();
    let running = article.running_text();
    let mut passages = Passages::default();
    let mut prefix = title;
    let title_pieces = Pieces::of(title, encoder)?;
    if !title_pieces.fits(0..title.len(), encoder.room()? / 2) {
        for window in windows(
            title,
            0..title.len(),
            &title_pieces,
            "",
            encoder,
            usize::MAX,
        )? {
            passages.push(0..0, title[window].to_owned());
        }
        let start = windows(
            title,
            0..title.len(),
            &title_pieces,
            "",
            encoder,
            encoder.room()? / 2,
        )?;
        prefix = start.first().map_or("", |window| &title[window.clone()]);
    }
    if running.text.trim().is_empty() {
        if passages.0.is_empty() && !title.is_empty() {
            passages.push(0..0, title.to_owned());
        }
        return Ok(passages.0);
    }
    let text = running.text.as_str();
    let pieces = Pieces::of(text, encoder)?;
    for part in parts(article, &running.sections) {
        for window in windows(text, part, &pieces, prefix, encoder, usize::MAX)? {
            let passage = join(prefix, &text[window.clone()]);
            passages.push(window, passage);
        }
    }
    Ok(passages.0)
}

#[derive(Default)]
struct Passages(Vec<Passage>);

impl Passages {
    fn push(&mut self, range: Range<usize>, text: String) {
        self.0.push(Passage {
            ordinal: self.0.len() as u32,
            range: range.start as u32..range.end as u32,
            text,
        });
    }
}

/// Stretches of running text that share no passage: the abstract as a whole,
/// and each section of a full text.
fn parts(article: &Article, sections: &[Range<usize>]) -> Vec<Range<usize>> {
    let body = article
        .body
        .iter()
        .filter(|section| !section.text.is_empty())
        .count();
    let (head, body) = sections.split_at(sections.len().saturating_sub(body));
    let head = match (head.first(), head.last()) {
        (Some(first), Some(last)) => Some(first.start..last.end),
        _ => None,
    };
    head.into_iter().chain(body.iter().cloned()).collect()
}

/// Where a text's tokens begin.
struct Pieces(Vec<usize>);

impl Pieces {
    fn of(text: &str, encoder: &Encoder) -> Result<Self> {
        Ok(Self(encoder.token_starts(text)?))
    }

    /// Whether a range holds at most so many tokens.
    fn fits(&self, range: Range<usize>, tokens: usize) -> bool {
        self.limit(range.start, range.end, tokens) == range.end
    }

    /// The farthest end of a window of so many tokens.
    fn limit(&self, start: usize, end: usize, tokens: usize) -> usize {
        let first = self.0.partition_point(|&at| at < start);
        match self.0.get(first.saturating_add(tokens)) {
            Some(&over) => over.min(end),
            None => end,
        }
    }
}

/// Cuts a stretch of text into windows that fit behind a title, and that hold
/// at most `most` tokens.
///
/// Token counts are first taken from the whole text, and then checked on each
/// finished passage: a few tokenizers see a text differently in pieces.
fn windows(
    text: &str,
    part: Range<usize>,
    pieces: &Pieces,
    title: &str,
    encoder: &Encoder,
    most: usize,
) -> Result<Vec<Range<usize>>> {
    let room = encoder
        .max_tokens()
        .saturating_sub(encoder.token_count(title)?);
    let sentences: Vec<usize> = sentence_starts(&text[part.clone()])
        .into_iter()
        .map(|start| part.start + start)
        .collect();
    let mut windows = Vec::new();
    let mut start = part.start;
    while start < part.end {
        let mut tokens = room.min(most).max(1);
        loop {
            let limit = pieces.limit(start, part.end, tokens);
            let end = cut(text, start, part.end, limit, &sentences);
            let window = trimmed(text, start..end);
            let fits = window.is_empty()
                || encoder.token_count(&join(title, &text[window.clone()]))?
                    <= encoder.max_tokens();
            if fits || tokens == 1 {
                if !window.is_empty() {
                    windows.push(window);
                }
                start = end;
                break;
            }
            tokens -= tokens.div_ceil(16).min(tokens - 1);
        }
    }
    Ok(windows)
}

/// The best end of a window that begins at `start` and reaches at most to
/// `limit`: a sentence end, else the end of a word, else `limit` itself.
fn cut(text: &str, start: usize, end: usize, limit: usize, sentences: &[usize]) -> usize {
    if limit >= end {
        return end;
    }
    let before = sentences.partition_point(|&at| at <= limit);
    if let Some(&sentence) = sentences[..before].last()
        && sentence > start
    {
        return sentence;
    }
    let limit = text.floor_char_boundary(limit);
    if let Some((space, _)) = text[start..limit]
        .char_indices()
        .rev()
        .find(|(at, c)| c.is_whitespace() && !text[start..start + at].trim().is_empty())
    {
        return start + space;
    }
    if limit > start {
        return limit;
    }
    text.ceil_char_boundary(start + 1)
}

fn trimmed(text: &str, range: Range<usize>) -> Range<usize> {
    let inner = &text[range.clone()];
    let start = range.start + (inner.len() - inner.trim_start().len());
    start..start + inner.trim().len()
}
