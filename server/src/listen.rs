use crate::config::ServerConfig;
use crate::drain::{Peer, draining};
use crate::routes;
use crate::state::AppState;
use medsift::index::Index;
use medsift::{Error, ErrorKind, Result};
use std::future::Future;
use std::io;
use std::net::SocketAddr;
use std::sync::Arc;
use std::time::Duration;
use tokio::net::TcpListener;
use tokio::sync::oneshot;

/// Opens the address of the configuration.
///
/// # Errors
///
/// The address is taken, not this machine's, or not allowed; the message
/// names it and the remedy.
pub async fn bind(config: &ServerConfig) -> Result<TcpListener> {
    config.check()?;
    TcpListener::bind(config.bind)
        .await
        .map_err(|error| refused(config.bind, error))
}

fn refused(address: SocketAddr, error: io::Error) -> Error {
    let port = address.port();
    let (kind, message) = match error.kind() {
        io::ErrorKind::AddrInUse => (
            ErrorKind::Io,
            format!(
                "port {port} on {} is in use: stop the program that holds it, or choose another with --port",
                address.ip()
            ),
        ),
        io::ErrorKind::PermissionDenied => (
            ErrorKind::Permission,
            format!("not allowed to listen on port {port}: choose one from 1024 up with --port"),
        ),
        io::ErrorKind::AddrNotAvailable => (
            ErrorKind::InvalidInput,
            format!(
                "this machine has no address {}: use 127.0.0.1 for this machine alone, 0.0.0.0 for every network",
                address.ip()
            ),
        ),
        _ => (
            ErrorKind::Io,
            format!("cannot listen on {address}: {error}"),
        ),
    };
    Error::new(kind, message).with_source(error)
}

/// Answers requests on the listener until `shutdown` ends.
///
/// Then whoever is connected already, accepted or not, is served, and nobody
/// else; requests under way have as long as a request may take before their
/// connections are cut.
///
/// # Errors
///
/// A configuration that cannot work, or threads that cannot be started.
pub async fn serve(
    listener: TcpListener,
    index: Arc<Index>,
    config: ServerConfig,
    shutdown: impl Future<Output = ()> + Send + 'static,
) -> Result<()> {
    let patience = config.request_timeout() + Duration::from_secs(1);
    let app = routes::router(AppState::new(index, config)?);
    let (stopping, stopped) = oneshot::channel::<()>();
    let (listener, drain) = draining(listener).map_err(stopped_by)?;
    let server = axum::serve(listener, app.into_make_service_with_connect_info::<Peer>())
        .with_graceful_shutdown(async move {
            shutdown.await;
            drain.run().await;
            let _ = stopping.send(());
        });
    let cut_off = async move {
        // When the sender is dropped the server has ended by itself.
        if stopped.await.is_ok() {
            tokio::time::sleep(patience).await;
        } else {
            std::future::pending::<()>().await;
        }
    };
    tokio::select! {
        ended = server => ended.map_err(stopped_by),
        () = cut_off => {
            tracing::warn!("connections still open after {} ms were cut", patience.as_millis());
            Ok(())
        }
    }
}

fn stopped_by(error: io::Error) -> Error {
    Error::new(ErrorKind::Io, format!("the server stopped: {error}")).with_source(error)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn a_port_in_use_names_the_remedy() {
        let holder = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let config = ServerConfig {
            bind: holder.local_addr().unwrap(),
            ..ServerConfig::default()
        };
        let message = bind(&config).await.unwrap_err().to_string();
        assert!(
            message.contains(&config.bind.port().to_string()),
            "{message}"
        );
        assert!(message.contains("--port"), "{message}");
    }

    #[tokio::test]
    async fn an_address_of_another_machine_is_refused_in_words() {
        let config = ServerConfig {
            // TEST-NET-1 of RFC 5737: never an address of this machine.
            bind: "192.0.2.1:8080".parse().unwrap(),
            ..ServerConfig::default()
        };
        let error = bind(&config).await.unwrap_err();
        assert_eq!(error.kind(), ErrorKind::InvalidInput);
        assert!(error.to_string().contains("192.0.2.1"));
    }
}
