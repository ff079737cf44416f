use crate::guard::{self, Guard, KeyEntry, Limit};
use medsift::{Error, Result};
use serde::{Deserialize, Serialize};
use std::net::{Ipv4Addr, SocketAddr};
use std::thread;
use std::time::Duration;

/// Settings of the server: the `[server]` table of `config/server.toml`.
///
/// Every key may be left out; a key that is not known is an error.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct ServerConfig {
    /// Address and port to listen on; port 0 takes any that is free.
    pub bind: SocketAddr,
    /// Searches that run at once; 0 stands for one per core.
    pub cpu_threads: usize,
    /// Searches that may wait for their turn; further ones are refused with
    /// 503 and `Retry-After`.
    pub queue: usize,
    /// Longest time a request may wait and run, in milliseconds; after it the
    /// answer is 504.
    pub request_timeout_ms: u64,
    /// Largest request body in bytes; larger ones are refused with 413.
    pub body_limit_bytes: usize,
    /// Most texts that a request for embeddings may hold; more are refused
    /// with 413.
    pub embed_inputs: usize,
    /// Most characters of all texts of such a request.
    pub embed_chars: usize,
    /// API keys, each as `NAME:SHA256` (`medsift key NAME` makes one), with
    /// `:PER_MINUTE` or `:PER_MINUTE:BURST` behind it for a limit of its own. With
    /// any, every request but a health check needs one.
    pub keys: Vec<KeyEntry>,
    /// Requests that a client may send in a minute; 0 for no limit. A client is
    /// a key or, without keys, an address.
    pub requests_per_minute: u32,
    /// Requests that a client may send at once; 0 for as many as in a minute.
    pub burst: u32,
    /// Requests that may come from an address in a minute, whatever keys they
    /// bring, beside the limit of the client; 0 for no limit.
    pub address_requests_per_minute: u32,
    /// Requests that may come from an address at once; 0 for as many as in a
    /// minute.
    pub address_burst: u32,
    /// Whether a proxy of the operator's own stands before the server, whose
    /// `X-Forwarded-For` says who asks.
    pub behind_proxy: bool,
    /// Origins whose pages may ask this server from a browser
    /// (`https://example.org`), or `*` for any; none where it is empty.
    pub cors_origins: Vec<String>,
}

impl Default for ServerConfig {
    fn default() -> Self {
        Self {
            bind: SocketAddr::from((Ipv4Addr::LOCALHOST, 8080)),
            cpu_threads: 0,
            queue: 64,
            request_timeout_ms: 30_000,
            body_limit_bytes: 1 << 20,
            embed_inputs: 256,
            embed_chars: 400_000,
            keys: Vec::new(),
            requests_per_minute: 0,
            burst: 0,
            address_requests_per_minute: 0,
            address_burst: 0,
            behind_proxy: false,
            cors_origins: Vec::new(),
        }
    }
}

impl ServerConfig {
    /// Most threads that [`cpu_threads`](Self::cpu_threads) may ask for.
    const MAX_THREADS: usize = 1024;

    /// Refuses values that no server can run with.
    pub fn check(&self) -> Result<()> {
        if self.cpu_threads > Self::MAX_THREADS {
            return Err(Error::invalid(
                "server.cpu_threads",
                format!(
                    "server.cpu_threads is {}: use 0 (one per core) to {}",
                    self.cpu_threads,
                    Self::MAX_THREADS
                ),
            ));
        }
        if self.request_timeout_ms == 0 {
            return Err(Error::invalid(
                "server.request_timeout_ms",
                "server.request_timeout_ms is 0: every request would time out; use at least 1",
            ));
        }
        if self.body_limit_bytes == 0 {
            return Err(Error::invalid(
                "server.body_limit_bytes",
                "server.body_limit_bytes is 0: no search could be posted; use at least 1",
            ));
        }
        for (field, most) in [
            ("server.embed_inputs", self.embed_inputs),
            ("server.embed_chars", self.embed_chars),
        ] {
            if most == 0 {
                let what = format!("{field} is 0: nothing could be embedded; use at least 1");
                return Err(Error::invalid(field, what));
            }
        }
        guard::check(&self.keys)?;
        for origin in &self.cors_origins {
            if !is_origin(origin) {
                return Err(Error::invalid(
                    "server.cors_origins",
                    format!(
                        "server.cors_origins holds {origin:?}: use a scheme, a host and maybe a \
                         port, such as https://example.org, without a path; or *"
                    ),
                ));
            }
        }
        Ok(())
    }

    /// Searches that run at once.
    pub(crate) fn threads(&self) -> usize {
        match self.cpu_threads {
            0 => thread::available_parallelism().map_or(1, usize::from),
            threads => threads,
        }
    }

    /// Who may ask, and how often.
    pub(crate) fn guard(&self) -> Guard {
        let limit = |per_minute, burst| Limit { per_minute, burst };
        Guard::new(
            &self.keys,
            limit(self.requests_per_minute, self.burst),
            limit(self.address_requests_per_minute, self.address_burst),
        )
    }

    /// Longest time a request may wait and run.
    pub(crate) fn request_timeout(&self) -> Duration {
        Duration::from_millis(self.request_timeout_ms)
    }
}

/// As browsers write an origin: anything else would never match.
fn is_origin(text: &str) -> bool {
    let host = ["http://", "https://"]
        .into_iter()
        .find_map(|scheme| text.strip_prefix(scheme));
    let is_host = |host: &str| {
        let mut bytes = host.bytes();
        !host.is_empty() && bytes.all(|b| b.is_ascii_graphic() && !b"/?#@*".contains(&b))
    };
    text == "*" || (host.is_some_and(is_host) && text == text.to_ascii_lowercase())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[derive(Deserialize)]
    #[serde(deny_unknown_fields)]
    struct File {
        server: ServerConfig,
    }

    fn read(text: &str) -> std::result::Result<ServerConfig, String> {
        toml::from_str::<File>(text)
            .map(|file| file.server)
            .map_err(|error| error.to_string())
    }

    #[test]
    fn the_shipped_file_names_every_key_with_its_default() {
        let text = include_str!("../../config/server.toml");
        assert_eq!(read(text).unwrap(), ServerConfig::default());
        let keys = serde_json::to_value(ServerConfig::default()).unwrap();
        for key in keys.as_object().unwrap().keys() {
            assert!(
                text.lines().any(|line| line.starts_with(key.as_str())),
                "{key} is not in config/server.toml"
            );
        }
    }

    #[test]
    fn an_unknown_key_is_refused_by_name() {
        let message = read("[server]\nqueu = 3\n").unwrap_err();
        assert!(message.contains("queu"), "{message}");
        assert!(message.contains("queue"), "{message}");
    }

    #[test]
    fn values_that_cannot_work_are_refused() {
        let fields = |change: fn(&mut ServerConfig)| {
            let mut config = ServerConfig::default();
            change(&mut config);
            config.check().map_err(|error| error.field())
        };
        assert_eq!(fields(|_| ()), Ok(()));
        assert_eq!(
            fields(|config| config.request_timeout_ms = 0),
            Err(Some("server.request_timeout_ms"))
        );
        assert_eq!(
            fields(|config| config.body_limit_bytes = 0),
            Err(Some("server.body_limit_bytes"))
        );
        assert_eq!(
            fields(|config| config.cpu_threads = 100_000),
            Err(Some("server.cpu_threads"))
        );
        let origins = |origin: &str| {
            let config = ServerConfig {
                cors_origins: vec![origin.to_owned()],
                ..ServerConfig::default()
            };
            config.check().is_ok()
        };
        for fitting in [
            "*",
            "https://example.org",
            "http://localhost:3000",
            "http://[::1]:80",
        ] {
            assert!(origins(fitting), "{fitting}");
        }
        for unfit in [
            "",
            "example.org",
            "https://",
            "https://a.org/",
            "https://*.org",
            "HTTPS://A",
        ] {
            assert!(!origins(unfit), "{unfit}");
        }
    }
}
