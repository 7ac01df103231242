//! POST `telemetry/`: measurements that pages report about themselves.

use std::time::Duration;

use axum::{extract::State, response::Response};
use chassis::trace::ClientTrace;
use http::{HeaderMap, StatusCode};
use serde::{Deserialize, Deserializer, de};
use utoipa::{
    PartialSchema, ToSchema,
    openapi::{ObjectBuilder, RefOr, Schema, Type},
};

use super::{ads::events::is_bot, resolve::ResolvedKind};
use crate::{
    edge::{
        answer::done,
        body::{ShortBody, required},
        error::{ApiError, ErrorBody},
        id,
        limits::{Client, Limits, TELEMETRY, TooMany},
    },
    page_reports::{self, ErrorReport, PageReports},
    pages::page_names,
};

/// Maximum size of a report, in bytes.
const MAX_BYTES: usize = 8 * 1024;
/// Maximum number of entries per report.
const MAX_ENTRIES: usize = 20;
/// Maximum length of an error's name and of a script's name, in characters.
const MAX_NAME: usize = 200;
/// Maximum of a measured time, in milliseconds: ten minutes.
const MAX_TIME: f64 = 600_000.0;
/// Maximum age of a click, in milliseconds: a day, because a page reports it when it is left.
const MAX_AGE: f64 = 86_400_000.0;
/// Maximum layout shift.
const MAX_SHIFT: f64 = 100.0;
/// The name of pages that are not in the table of pages.
const OTHER: &str = "other";

/// Reports of a page about itself. They contain nothing about the reader.
#[derive(Debug, Deserialize, ToSchema)]
pub(crate) struct PageReport {
    /// 1 to 20 entries.
    #[serde(default)]
    #[schema(required = true, value_type = Vec<ReportEntry>)]
    entries: Option<Vec<ReportEntry>>,
}

/// An entry of a report.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(tag = "kind", rename_all = "kebab-case")]
pub(crate) enum ReportEntry {
    /// A time of a loaded page.
    Vital {
        page: PageName,
        name: VitalName,
        /// Milliseconds.
        #[serde(deserialize_with = "time")]
        #[schema(value_type = f64, minimum = 0, maximum = 600_000)]
        value: Duration,
    },
    /// The Cumulative Layout Shift (CLS) of a loaded page.
    LayoutShift {
        page: PageName,
        /// The score, 0 if nothing has moved.
        #[serde(deserialize_with = "shift")]
        #[schema(minimum = 0, maximum = 100)]
        value: f64,
    },
    /// A script error that no code handled.
    Error {
        page: PageName,
        /// The error's class: `TypeError`.
        #[serde(deserialize_with = "short_text")]
        #[schema(max_length = 200)]
        name: String,
        /// The script's name without its folder; empty if unknown.
        #[serde(deserialize_with = "short_text")]
        #[schema(max_length = 200)]
        file: String,
        /// The line in the script; 0 if unknown.
        #[schema(minimum = 0, maximum = 4_294_967_295_u32)]
        line: u32,
        /// The column in the line; 0 if unknown.
        #[schema(minimum = 0, maximum = 4_294_967_295_u32)]
        column: u32,
    },
    /// A page that was shown.
    View {
        page: PageName,
        /// The object of the page.
        item: Option<ViewedItem>,
    },
    /// The way from the click on a link to the page that it opened.
    Click {
        page: PageName,
        /// The trace context that the requests of the new page had.
        #[serde(deserialize_with = "trace")]
        #[schema(value_type = String, pattern = "^00-[0-9a-f]{32}-[0-9a-f]{16}-[0-9a-f]{2}$")]
        traceparent: ClientTrace,
        /// Milliseconds from the click until the page was rendered.
        #[serde(deserialize_with = "time")]
        #[schema(value_type = f64, minimum = 0, maximum = 600_000)]
        duration: Duration,
        /// Milliseconds from the click until this report.
        #[serde(deserialize_with = "age")]
        #[schema(value_type = f64, minimum = 0, maximum = 86_400_000)]
        ago: Duration,
    },
}

/// A web vital that is a time (<https://web.dev/articles/vitals>).
#[derive(Debug, Clone, Copy, Deserialize, ToSchema)]
#[serde(rename_all = "UPPERCASE")]
pub(crate) enum VitalName {
    /// Largest Contentful Paint.
    Lcp,
    /// Interaction to Next Paint.
    Inp,
    /// Time to First Byte.
    Ttfb,
    /// First Contentful Paint.
    Fcp,
}

impl VitalName {
    /// Returns the name as a metric label.
    fn label(self) -> &'static str {
        match self {
            Self::Lcp => "lcp",
            Self::Inp => "inp",
            Self::Ttfb => "ttfb",
            Self::Fcp => "fcp",
        }
    }
}

/// An object of the catalogue.
#[derive(Debug, Deserialize, ToSchema)]
pub(crate) struct ViewedItem {
    kind: ResolvedKind,
    #[serde(deserialize_with = "item_id")]
    #[schema(minimum = 1, maximum = 9_007_199_254_740_991_i64, example = 1)]
    id: i64,
}

/// The name of a page in the table of pages, or [`OTHER`].
#[derive(Debug, Clone, Copy)]
pub(crate) struct PageName(&'static str);

impl<'de> Deserialize<'de> for PageName {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        read(deserializer, |name: String| {
            let mut names = page_names().chain([OTHER]);
            names.find(|known| *known == name).map(Self)
        })
    }
}

impl PartialSchema for PageName {
    fn schema() -> RefOr<Schema> {
        ObjectBuilder::new()
            .schema_type(Type::String)
            .enum_values(Some(page_names().chain([OTHER])))
            .description(Some(
                "The page's name in the table of pages; `other` for all other pages.",
            ))
            .into()
    }
}

impl ToSchema for PageName {}

/// Records measurements of the site's own pages: web vitals, script errors, views and clicks. Reports of crawlers are
/// ignored. Each gateway counts the calls of a client separately.
#[utoipa::path(post, path = "/api/v2/telemetry/", operation_id = "report_page", tag = "site",
    request_body = PageReport,
    responses((status = 204), (status = 400, body = ErrorBody), (status = 403, body = ErrorBody),
        (status = 413, body = ErrorBody), (status = 415, body = ErrorBody), TooMany))]
pub(crate) async fn record(
    State(reports): State<PageReports>,
    State(limits): State<Limits>,
    client: Client,
    headers: HeaderMap,
    report: Result<ShortBody<PageReport, MAX_BYTES>, ApiError>,
) -> Result<Response, ApiError> {
    let recording = async {
        // Counted first, so that invalid reports count too.
        client.pass(&limits, TELEMETRY).await?;
        let entries = checked(report?.0.entries)?;
        if is_bot(&headers) {
            page_reports::refuse("crawler");
            return Ok(());
        }
        for entry in entries {
            entry.record(&reports).await;
        }
        Ok(())
    };
    let recorded = recording.await;
    recorded.inspect_err(|error: &ApiError| page_reports::refuse(reason(error.status())))?;
    Ok(done())
}

/// Returns the metric label of a refusal.
fn reason(status: StatusCode) -> &'static str {
    match status {
        StatusCode::TOO_MANY_REQUESTS => "flood",
        StatusCode::PAYLOAD_TOO_LARGE => "size",
        _ => "invalid",
    }
}

fn checked(entries: Option<Vec<ReportEntry>>) -> Result<Vec<ReportEntry>, ApiError> {
    let entries = required("entries", entries)?;
    if !(1..=MAX_ENTRIES).contains(&entries.len()) {
        let message = format!("Give 1 to {MAX_ENTRIES} entries.");
        return Err(ApiError::field("entries", message));
    }
    Ok(entries)
}

impl ReportEntry {
    async fn record(self, reports: &PageReports) {
        match self {
            Self::Vital { page, name, value } => page_reports::vital(page.0, name.label(), value),
            Self::LayoutShift { page, value } => page_reports::layout_shift(page.0, value),
            Self::Error {
                page,
                name,
                file,
                line,
                column,
            } => {
                let error = ErrorReport {
                    page: page.0,
                    name: &name,
                    file: &file,
                    line,
                    column,
                };
                reports.error(error).await;
            }
            Self::View { page, item } => {
                page_reports::view(page.0, item.map(|item| (item.kind.name(), item.id)));
            }
            Self::Click {
                page,
                traceparent,
                duration,
                ago,
            } => reports.click(page.0, traceparent, ago, duration),
        }
    }
}

/// Reads a value and converts it; fails if the conversion returns `None`.
fn read<'de, D: Deserializer<'de>, T: Deserialize<'de>, V>(
    deserializer: D,
    convert: impl FnOnce(T) -> Option<V>,
) -> Result<V, D::Error> {
    let value = T::deserialize(deserializer)?;
    convert(value).ok_or_else(|| de::Error::custom("out of bounds"))
}

fn milliseconds<'de, D: Deserializer<'de>>(d: D, max: f64) -> Result<Duration, D::Error> {
    read(d, |value: f64| {
        let is_valid = (0.0..=max).contains(&value);
        is_valid.then(|| Duration::from_secs_f64(value / 1_000.0))
    })
}

fn time<'de, D: Deserializer<'de>>(d: D) -> Result<Duration, D::Error> {
    milliseconds(d, MAX_TIME)
}

fn age<'de, D: Deserializer<'de>>(d: D) -> Result<Duration, D::Error> {
    milliseconds(d, MAX_AGE)
}

fn shift<'de, D: Deserializer<'de>>(d: D) -> Result<f64, D::Error> {
    read(d, |value: f64| {
        (0.0..=MAX_SHIFT).contains(&value).then_some(value)
    })
}

fn short_text<'de, D: Deserializer<'de>>(d: D) -> Result<String, D::Error> {
    read(d, |text: String| {
        (text.chars().count() <= MAX_NAME).then_some(text)
    })
}

fn trace<'de, D: Deserializer<'de>>(d: D) -> Result<ClientTrace, D::Error> {
    read(d, |text: String| ClientTrace::parse(&text))
}

fn item_id<'de, D: Deserializer<'de>>(d: D) -> Result<i64, D::Error> {
    read(d, |value: i64| {
        (1..id::END).contains(&value).then_some(value)
    })
}
