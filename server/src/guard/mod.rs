//! Who may ask, and how often.
//!
//! With API keys in the configuration, everything but the health checks needs
//! one; without, everybody may ask. Either way a client may ask only so often:
//! a key by its name, anybody else by address.

mod keys;
mod rate;

pub use keys::{KeyEntry, hash_of};

use crate::error::ApiError;
use axum::http::{HeaderMap, StatusCode};
use keys::Keys;
use rate::Rates;
use std::net::IpAddr;
use std::time::Duration;

/// Who asks.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(crate) enum Client {
    /// The bearer of a key, by its name in the configuration.
    Key(String),
    /// Somebody without a key.
    Address(IpAddr),
}

/// Why somebody is sent away.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Refusal {
    /// There is no key in the request.
    NoKey,
    /// The key is none of the configured ones.
    UnknownKey,
    /// It was asked too often; the time after which it may again.
    TooOften(Duration),
}

/// The door.
pub(crate) struct Guard {
    keys: Keys,
    rates: Option<Rates>,
}

impl Guard {
    /// Lets in the bearers of keys or, where there are none, everybody; each so
    /// often in a minute (0: without limit) and so often at once (0: as often as
    /// in a minute).
    pub(crate) fn new(keys: &[KeyEntry], requests_per_minute: u32, burst: u32) -> Self {
        Self {
            keys: Keys::new(keys),
            rates: Rates::new(requests_per_minute, burst),
        }
    }

    /// Lets a request pass, or says why not.
    pub(crate) fn admit(&self, headers: &HeaderMap, from: IpAddr) -> Result<Client, Refusal> {
        let client = if self.keys.are_needed() {
            let given = keys::given(headers).ok_or(Refusal::NoKey);
            // A wrong key counts for the address, so that nobody can try many.
            let named = given.map(|key| self.keys.name(&key));
            match named {
                Ok(Some(name)) => Client::Key(name.to_owned()),
                other => {
                    self.count(&Client::Address(from))?;
                    return Err(other.err().unwrap_or(Refusal::UnknownKey));
                }
            }
        } else {
            Client::Address(from)
        };
        self.count(&client)?;
        Ok(client)
    }

    /// Counts one more for a client that was let in: a request may ask for
    /// several things that are requests by themselves.
    pub(crate) fn count(&self, client: &Client) -> Result<(), Refusal> {
        let Some(rates) = &self.rates else {
            return Ok(());
        };
        rates.count(client).map_err(Refusal::TooOften)
    }
}

impl Refusal {
    /// What the client is told.
    pub(crate) fn error(self) -> ApiError {
        match self {
            Self::NoKey => ApiError::new(
                StatusCode::UNAUTHORIZED,
                "key_missing",
                "this server needs an API key: send `Authorization: Bearer KEY`, or the key as \
                 the password of basic authentication",
            ),
            Self::UnknownKey => ApiError::new(
                StatusCode::UNAUTHORIZED,
                "key_unknown",
                "the API key is not one of this server's: ask its operator for one",
            ),
            Self::TooOften(wait) => ApiError::new(
                StatusCode::TOO_MANY_REQUESTS,
                "too_many_requests",
                format!("too many requests: try again in {} s", seconds(wait)),
            ),
        }
    }
}

/// Whole seconds, rounded up, at least one.
pub(crate) fn seconds(wait: Duration) -> u64 {
    (wait.as_secs_f64().ceil() as u64).max(1)
}

#[cfg(test)]
mod tests {
    use super::*;
    use axum::http::HeaderValue;
    use axum::http::header::AUTHORIZATION;
    use std::net::Ipv4Addr;

    const HERE: IpAddr = IpAddr::V4(Ipv4Addr::LOCALHOST);

    fn bearer(key: &str) -> HeaderMap {
        let value = HeaderValue::from_str(&format!("Bearer {key}")).unwrap();
        HeaderMap::from_iter([(AUTHORIZATION, value)])
    }

    fn guard(keys: &[&str], requests_per_minute: u32, burst: u32) -> Guard {
        let keys = keys.iter().map(|name| KeyEntry::new(name, name).unwrap());
        Guard::new(&keys.collect::<Vec<_>>(), requests_per_minute, burst)
    }

    #[test]
    fn without_keys_everybody_may_ask() {
        let guard = guard(&[], 0, 0);
        let client = guard.admit(&HeaderMap::new(), HERE);
        assert_eq!(client, Ok(Client::Address(HERE)));
    }

    #[test]
    fn with_keys_only_their_bearers_may() {
        let guard = guard(&["anna", "bert"], 0, 0);
        assert_eq!(
            guard.admit(&bearer("bert"), HERE),
            Ok(Client::Key("bert".into()))
        );
        assert_eq!(guard.admit(&HeaderMap::new(), HERE), Err(Refusal::NoKey));
        assert_eq!(guard.admit(&bearer("carl"), HERE), Err(Refusal::UnknownKey));
    }

    #[test]
    fn a_burst_is_let_through_and_what_comes_behind_it_waits() {
        let guard = guard(&["anna", "bert"], 6, 3);
        for _ in 0..3 {
            assert!(guard.admit(&bearer("anna"), HERE).is_ok());
        }
        let Err(Refusal::TooOften(wait)) = guard.admit(&bearer("anna"), HERE) else {
            panic!("it was let through");
        };
        assert!((1..=10).contains(&seconds(wait)), "{wait:?}");
        // Each client has its own measure.
        assert!(guard.admit(&bearer("bert"), HERE).is_ok());
    }

    #[test]
    fn keys_cannot_be_guessed_without_end() {
        let guard = guard(&["anna"], 6, 2);
        let guess = |key: &str| guard.admit(&bearer(key), HERE);
        assert_eq!(
            [guess("a"), guess("b")],
            [Err(Refusal::UnknownKey), Err(Refusal::UnknownKey)]
        );
        assert!(matches!(guess("c"), Err(Refusal::TooOften(_))));
    }
}
