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

/// Where the parts of a body go in. Where it is dropped without
/// [`finish`](Self::finish), the reader sees that the end is missing.
pub(crate) struct Streamed(Sender<Part>);

enum Part {
    Of(Bytes),
    End,
}

struct Parts {
    waiting: Receiver<Part>,
    ended: bool,
}

/// A body, and where its parts go in.
pub(crate) fn streamed() -> (Streamed, Body) {
    let (sender, waiting) = channel(WAITING);
    let parts = Parts {
        waiting,
        ended: false,
    };
    (Streamed(sender), Body::new(parts))
}

impl Streamed {
    /// Hands on a part; `false` where nobody takes it within a time.
    pub(crate) async fn send(&self, part: impl Into<Bytes>, limit: Duration) -> bool {
        let part = part.into();
        if part.is_empty() {
            return true;
        }
        let sent = tokio::time::timeout(limit, self.0.send(Part::Of(part))).await;
        matches!(sent, Ok(Ok(())))
    }

    /// Says that the body is whole; `false` where nobody hears it within a time.
    pub(crate) async fn finish(self, limit: Duration) -> bool {
        let sent = tokio::time::timeout(limit, self.0.send(Part::End)).await;
        matches!(sent, Ok(Ok(())))
    }

    /// Whether the reader has gone.
    pub(crate) fn is_deserted(&self) -> bool {
        self.0.is_closed()
    }
}

impl HttpBody for Parts {
    type Data = Bytes;
    type Error = io::Error;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
    ) -> Poll<Option<io::Result<Frame<Bytes>>>> {
        self.waiting.poll_recv(context).map(|part| match part {
            Some(Part::Of(bytes)) => Some(Ok(Frame::data(bytes))),
            Some(Part::End) => {
                self.ended = true;
                None
            }
            None if self.ended => None,
            // An error cuts the connection: half a file is not taken for a whole one.
            None => Some(Err(io::Error::other("the body broke off"))),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const SOON: Duration = Duration::from_millis(20);

    async fn read(body: Body) -> Result<usize, axum::Error> {
        axum::body::to_bytes(body, 1000)
            .await
            .map(|bytes| bytes.len())
    }

    #[tokio::test]
    async fn a_whole_body_ends_and_one_that_was_dropped_is_an_error() {
        let (sender, body) = streamed();
        assert!(sender.send(vec![1; 10], SOON).await);
        assert!(sender.finish(SOON).await);
        assert_eq!(read(body).await.unwrap(), 10);
        let (sender, body) = streamed();
        assert!(sender.send(vec![1; 10], SOON).await);
        drop(sender);
        assert!(read(body).await.is_err());
    }

    #[tokio::test]
    async fn whoever_reads_too_slowly_sees_that_the_end_is_missing() {
        let (sender, body) = streamed();
        let mut sent = 0;
        while sender.send(vec![1; 10], SOON).await {
            sent += 1;
        }
        assert_eq!(sent, WAITING);
        drop(sender);
        assert!(read(body).await.is_err());
    }
}
