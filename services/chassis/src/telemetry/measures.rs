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
const SECONDS: &str = "_seconds";

/// The histogram bounds of durations, in seconds; the service-level rules need 0.25 and 1.
const BOUNDS: [f64; 13] = [
    0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0,
];

/// Histograms with other bounds, by name. The bounds of the page's own measurements include the thresholds of
/// <https://web.dev/articles/vitals> between good, fair and poor: 0.2 and 0.5 s (INP), 0.8 and 1.8 s (TTFB), 1.8 and 3 s
/// (FCP), 2.5 and 4 s (LCP); 0.1 and 0.25 (CLS, a ratio).
const OWN_BOUNDS: [(&str, &[f64]); 2] = [
    (
        "page_vital_seconds",
        &[
            0.05, 0.1, 0.2, 0.35, 0.5, 0.8, 1.2, 1.8, 2.5, 3.0, 4.0, 6.0, 10.0,
        ],
    ),
    (
        "page_layout_shift_ratio",
        &[0.001, 0.01, 0.02, 0.05, 0.1, 0.15, 0.25, 0.5, 1.0],
    ),
];

/// The bounds of a histogram, by its name; `None` for a metric that is not a duration and has no own bounds.
pub(super) fn bounds(name: &str) -> Option<&'static [f64]> {
    let own = OWN_BOUNDS.iter().find(|(known, _)| *known == name);
    own.map(|(_, bounds)| *bounds)
        .or_else(|| name.ends_with(SECONDS).then_some(&BOUNDS))
}

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
    let durations = (Matcher::Suffix(SECONDS.to_owned()), BOUNDS.as_slice());
    // A full name has precedence over a suffix.
    let own = OWN_BOUNDS.map(|(name, bounds)| (Matcher::Full(name.to_owned()), bounds));
    let page = own
        .into_iter()
        .chain([durations])
        .try_fold(PrometheusBuilder::new(), |page, (matcher, bounds)| {
            page.set_buckets_for_metric(matcher, bounds)
        });
    let page = page.map_err(|error| refuse(&error.to_string()))?;
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
    fn the_pages_own_measurements_have_bounds_at_their_thresholds() {
        let page = page().unwrap();
        let handle = page.handle();
        metrics::with_local_recorder(&page, || {
            for name in ["page_vital_seconds", "test_duration_seconds"] {
                metrics::histogram!(name).record(2.0);
            }
            metrics::histogram!("page_layout_shift_ratio").record(0.2);
        });
        let text = handle.render();
        for line in [
            "page_vital_seconds_bucket{le=\"1.8\"} 0",
            "page_vital_seconds_bucket{le=\"2.5\"} 1",
            "page_layout_shift_ratio_bucket{le=\"0.1\"} 0",
            "page_layout_shift_ratio_bucket{le=\"0.25\"} 1",
            "test_duration_seconds_bucket{le=\"0.25\"} 0",
        ] {
            assert!(text.lines().any(|known| known == line), "{line} in {text}");
        }
        assert_eq!(bounds("page_vital_seconds"), Some(OWN_BOUNDS[0].1));
        assert_eq!(bounds("test_duration_seconds"), Some(&BOUNDS[..]));
        assert_eq!(bounds("page_views_total"), None);
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
