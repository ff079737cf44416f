//! Traces to an OpenTelemetry collector, where the environment names one.
//!
//! What is sent where is said by the variables that every program with
//! OpenTelemetry knows (<https://opentelemetry.io/docs/specs/otel/configuration/sdk-environment-variables/>):
//! without `OTEL_EXPORTER_OTLP_ENDPOINT` nothing is.

mod transport;

use medsift::trace::TARGET;
use opentelemetry::global::set_text_map_propagator;
use opentelemetry::trace::TracerProvider as _;
use opentelemetry_otlp::{SpanExporter, WithHttpConfig};
use opentelemetry_sdk::Resource;
use opentelemetry_sdk::propagation::TraceContextPropagator;
use opentelemetry_sdk::trace::SdkTracerProvider;
use std::env;
use tracing::level_filters::LevelFilter;
use tracing_subscriber::Layer;
use tracing_subscriber::filter::Targets;
use tracing_subscriber::registry::LookupSpan;

/// Variables that name a collector.
const ENDPOINTS: [&str; 2] = [
    "OTEL_EXPORTER_OTLP_ENDPOINT",
    "OTEL_EXPORTER_OTLP_TRACES_ENDPOINT",
];

/// Traces on their way; what is still here is sent when this is dropped.
pub(crate) struct Telemetry(SdkTracerProvider);

impl Drop for Telemetry {
    fn drop(&mut self) {
        // What could not be delivered was said by the transport.
        let _ = self.0.shutdown();
    }
}

/// Begins to send spans, where the environment asks for it.
///
/// # Errors
///
/// An address that is none, or another setting that the exporter refuses.
pub(crate) fn start<S>() -> Result<Option<(impl Layer<S>, Telemetry)>, String>
where
    S: tracing::Subscriber + for<'span> LookupSpan<'span>,
{
    if !is_wanted(|name| env::var(name).ok()) {
        return Ok(None);
    }
    let exporter = SpanExporter::builder()
        .with_http()
        .with_http_client(transport::Transport::new())
        .build()
        .map_err(|error| format!("no traces are sent: {error}"))?;
    let mut resource = Resource::builder();
    if env::var_os("OTEL_SERVICE_NAME").is_none() {
        resource = resource.with_service_name("medsift");
    }
    let provider = SdkTracerProvider::builder()
        .with_batch_exporter(exporter)
        .with_resource(resource.build())
        .build();
    set_text_map_propagator(TraceContextPropagator::new());
    let layer = tracing_opentelemetry::layer()
        .with_tracer(provider.tracer("medsift"))
        .with_location(false)
        .with_threads(false)
        .with_target(false)
        .with_filter(Targets::new().with_target(TARGET, LevelFilter::DEBUG));
    Ok(Some((layer, Telemetry(provider))))
}

fn is_wanted(variable: impl Fn(&str) -> Option<String>) -> bool {
    let given = |name: &str| variable(name).filter(|value| !value.trim().is_empty());
    let is =
        |name: &str, value: &str| given(name).is_some_and(|has| has.eq_ignore_ascii_case(value));
    ENDPOINTS.into_iter().any(|name| given(name).is_some())
        && !is("OTEL_SDK_DISABLED", "true")
        && !is("OTEL_TRACES_EXPORTER", "none")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn traces_are_sent_where_the_environment_names_a_collector() {
        let wanted = |given: &[(&str, &str)]| {
            is_wanted(|name| {
                let of_name = given.iter().find(|(variable, _)| *variable == name);
                of_name.map(|(_, value)| (*value).to_owned())
            })
        };
        let collector = ("OTEL_EXPORTER_OTLP_ENDPOINT", "http://127.0.0.1:4318");
        assert!(!wanted(&[]));
        assert!(!wanted(&[("OTEL_EXPORTER_OTLP_ENDPOINT", " ")]));
        assert!(wanted(&[collector]));
        assert!(wanted(&[(
            "OTEL_EXPORTER_OTLP_TRACES_ENDPOINT",
            "http://[::1]:9/t"
        )]));
        assert!(!wanted(&[collector, ("OTEL_SDK_DISABLED", "True")]));
        assert!(!wanted(&[collector, ("OTEL_TRACES_EXPORTER", "none")]));
    }
}
