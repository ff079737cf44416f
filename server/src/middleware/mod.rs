//! What is done to every request and response alike.

pub(crate) mod cors;
pub(crate) mod guard;
pub(crate) mod log;
pub(crate) mod measure;
pub(crate) mod request_id;
pub(crate) mod security;
pub(crate) mod timing;
#[cfg(feature = "otel")]
pub(crate) mod trace;
