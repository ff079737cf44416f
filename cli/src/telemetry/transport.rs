use async_trait::async_trait;
use opentelemetry_http::{Bytes, HttpClient, HttpError, Request, Response};
use std::env;
use std::io::Read;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

/// What a collector has to answer within, where the environment does not say.
const TIMEOUT: Duration = Duration::from_secs(10);

/// Bytes of an answer that are read: it says little more than how it went.
const MOST: u64 = 64 * 1024;

/// Sends spans, from the thread of their exporter, which may wait.
#[derive(Debug)]
pub(super) struct Transport {
    agent: ureq::Agent,
    /// Whether the last try failed and that was said.
    failing: AtomicBool,
}

impl Transport {
    pub(super) fn new() -> Self {
        Self {
            agent: ureq::AgentBuilder::new().timeout(timeout()).build(),
            failing: AtomicBool::new(false),
        }
    }

    fn send(&self, request: &Request<Bytes>) -> Result<Response<Bytes>, HttpError> {
        let mut call = self.agent.post(&request.uri().to_string());
        for (name, value) in request.headers() {
            call = call.set(name.as_str(), value.to_str()?);
        }
        let answer = match call.send_bytes(request.body()) {
            // The exporter reads what the status means.
            Err(ureq::Error::Status(_, answer)) => answer,
            other => other?,
        };
        let mut response = Response::builder().status(answer.status());
        for name in answer.headers_names() {
            if let Some(value) = answer.header(&name) {
                response = response.header(&name, value);
            }
        }
        let mut body = Vec::new();
        answer.into_reader().take(MOST).read_to_end(&mut body)?;
        Ok(response.body(Bytes::from(body))?)
    }

    /// Says once that traces are lost, and once that they are no longer.
    fn tell(&self, lost: Option<&dyn std::fmt::Display>) {
        match (lost, self.failing.swap(lost.is_some(), Ordering::Relaxed)) {
            (Some(why), false) => tracing::warn!("traces are not delivered: {why}"),
            (None, true) => tracing::warn!("traces are delivered again"),
            _ => {}
        }
    }
}

#[async_trait]
impl HttpClient for Transport {
    async fn send_bytes(&self, request: Request<Bytes>) -> Result<Response<Bytes>, HttpError> {
        let sent = self.send(&request);
        match &sent {
            Ok(answer) if answer.status().is_success() => self.tell(None),
            Ok(answer) => self.tell(Some(&format!("the collector answers {}", answer.status()))),
            Err(error) => self.tell(Some(error)),
        }
        sent
    }
}

/// The exporter leaves it to its client to keep to the time.
fn timeout() -> Duration {
    [
        "OTEL_EXPORTER_OTLP_TRACES_TIMEOUT",
        "OTEL_EXPORTER_OTLP_TIMEOUT",
    ]
    .into_iter()
    .find_map(|name| env::var(name).ok()?.parse().ok())
    .map_or(TIMEOUT, Duration::from_millis)
}
