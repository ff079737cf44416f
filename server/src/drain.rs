//! Stopping without turning away anybody who was there before.
//!
//! The kernel completes connections before a program accepts them. A listener
//! that is closed at a signal drops those that wait, and a server that shuts
//! its idle connections at a signal drops those whose first request has come
//! and was not read yet. Here a stopping listener hands out whatever waits,
//! then closes; and every connection has a moment for its first bytes to be
//! read before the server is told to shut the idle ones.

use crate::refused;
use axum::extract::connect_info::Connected;
use axum::serve::{IncomingStream, Listener};
use std::future::pending;
use std::io;
use std::net::SocketAddr;
use std::pin::Pin;
use std::task::{Context, Poll, ready};
use std::time::Duration;
use std::vec;
use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::{oneshot, watch};
use tokio::time::timeout;

/// How long a connection that has sent nothing yet is waited for.
const FIRST_BYTES: Duration = Duration::from_secs(1);

/// A listener that serves whoever waits before it closes.
pub(crate) struct Draining {
    listener: Option<TcpListener>,
    address: SocketAddr,
    /// Connections that waited when the listener closed.
    waited: vec::IntoIter<(TcpStream, SocketAddr)>,
    stop: oneshot::Receiver<()>,
    drained: Option<oneshot::Sender<()>>,
    silent: watch::Sender<usize>,
}

/// The other end of a [`Draining`].
pub(crate) struct Drain {
    stop: oneshot::Sender<()>,
    drained: oneshot::Receiver<()>,
    silent: watch::Receiver<usize>,
}

/// A listener that can be drained, and what drains it.
pub(crate) fn draining(listener: TcpListener) -> io::Result<(Draining, Drain)> {
    let (stop, stopped) = oneshot::channel();
    let (emptied, drained) = oneshot::channel();
    let (silent, listening) = watch::channel(0);
    let address = listener.local_addr()?;
    let draining = Draining {
        listener: Some(listener),
        address,
        waited: Vec::new().into_iter(),
        stop: stopped,
        drained: Some(emptied),
        silent,
    };
    let drain = Drain {
        stop,
        drained,
        silent: listening,
    };
    Ok((draining, drain))
}

impl Drain {
    /// Closes the listener once it has handed out whatever waits, and gives
    /// the connections that have sent nothing yet a moment to do so.
    pub(crate) async fn run(mut self) {
        if self.stop.send(()).is_err() || self.drained.await.is_err() {
            // The listener is gone already, and with it the server.
            return;
        }
        let heard = self.silent.wait_for(|silent| *silent == 0);
        if timeout(FIRST_BYTES, heard).await.is_err() {
            tracing::debug!("connections without a request are closed");
        }
    }
}

impl Listener for Draining {
    type Io = Connection;
    type Addr = SocketAddr;

    async fn accept(&mut self) -> (Connection, SocketAddr) {
        loop {
            if let Some((stream, from)) = self.waited.next() {
                return (Connection::new(stream, &self.silent), from);
            }
            let Some(listener) = &mut self.listener else {
                if let Some(drained) = self.drained.take() {
                    // Nobody waits for it where the server ends otherwise.
                    let _ = drained.send(());
                }
                return pending().await;
            };
            tokio::select! {
                (stream, from) = Listener::accept(listener) => {
                    return (Connection::new(stream, &self.silent), from);
                }
                _ = &mut self.stop => {}
            }
            if let Some(listener) = self.listener.take() {
                self.waited = waiting(listener).into_iter();
            }
        }
    }

    fn local_addr(&self) -> io::Result<SocketAddr> {
        Ok(self.address)
    }
}

/// Everybody in the kernel's queue at this moment; then the listener closes.
fn waiting(listener: TcpListener) -> Vec<(TcpStream, SocketAddr)> {
    let mut found = Vec::new();
    // The runtime learns of connections with a delay; the system knows.
    let listener = match listener.into_std() {
        Ok(listener) => listener,
        Err(error) => {
            tracing::warn!(%error, "connections that waited could not be taken");
            return found;
        }
    };
    loop {
        let taken = listener.accept().and_then(|(stream, from)| {
            stream.set_nonblocking(true)?;
            Ok((TcpStream::from_std(stream)?, from))
        });
        match taken {
            Ok(connection) => found.push(connection),
            Err(error) => match error.kind() {
                io::ErrorKind::WouldBlock => return found,
                io::ErrorKind::Interrupted | io::ErrorKind::ConnectionAborted => {}
                _ => {
                    tracing::warn!(%error, "connections that waited could not be taken");
                    return found;
                }
            },
        }
    }
}

/// The other end of a connection.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Peer(pub(crate) SocketAddr);

impl Connected<IncomingStream<'_, Draining>> for Peer {
    fn connect_info(stream: IncomingStream<'_, Draining>) -> Self {
        Self(*stream.remote_addr())
    }
}

/// A connection that counts as silent until its first bytes are read, and on
/// which refusals by the HTTP library have the shape of all errors.
pub(crate) struct Connection {
    stream: TcpStream,
    silence: Option<Silence>,
    /// What is written before anything else: a refusal that took the place of
    /// another.
    owed: Vec<u8>,
}

impl Connection {
    fn new(stream: TcpStream, silent: &watch::Sender<usize>) -> Self {
        silent.send_modify(|count| *count += 1);
        Self {
            stream,
            silence: Some(Silence(silent.clone())),
            owed: Vec::new(),
        }
    }

    /// Writes what is owed.
    fn settle(&mut self, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        while !self.owed.is_empty() {
            let written = ready!(Pin::new(&mut self.stream).poll_write(context, &self.owed))?;
            if written == 0 {
                return Poll::Ready(Err(io::ErrorKind::WriteZero.into()));
            }
            self.owed.drain(..written);
        }
        Poll::Ready(Ok(()))
    }

    /// Takes bytes that are a bare refusal and owes another for them.
    fn takes(&mut self, bytes: &[u8]) -> bool {
        match refused::in_shape(bytes) {
            Some(shaped) => {
                self.owed = shaped;
                true
            }
            None => false,
        }
    }
}

/// One in the count of silent connections for as long as it lives.
struct Silence(watch::Sender<usize>);

impl Drop for Silence {
    fn drop(&mut self) {
        self.0.send_modify(|count| *count = count.saturating_sub(1));
    }
}

impl AsyncRead for Connection {
    fn poll_read(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        let read = Pin::new(&mut self.stream).poll_read(context, buffer);
        if read.is_ready() {
            self.silence = None;
        }
        read
    }
}

impl AsyncWrite for Connection {
    fn poll_write(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        bytes: &[u8],
    ) -> Poll<io::Result<usize>> {
        ready!(self.settle(context))?;
        if self.takes(bytes) {
            // Whatever cannot be written yet is, with the next call.
            let _ = self.settle(context)?;
            return Poll::Ready(Ok(bytes.len()));
        }
        Pin::new(&mut self.stream).poll_write(context, bytes)
    }

    fn poll_write_vectored(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        slices: &[io::IoSlice<'_>],
    ) -> Poll<io::Result<usize>> {
        ready!(self.settle(context))?;
        if let Some(first) = slices.first()
            && self.takes(first)
        {
            let _ = self.settle(context)?;
            return Poll::Ready(Ok(first.len()));
        }
        Pin::new(&mut self.stream).poll_write_vectored(context, slices)
    }

    fn is_write_vectored(&self) -> bool {
        self.stream.is_write_vectored()
    }

    fn poll_flush(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        ready!(self.settle(context))?;
        Pin::new(&mut self.stream).poll_flush(context)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        ready!(self.settle(context))?;
        Pin::new(&mut self.stream).poll_shutdown(context)
    }
}
