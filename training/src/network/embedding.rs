//! The sum of word, position and segment embeddings, and its gradient.

use super::slices::{Numbers, change};
use super::{Parameters, Tokens};
use candle_core::{Result, bail};
use medsift::encoder::parts::{Architecture, Layout};

/// Position of every token in its text.
fn positions(tokens: &Tokens) -> impl Iterator<Item = usize> {
    tokens
        .bounds()
        .windows(2)
        .flat_map(|pair| 0..pair[1] - pair[0])
}

/// Fails when a token has no row in a table.
pub(super) fn check(tokens: &Tokens, architecture: &Architecture) -> Result<()> {
    let longest = tokens.bounds().windows(2).map(|p| p[1] - p[0]).max();
    if longest.unwrap_or(0) > architecture.max_tokens() {
        bail!(
            "a text of {} tokens is longer than the network's {} positions",
            longest.unwrap_or(0),
            architecture.max_tokens()
        );
    }
    let largest = tokens.ids().iter().max().copied().unwrap_or(0) as usize;
    if largest >= architecture.vocabulary {
        bail!(
            "the token {largest} is not among the network's {}",
            architecture.vocabulary
        );
    }
    let types = architecture.token_types.max(1);
    if (0..tokens.len()).any(|token| tokens.token_type(token) as usize >= types) {
        bail!("the network knows {types} segments, and a text has more");
    }
    Ok(())
}

/// Writes the sum for every token, `tokens × hidden`.
pub(super) fn embed(
    parameters: &Parameters,
    architecture: &Architecture,
    tokens: &Tokens,
    output: &mut [f32],
) -> Result<()> {
    let layout = Layout::of(architecture);
    let hidden = architecture.hidden;
    let table = |name: &String| parameters.get(&format!("{name}.weight"));
    let (words, places) = (table(&layout.words)?, table(&layout.positions)?);
    let types = layout.token_types.as_ref().map(table).transpose()?;
    let words = Numbers::of(&words.value)?;
    let places = Numbers::of(&places.value)?;
    let types = types.map(|types| Numbers::of(&types.value)).transpose()?;
    let row = |table: &[f32], at: usize, out: &mut [f32]| {
        for (out, x) in out.iter_mut().zip(&table[at * hidden..(at + 1) * hidden]) {
            *out += x;
        }
    };
    let rows = output.chunks_exact_mut(hidden).zip(positions(tokens));
    for (token, (out, position)) in rows.enumerate() {
        let id = tokens.ids()[token] as usize;
        out.copy_from_slice(&words[id * hidden..(id + 1) * hidden]);
        row(&places, architecture.first_position + position, out);
        if let Some(types) = &types {
            row(types, tokens.token_type(token) as usize, out);
        }
    }
    Ok(())
}

/// Adds the gradient of the sums to the tables' gradients.
pub(super) fn add_gradient(
    parameters: &Parameters,
    architecture: &Architecture,
    tokens: &Tokens,
    gradient: &[f32],
) -> Result<()> {
    let layout = Layout::of(architecture);
    let hidden = architecture.hidden;
    let scatter = |name: &String, row: &dyn Fn(usize, usize) -> usize| {
        let table = parameters.get(&format!("{name}.weight"))?;
        if !table.trained {
            return Ok(());
        }
        change(&table.gradient, |numbers| {
            let rows = gradient.chunks_exact(hidden).zip(positions(tokens));
            for (token, (from, position)) in rows.enumerate() {
                let at = row(token, position) * hidden;
                for (to, x) in numbers[at..at + hidden].iter_mut().zip(from) {
                    *to += x;
                }
            }
        })
    };
    scatter(&layout.words, &|token, _| tokens.ids()[token] as usize)?;
    scatter(&layout.positions, &|_, position| {
        architecture.first_position + position
    })?;
    if let Some(types) = &layout.token_types {
        scatter(types, &|token, _| tokens.token_type(token) as usize)?;
    }
    Ok(())
}
