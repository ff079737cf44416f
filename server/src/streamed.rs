//! A body that is written while it is sent.

use axum::body::{Body, Bytes, HttpBody};
use http_body::Frame;
use std::io;
use std::pin::Pin;
use std::task::{Context, Poll};
use std::time::Duration;
use tokio::sync::mpsc::{Receiver, Sender, channel};

/// Parts that wait to be sent: whoever reads slowly is waited for.
const WAITING: usize = 2;

/// Where the parts of a body go in.
pub(crate) struct Streamed(Sender<io::Result<Bytes>>);

struct Parts(Receiver<io::Result<Bytes>>);

/// A body, and where its parts go in. It ends when that is dropped.
pub(crate) fn streamed() -> (Streamed, Body) {
    let (sender, receiver) = channel(WAITING);
    (Streamed(sender), Body::new(Parts(receiver)))
}

impl Streamed {
    /// Hands on a part; `false` where nobody takes it within a time.
    pub(crate) async fn send(&self, part: Vec<u8>, limit: Duration) -> bool {
        if part.is_empty() {
            return true;
        }
        let sent = tokio::time::timeout(limit, self.0.send(Ok(part.into()))).await;
        matches!(sent, Ok(Ok(())))
    }

    /// Ends the body so that its reader sees that the end is missing.
    pub(crate) async fn break_off(&self, why: &str) {
        // Where nobody reads, nobody misses it.
        let _ = self.0.send(Err(io::Error::other(why.to_owned()))).await;
    }
}

impl HttpBody for Parts {
    type Data = Bytes;
    type Error = io::Error;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
    ) -> Poll<Option<io::Result<Frame<Bytes>>>> {
        let next = self.0.poll_recv(context);
        next.map(|part| part.map(|part| part.map(Frame::data)))
    }
}
