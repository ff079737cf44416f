use super::rate::Limit;
use axum::http::HeaderMap;
use axum::http::header::AUTHORIZATION;
use base64::Engine;
use base64::prelude::BASE64_STANDARD;
use medsift::digest::sha256;
use medsift::{Error, Result};
use serde::{Deserialize, Serialize};
use std::collections::HashMap;
use std::fmt;
use std::str::FromStr;

/// Digits of a digest.
const DIGITS: usize = 64;

/// An API key as the configuration has it: `NAME:SHA256`, and behind it, where
/// the key has a limit of its own, `:PER_MINUTE` or `:PER_MINUTE:BURST`. The key
/// itself is known to its bearer alone.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct KeyEntry {
    name: String,
    sha256: String,
    own: Option<Limit>,
}

/// What the configuration keeps of a key. Keys are long and random, so that a
/// plain digest of them cannot be turned back.
pub fn hash_of(key: &str) -> String {
    sha256(key.as_bytes())
}

impl KeyEntry {
    /// An entry for a key.
    ///
    /// # Errors
    /// When the name is empty or has other characters than letters, digits,
    /// `-`, `_` and `.`.
    pub fn new(name: &str, key: &str) -> Result<Self> {
        format!("{name}:{}", hash_of(key)).parse()
    }
}

impl FromStr for KeyEntry {
    type Err = Error;

    fn from_str(text: &str) -> Result<Self> {
        let name = text.split(':').next().unwrap_or_default();
        let refused = |what: &str| {
            Err(fault(
                name,
                &format!("{what}; `medsift key NAME` makes one"),
            ))
        };
        let Some((_, rest)) = text.split_once(':') else {
            // It may be the key itself.
            return Err(fault(
                "",
                "it is not NAME:SHA256; `medsift key NAME` makes one",
            ));
        };
        let (sha256, own) = match rest.split_once(':') {
            Some((sha256, own)) => (sha256, Some(own)),
            None => (rest, None),
        };
        let plain = |c: char| c.is_ascii_alphanumeric() || "-_.".contains(c);
        if name.is_empty() || !name.chars().all(plain) {
            return refused("a name has letters, digits, `-`, `_` and `.`");
        }
        let digit = |c: char| c.is_ascii_digit() || ('a'..='f').contains(&c);
        if sha256.len() != DIGITS || !sha256.chars().all(digit) {
            return refused("behind the colon stand 64 digits from 0 to f");
        }
        Ok(Self {
            name: name.to_owned(),
            sha256: sha256.to_owned(),
            own: own.map(|own| limit(name, own)).transpose()?,
        })
    }
}

/// Reads `PER_MINUTE` or `PER_MINUTE:BURST`.
fn limit(name: &str, text: &str) -> Result<Limit> {
    let (per_minute, burst) = text.split_once(':').unwrap_or((text, "0"));
    match (per_minute.parse(), burst.parse()) {
        (Ok(per_minute), Ok(burst)) => Ok(Limit { per_minute, burst }),
        _ => Err(fault(
            name,
            "behind the digest may stand :PER_MINUTE or :PER_MINUTE:BURST, two whole numbers",
        )),
    }
}

/// An entry that is refused; its digest is not told.
fn fault(name: &str, what: &str) -> Error {
    Error::invalid(
        "server.keys",
        format!("server.keys, entry \"{name}:…\": {what}"),
    )
}

/// Refuses keys of one name with different limits: they count as one client.
///
/// # Errors
/// `InvalidInput`, with the name.
pub(crate) fn check(entries: &[KeyEntry]) -> Result<()> {
    for (place, entry) in entries.iter().enumerate() {
        let other = |earlier: &&KeyEntry| earlier.name == entry.name && earlier.own != entry.own;
        if entries[..place].iter().any(|earlier| other(&earlier)) {
            let what = "there are entries of this name with different limits: give them the same";
            return Err(fault(&entry.name, what));
        }
    }
    Ok(())
}

impl TryFrom<String> for KeyEntry {
    type Error = Error;

    fn try_from(text: String) -> Result<Self> {
        text.parse()
    }
}

impl From<KeyEntry> for String {
    fn from(entry: KeyEntry) -> Self {
        entry.to_string()
    }
}

impl fmt::Display for KeyEntry {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}", self.name, self.sha256)?;
        match self.own {
            None => Ok(()),
            Some(Limit {
                per_minute,
                burst: 0,
            }) => write!(f, ":{per_minute}"),
            Some(Limit { per_minute, burst }) => write!(f, ":{per_minute}:{burst}"),
        }
    }
}

/// The configured keys.
pub(super) struct Keys {
    /// Names by digest. Looking a digest up takes a time that says something
    /// of the digest, and nothing of a key.
    names: HashMap<String, String>,
}

impl Keys {
    pub(super) fn new(entries: &[KeyEntry]) -> Self {
        let pairs = entries.iter().cloned();
        Self {
            names: pairs.map(|entry| (entry.sha256, entry.name)).collect(),
        }
    }

    /// The limits of those names that have one of their own.
    pub(super) fn limits(entries: &[KeyEntry]) -> impl Iterator<Item = (String, Limit)> {
        let own = |entry: &KeyEntry| Some((entry.name.clone(), entry.own?));
        entries.iter().filter_map(own)
    }

    /// Whether a request needs a key.
    pub(super) fn are_needed(&self) -> bool {
        !self.names.is_empty()
    }

    /// The name of a key.
    pub(super) fn name(&self, key: &str) -> Option<&str> {
        self.names.get(&hash_of(key)).map(String::as_str)
    }
}

/// The key that a request brings: as bearer token (RFC 6750), in `X-API-Key`,
/// or as password of basic authentication (RFC 7617), which browsers ask for.
pub(super) fn given(headers: &HeaderMap) -> Option<String> {
    if let Some(key) = headers.get("x-api-key") {
        return key.to_str().ok().map(str::to_owned);
    }
    let header = headers.get(AUTHORIZATION)?.to_str().ok()?;
    let (scheme, rest) = header.split_once(' ')?;
    let rest = rest.trim();
    if scheme.eq_ignore_ascii_case("bearer") {
        return Some(rest.to_owned());
    }
    if !scheme.eq_ignore_ascii_case("basic") {
        return None;
    }
    let pair = String::from_utf8(BASE64_STANDARD.decode(rest).ok()?).ok()?;
    pair.split_once(':').map(|(_, key)| key.to_owned())
}

#[cfg(test)]
mod tests;
