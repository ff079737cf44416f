//! Who may ask, and how often.
//!
//! With API keys in the configuration, everything but the health checks and the
//! style of the pages needs one; without, everybody may ask. Either way a client
//! may ask only so often:
//! a key by its name, anybody else by address. Beside that there is a limit for
//! each address, whatever keys its requests bring.

mod keys;
mod rate;

pub(crate) use keys::check;
pub use keys::{KeyEntry, hash_of};
pub(crate) use rate::Limit;

use crate::error::ApiError;
use axum::http::{HeaderMap, StatusCode};
use keys::Keys;
use rate::Rates;
use std::collections::HashMap;
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

/// Somebody who was let in, and where the request comes from.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Admitted {
    client: Client,
    from: IpAddr,
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
    /// Those of keys that have a limit of their own, be it none, by name.
    own: HashMap<String, Option<Rates>>,
    /// Those of addresses, whoever asks from there.
    addresses: Option<Rates>,
}

impl Guard {
    /// Lets in the bearers of keys or, where there are none, everybody, each as
    /// often as `each` says, and as often from one address as `address` does.
    pub(crate) fn new(keys: &[KeyEntry], each: Limit, address: Limit) -> Self {
        let own = Keys::limits(keys);
        Self {
            keys: Keys::new(keys),
            rates: Rates::new(each),
            own: own.map(|(name, own)| (name, Rates::new(own))).collect(),
            addresses: Rates::new(address),
        }
    }

    /// Lets a request pass, or says why not.
    pub(crate) fn admit(&self, headers: &HeaderMap, from: IpAddr) -> Result<Admitted, Refusal> {
        let by_address = |client| Admitted { client, from };
        let client = if self.keys.are_needed() {
            let given = keys::given(headers).ok_or(Refusal::NoKey);
            // A wrong key counts for the address, so that nobody can try many.
            let named = given.map(|key| self.keys.name(&key));
            match named {
                Ok(Some(name)) => Client::Key(name.to_owned()),
                other => {
                    self.count(&by_address(Client::Address(from)))?;
                    return Err(other.err().unwrap_or(Refusal::UnknownKey));
                }
            }
        } else {
            Client::Address(from)
        };
        let admitted = by_address(client);
        self.count(&admitted)?;
        Ok(admitted)
    }

    /// Counts one more for somebody who was let in: a request may ask for
    /// several things that are requests by themselves.
    pub(crate) fn count(&self, admitted: &Admitted) -> Result<(), Refusal> {
        let Admitted { client, from } = admitted;
        let of_client = match client {
            Client::Key(name) => match self.own.get(name) {
                Some(own) => own.as_ref(),
                None => self.rates.as_ref(),
            },
            Client::Address(_) => self.rates.as_ref(),
        };
        let address = Client::Address(*from);
        let limits = [(self.addresses.as_ref(), &address), (of_client, client)];
        for (rates, whom) in limits {
            let counted = rates.map_or(Ok(()), |rates| rates.count(whom));
            counted.map_err(Refusal::TooOften)?;
        }
        Ok(())
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
mod tests;
