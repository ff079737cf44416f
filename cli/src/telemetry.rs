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
use std::time::Duration;
use tracing::level_filters::LevelFilter;
use tracing_subscriber::Layer;
use tracing_subscriber::filter::Targets;
use tracing_subscriber::registry::LookupSpan;

/// Variables that name a collector.
const ENDPOINTS: [&str; 2] = [
    "OTEL_EXPORTER_OTLP_ENDPOINT",
    "OTEL_EXPORTER_OTLP_TRACES_ENDPOINT",
];

/// How long the end waits for the last spans to be taken.
const LAST: Duration = Duration::from_secs(2);

/// Traces on their way; what is still here is sent when this is dropped.
pub(crate) struct Telemetry(SdkTracerProvider);

impl Drop for Telemetry {
    fn drop(&mut self) {
        if let Err(error) = self.0.shutdown_with_timeout(LAST) {
            tracing::warn!("the last traces are not delivered: {error}");
        }
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
        .map_err(|error| {
            format!("no traces are sent: {error}: name the collector as http://HOST:4318")
        })?;
    for told in unknown_ways(|name| env::var(name).ok()) {
        tracing::warn!("{told}");
    }
    let mut resource = Resource::builder();
    if !is_named(|name| env::var(name).ok()) {
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
        .with_tracked_inactivity(false)
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

/// Whether the operator named the service.
fn is_named(variable: impl Fn(&str) -> Option<String>) -> bool {
    let attributes = variable("OTEL_RESOURCE_ATTRIBUTES").unwrap_or_default();
    let mut names = attributes.split(',').filter_map(|one| one.split_once('='));
    variable("OTEL_SERVICE_NAME").is_some() || names.any(|(name, _)| name.trim() == "service.name")
}

/// Settings that mean another way of sending than the one there is.
fn unknown_ways(variable: impl Fn(&str) -> Option<String>) -> Vec<String> {
    let ways = [("PROTOCOL", "http/protobuf"), ("COMPRESSION", "none")];
    let names = ways.into_iter().flat_map(|(what, only)| {
        ["OTEL_EXPORTER_OTLP_", "OTEL_EXPORTER_OTLP_TRACES_"]
            .map(|prefix| (format!("{prefix}{what}"), only))
    });
    names
        .filter_map(|(name, only)| {
            let value = variable(&name).filter(|value| !value.is_empty() && value != only)?;
            Some(format!("{name} is {value}: traces are sent as {only}"))
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Variables of an environment.
    fn among<'a>(given: &'a [(&str, &str)]) -> impl Fn(&str) -> Option<String> + 'a {
        |name| {
            let of_name = given.iter().find(|(variable, _)| *variable == name);
            of_name.map(|(_, value)| (*value).to_owned())
        }
    }

    #[test]
    fn traces_are_sent_where_the_environment_names_a_collector() {
        let wanted = |given: &[(&str, &str)]| is_wanted(among(given));
        let collector = ("OTEL_EXPORTER_OTLP_ENDPOINT", "http://127.0.0.1:4318");
        assert!(!wanted(&[]));
        assert!(!wanted(&[("OTEL_EXPORTER_OTLP_ENDPOINT", " ")]));
        assert!(wanted(&[collector]));
        let of_traces = ("OTEL_EXPORTER_OTLP_TRACES_ENDPOINT", "http://[::1]:9/t");
        assert!(wanted(&[of_traces]));
        assert!(!wanted(&[collector, ("OTEL_SDK_DISABLED", "True")]));
        assert!(!wanted(&[collector, ("OTEL_TRACES_EXPORTER", "none")]));
    }

    #[test]
    fn a_service_that_was_named_keeps_its_name() {
        assert!(!is_named(among(&[])));
        assert!(!is_named(among(&[(
            "OTEL_RESOURCE_ATTRIBUTES",
            "a=service.name"
        )])));
        assert!(is_named(among(&[("OTEL_SERVICE_NAME", "library")])));
        assert!(is_named(among(&[(
            "OTEL_RESOURCE_ATTRIBUTES",
            "a=b, service.name=library"
        )])));
    }

    #[test]
    fn other_ways_of_sending_are_told() {
        let fits = [("OTEL_EXPORTER_OTLP_PROTOCOL", "http/protobuf")];
        assert!(unknown_ways(among(&fits)).is_empty());
        let told = unknown_ways(among(&[
            ("OTEL_EXPORTER_OTLP_PROTOCOL", "grpc"),
            ("OTEL_EXPORTER_OTLP_TRACES_COMPRESSION", "gzip"),
        ]));
        assert_eq!(
            told,
            [
                "OTEL_EXPORTER_OTLP_PROTOCOL is grpc: traces are sent as http/protobuf",
                "OTEL_EXPORTER_OTLP_TRACES_COMPRESSION is gzip: traces are sent as none",
            ]
        );
    }
}
