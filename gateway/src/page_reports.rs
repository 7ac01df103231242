//! Measurements that pages report about themselves: speed, script errors, views and clicks. They become metrics, log
//! lines and spans. Nothing about the reader is stored or logged, and every label has a bounded number of values.

use std::{collections::BTreeSet, sync::Arc, time::Duration};

use chassis::{
    clock::SharedClock,
    limits::{Rate, SharedBuckets},
    trace::{ClientTrace, ClientTraces},
};

use crate::edge::limits::Limits;

/// Names of script errors that are metric labels: JavaScript's own, the browser's (`DOMException`) and the
/// application's. Every other name is [`OTHER`].
const ERROR_NAMES: [&str; 17] = [
    "AbortError",
    "AggregateError",
    "ApiError",
    "DataCloneError",
    "Error",
    "EvalError",
    "InvalidStateError",
    "NetworkError",
    "NotAllowedError",
    "NotFoundError",
    "QuotaExceededError",
    "RangeError",
    "ReferenceError",
    "SecurityError",
    "SyntaxError",
    "TypeError",
    "URIError",
];
/// The label of unknown names and files.
const OTHER: &str = "other";
/// Maximum number of log lines about script errors. Strangers can report any number of errors, which are counted but
/// not logged.
const LOGGED: Rate = Rate::per_minute(60);
const LOG_BUCKET: &str = "page-error-lines";

/// Records the reports of pages. Cheap to clone.
#[derive(Clone)]
pub(crate) struct PageReports(Arc<Parts>);

struct Parts {
    /// The names of the release's scripts.
    files: BTreeSet<String>,
    traces: ClientTraces,
    clock: SharedClock,
    buckets: SharedBuckets,
}

/// A script error and its position.
#[derive(Debug, Clone, Copy)]
pub(crate) struct ErrorReport<'a> {
    pub(crate) page: &'static str,
    pub(crate) name: &'a str,
    /// The script's name without its folder.
    pub(crate) file: &'a str,
    pub(crate) line: u32,
    pub(crate) column: u32,
}

impl PageReports {
    pub(crate) fn new(
        files: BTreeSet<String>,
        limits: &Limits,
        traces: ClientTraces,
        clock: SharedClock,
    ) -> Self {
        let buckets = Arc::clone(&limits.own_buckets);
        Self(Arc::new(Parts {
            files,
            traces,
            clock,
            buckets,
        }))
    }

    /// Counts a script error, and logs it if one of the release's scripts has caused it.
    pub(crate) async fn error(&self, error: ErrorReport<'_>) {
        let ErrorReport {
            page, line, column, ..
        } = error;
        let name = ERROR_NAMES.into_iter().find(|known| *known == error.name);
        let name = name.unwrap_or(OTHER);
        let file = self.0.files.get(error.file).map(String::as_str);
        metrics::counter!("page_errors_total",
            "name" => name, "file" => file.unwrap_or(OTHER).to_owned())
        .increment(1);
        let Some(file) = file else {
            return;
        };
        let token = self.0.buckets.take(LOG_BUCKET, LOGGED, 1).await;
        if token.is_ok_and(|bucket| bucket.is_allowed) {
            tracing::warn!(
                page,
                name,
                file,
                line,
                column,
                "a page reported a script error"
            );
        } else {
            metrics::counter!("page_errors_not_logged_total").increment(1);
        }
    }

    /// Exports the span of a click, which took `duration` and began `ago` before its report.
    pub(crate) fn click(
        &self,
        page: &'static str,
        trace: ClientTrace,
        ago: Duration,
        duration: Duration,
    ) {
        let begun = self.0.clock.now() - ago;
        let attributes = [("page", page)];
        self.0
            .traces
            .record("click", trace, (begun.into(), duration), &attributes);
    }
}

/// Records the time of a web vital.
pub(crate) fn vital(page: &'static str, name: &'static str, time: Duration) {
    metrics::histogram!("page_vital_seconds", "vital" => name, "page" => page).record(time);
}

/// Records a page's layout shift (CLS), a ratio.
pub(crate) fn layout_shift(page: &'static str, ratio: f64) {
    metrics::histogram!("page_layout_shift_ratio", "page" => page).record(ratio);
}

/// Counts a view. Views of single objects are only logged, because their number is not bounded.
pub(crate) fn view(page: &'static str, item: Option<(&'static str, i64)>) {
    metrics::counter!("page_views_total", "page" => page).increment(1);
    if let Some((kind, id)) = item {
        tracing::debug!(page, kind, id, "a page was viewed");
    }
}

/// Counts a refused report.
pub(crate) fn refuse(reason: &'static str) {
    metrics::counter!("page_reports_refused_total", "reason" => reason).increment(1);
}

#[cfg(test)]
mod tests {
    use chassis::{clock::SystemClock, keys::Keys};
    use metrics_exporter_prometheus::PrometheusBuilder;

    use super::*;

    fn reports() -> PageReports {
        let clock: SharedClock = Arc::new(SystemClock);
        let traces = ClientTraces::new(&Keys::one(b"a secret of a test, long enough"), None);
        let files = BTreeSet::from(["home-B3dFq1.js".to_owned()]);
        PageReports::new(files, &Limits::with_reads("1/s", &clock), traces, clock)
    }

    fn error<'a>(name: &'a str, file: &'a str, line: u32) -> ErrorReport<'a> {
        ErrorReport {
            page: "home",
            name,
            file,
            line,
            column: 1,
        }
    }

    #[tokio::test]
    async fn errors_that_strangers_invent_make_few_series_and_log_lines() {
        let recorder = PrometheusBuilder::new().build_recorder();
        let page = recorder.handle();
        let _recorded = metrics::set_default_local_recorder(&recorder);
        let reports = reports();
        for number in 0..200 {
            let (name, file) = (format!("invented{number}"), format!("invented{number}.js"));
            reports.error(error(&name, &file, number)).await;
            reports.error(error("TypeError", &file, number)).await;
            reports.error(error(&name, "home-B3dFq1.js", number)).await;
        }
        let text = page.render();
        let mut lines: Vec<_> = text
            .lines()
            .filter(|line| line.starts_with("page_errors_"))
            .collect();
        lines.sort_unstable();
        let not_logged: u32 = 200 - LOGGED.count();
        assert_eq!(
            lines,
            [
                &*format!("page_errors_not_logged_total {not_logged}"),
                "page_errors_total{name=\"TypeError\",file=\"other\"} 200",
                "page_errors_total{name=\"other\",file=\"home-B3dFq1.js\"} 200",
                "page_errors_total{name=\"other\",file=\"other\"} 200",
            ]
        );
    }
}
