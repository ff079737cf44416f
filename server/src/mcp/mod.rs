//! The Model Context Protocol: what assistants ask, over HTTP at `/mcp` and
//! over standard input and output.
//!
//! Every call is a request of its own, without a session. Both ways share the
//! tools, and these share searcher, pool and limits with the JSON API.

mod arguments;
mod results;
mod tools;

pub(crate) use tools::Tools;

use crate::config::ServerConfig;
use crate::state::{AppState, Shared};
use medsift::index::Index;
use medsift::{Error, ErrorKind, Result};
use rmcp::ServiceExt;
use rmcp::transport::stdio;
use rmcp::transport::streamable_http_server::session::never::NeverSessionManager;
use rmcp::transport::streamable_http_server::{StreamableHttpServerConfig, StreamableHttpService};
use std::sync::Arc;

/// The service behind `/mcp`.
pub(crate) fn over_http(state: &Shared) -> StreamableHttpService<Tools, NeverSessionManager> {
    let shared = Arc::clone(state);
    StreamableHttpService::new(
        move || Ok(Tools::new(Arc::clone(&shared))),
        Arc::new(NeverSessionManager::default()),
        settings(&state.config),
    )
}

/// A page in a browser must not reach a server of this machine through a name
/// that it made point here. So a server that listens for this machine alone
/// answers to its own names, and pages of other origins are those that the
/// operator allows.
fn settings(config: &ServerConfig) -> StreamableHttpServerConfig {
    let settings = StreamableHttpServerConfig::default()
        .with_legacy_session_mode(false)
        .with_json_response(true)
        .with_max_request_body_bytes(config.body_limit_bytes);
    let settings = if config.bind.ip().is_loopback() && !config.behind_proxy {
        settings
    } else {
        settings.disable_allowed_hosts()
    };
    if config.cors_origins.iter().any(|origin| origin == "*") {
        return settings.disable_allowed_origins();
    }
    settings
        .with_allowed_origins(config.cors_origins.iter().map(|origin| with_port(origin)))
        .enforce_origin_validation()
}

/// An origin with the port that it stands for.
fn with_port(origin: &str) -> String {
    let (scheme, host) = origin.split_once("://").unwrap_or(("https", origin));
    // The colons of an IPv6 address stand in brackets.
    if host.rsplit(']').next().unwrap_or(host).contains(':') {
        return origin.to_owned();
    }
    let port = if scheme == "http" { 80 } else { 443 };
    format!("{scheme}://{host}:{port}")
}

/// Answers one client on standard input and output until it goes.
///
/// # Errors
///
/// A configuration that cannot work, threads that cannot be started, or a
/// client that does not speak the protocol.
pub async fn serve_stdio(index: Arc<Index>, config: ServerConfig) -> Result<()> {
    let failed = |error: &dyn std::fmt::Display| {
        Error::new(
            ErrorKind::Io,
            format!("the MCP client could not be served: {error}"),
        )
    };
    let tools = Tools::new(AppState::new(index, config)?);
    let running = tools.serve(stdio()).await.map_err(|error| failed(&error))?;
    running.waiting().await.map_err(|error| failed(&error))?;
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn origins_get_the_port_that_they_stand_for() {
        for (origin, whole) in [
            ("https://example.org", "https://example.org:443"),
            ("http://example.org", "http://example.org:80"),
            ("http://localhost:3000", "http://localhost:3000"),
            ("http://[::1]", "http://[::1]:80"),
            ("http://[::1]:81", "http://[::1]:81"),
        ] {
            assert_eq!(with_port(origin), whole);
        }
    }

    #[test]
    fn a_server_of_this_machine_answers_to_its_own_names_alone() {
        let config = ServerConfig::default();
        assert!(!settings(&config).allowed_hosts.is_empty());
        let open = ServerConfig {
            bind: "0.0.0.0:8080".parse().unwrap(),
            ..config
        };
        assert!(settings(&open).allowed_hosts.is_empty());
    }
}
