//! Where the time of a search goes, as spans of `tracing`.
//!
//! Spans of the target [`TARGET`] are what a trace of a request consists of:
//! the server's own, and within it the stages of its search. They are cheap
//! where nobody listens. In the log they are the context of what is said within
//! them, from `debug` on.

/// Target of the spans that belong to a trace.
pub const TARGET: &str = "medsift::trace";

/// Enters the span of a stage; it ends when the value goes out of scope.
macro_rules! stage {
    ($name:literal) => {
        tracing::debug_span!(target: $crate::trace::TARGET, $name).entered()
    };
}
pub(crate) use stage;
