//! The destinations of metrics: this process's page for Prometheus, and a collector if one is configured. The
//! code that measures knows neither.

use metrics_exporter_prometheus::{Matcher, PrometheusBuilder, PrometheusHandle};
use metrics_opentelemetry::{OpenTelemetryMetrics, OpenTelemetryRecorder};
use metrics_util::layers::FanoutBuilder;
use opentelemetry::metrics::MeterProvider as _;
use opentelemetry_sdk::metrics::SdkMeterProvider;

use crate::error::{Code, Fault};

/// The suffix of the names of durations.
pub(super) const SECONDS: &str = "_seconds";

/// The histogram bounds of durations, in seconds; the service-level rules need 0.25 and 1.
pub(super) const BOUNDS: [f64; 13] = [
    0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0,
];

/// Installs the process's recorder; the returned handle renders Prometheus's text.
pub(super) fn install(meter: Option<&SdkMeterProvider>) -> Result<PrometheusHandle, Fault> {
    let page = PrometheusBuilder::new()
        .set_buckets_for_metric(Matcher::Suffix(SECONDS.to_owned()), &BOUNDS)
        .map_err(|error| refuse(&error.to_string()))?
        .build_recorder();
    let handle = page.handle();
    let installed = match meter {
        None => metrics::set_global_recorder(page).map_err(|error| error.to_string()),
        Some(meter) => {
            let pushed = OpenTelemetryMetrics::new(meter.meter("cityguide"));
            let both = FanoutBuilder::default()
                .add_recorder(page)
                .add_recorder(OpenTelemetryRecorder::new(pushed))
                .build();
            metrics::set_global_recorder(both).map_err(|error| error.to_string())
        }
    };
    installed.map_err(|error| refuse(&error))?;
    Ok(handle)
}

fn refuse(error: &str) -> Fault {
    Fault::new(Code::Internal, format!("metrics: {error}"))
}
