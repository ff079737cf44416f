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

/// An API key as the configuration has it: `NAME:SHA256`. The key itself is
/// known to its bearer alone.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct KeyEntry {
    name: String,
    sha256: String,
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
        let refused = |what: &str| {
            let shown = text.split(':').next().unwrap_or_default();
            Err(Error::invalid(
                "server.keys",
                format!("server.keys, entry \"{shown}:…\": {what}; `medsift key NAME` makes one"),
            ))
        };
        let Some((name, sha256)) = text.split_once(':') else {
            return refused("it is not NAME:SHA256");
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
        })
    }
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
        write!(f, "{}:{}", self.name, self.sha256)
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
mod tests {
    use super::*;
    use axum::http::{HeaderName, HeaderValue};

    fn from(name: &'static str, value: &str) -> Option<String> {
        let value = HeaderValue::from_str(value).unwrap();
        given(&HeaderMap::from_iter([(
            HeaderName::from_static(name),
            value,
        )]))
    }

    #[test]
    fn a_key_comes_in_three_ways() {
        let key = Some("abc:d".to_owned());
        assert_eq!(from("authorization", "Bearer abc:d"), key);
        assert_eq!(from("authorization", "bearer  abc:d "), key);
        assert_eq!(from("x-api-key", "abc:d"), key);
        // me:abc:d
        assert_eq!(from("authorization", "Basic bWU6YWJjOmQ="), key);
        for broken in ["Bearer", "Basic ?", "Basic YWJj", "Digest abc"] {
            assert_eq!(from("authorization", broken), None, "{broken}");
        }
    }

    #[test]
    fn an_entry_says_what_is_wrong_with_it_and_not_the_digest() {
        let whole = KeyEntry::new("anna", "secret").unwrap();
        assert_eq!(whole.to_string().parse::<KeyEntry>().unwrap(), whole);
        let digest = hash_of("secret");
        for (entry, what) in [
            (digest.clone(), "NAME:SHA256"),
            (format!(":{digest}"), "letters"),
            (format!("an na:{digest}"), "letters"),
            ("anna:secret".to_owned(), "64 digits"),
            (format!("anna:{}", digest.to_uppercase()), "64 digits"),
        ] {
            let error = entry.parse::<KeyEntry>().unwrap_err().to_string();
            assert!(error.contains(what), "{error}");
            assert!(!error.contains("secret"), "{error}");
        }
    }
}
