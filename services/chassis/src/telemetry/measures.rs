//! The destinations of metrics: this process's Prometheus page, and a collector if one is configured. Code that records
//! metrics is independent of both.

use std::{io, thread, time::Duration};

use metrics_exporter_prometheus::{
    Matcher, PrometheusBuilder, PrometheusHandle, PrometheusRecorder,
};
use metrics_opentelemetry::{OpenTelemetryMetrics, OpenTelemetryRecorder};
use metrics_util::layers::FanoutBuilder;
use opentelemetry::metrics::MeterProvider as _;
use opentelemetry_sdk::metrics::SdkMeterProvider;

use crate::error::{Code, Fault};

/// The suffix of the names of duration metrics.
pub(super) const SECONDS: &str = "_seconds";

/// The histogram bounds of durations, in seconds; the service-level rules need 0.25 and 1.
pub(super) const BOUNDS: [f64; 13] = [
    0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0,
];

/// The interval at which recorded durations are folded into their histograms. Until then each takes 16 bytes, whether
/// or not the page is scraped.
const UPKEEP: Duration = Duration::from_secs(5);

/// Installs the process's recorder; the returned handle renders Prometheus's text format.
pub(super) fn install(meter: Option<&SdkMeterProvider>) -> Result<PrometheusHandle, Fault> {
    let page = page()?;
    let handle = page.handle();
    keep_up(handle.clone(), UPKEEP).map_err(|error| refuse(&error.to_string()))?;
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

fn page() -> Result<PrometheusRecorder, Fault> {
    let page = PrometheusBuilder::new()
        .set_buckets_for_metric(Matcher::Suffix(SECONDS.to_owned()), &BOUNDS)
        .map_err(|error| refuse(&error.to_string()))?;
    Ok(page.build_recorder())
}

/// Folds recorded durations into their histograms until the process ends.
fn keep_up(page: PrometheusHandle, every: Duration) -> io::Result<()> {
    let fold = move || {
        loop {
            thread::sleep(every);
            page.run_upkeep();
        }
    };
    thread::Builder::new()
        .name("metrics".to_owned())
        .spawn(fold)
        .map(drop)
}

fn refuse(error: &str) -> Fault {
    Fault::new(Code::Internal, format!("metrics: {error}"))
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;

    /// This process's resident memory in bytes; `None` without `/proc`.
    fn resident() -> Option<usize> {
        let status = fs::read_to_string("/proc/self/status").ok()?;
        let line = status.lines().find(|line| line.starts_with("VmRSS:"))?;
        let kib = line.split_whitespace().nth(1)?;
        Some(1024 * kib.parse::<usize>().ok()?)
    }

    #[test]
    fn durations_that_nobody_reads_take_no_more_and_more_memory() {
        let page = page().unwrap();
        let handle = page.handle();
        keep_up(handle.clone(), Duration::from_millis(5)).unwrap();
        metrics::with_local_recorder(&page, || {
            let histogram = metrics::histogram!("test_duration_seconds");
            let record_a_million = || {
                for _ in 0..10 {
                    (0..100_000).for_each(|_| histogram.record(0.1));
                    // Gives the thread time to run on a busy machine too.
                    thread::sleep(Duration::from_millis(6));
                }
            };
            record_a_million();
            let before = resident();
            (0..5).for_each(|_| record_a_million());
            let grown = resident()
                .zip(before)
                .map(|(now, then)| now.saturating_sub(then));
            assert!(
                grown.is_none_or(|grown| grown < 20_000_000),
                "{grown:?} bytes more"
            );
            // The thread folds the remaining durations.
            thread::sleep(Duration::from_millis(50));
        });
        // Folding at this pace may miss a few durations that are recorded at the same moment.
        let text = handle.render();
        let count = text
            .lines()
            .find_map(|line| line.strip_prefix("test_duration_seconds_count "))
            .and_then(|count| count.parse::<u64>().ok());
        assert!(count.is_some_and(|count| count > 5_900_000), "{text}");
    }
}
