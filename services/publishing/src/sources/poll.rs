//! A single poll of a source.

use std::time::Duration;

use chassis::{
    digest,
    fetch::{Fetched, Fetcher, Known, NotFetched, WebFile},
};
use chrono_tz::Tz;
use cityguide_proto::intake::v1::{Counts, Refusal, Report};
use editorial_proto::v1::{PollOutcome, PollResult, SourceLease};
use site::{SourceKind, SourceSettings};

use crate::import::{self, EventServices, Polled, articles};

/// Timeout of an import.
pub(super) const IMPORT_TIMEOUT: Duration = Duration::from_mins(5);
/// Maximum length of a reason, in characters.
const MAX_REASON: usize = 300;

/// Dependencies of polls.
#[derive(Debug)]
pub(super) struct Importer {
    pub(super) fetcher: Fetcher,
    pub(super) services: EventServices,
    pub(super) zone: Tz,
    /// Sections of the site's articles.
    pub(super) sections: Vec<String>,
}

pub(super) struct Polling {
    pub(super) outcome: PollOutcome,
    /// How long to wait before a retry, if the server failed and requested a pause.
    pub(super) retry_after: Option<Duration>,
}

impl Importer {
    /// Polls a source: requests changes since the poll recorded in its lease, and imports them. `is_forced` requests
    /// and imports everything.
    pub(super) async fn poll(
        &self,
        source: &SourceSettings,
        lease: &SourceLease,
        is_forced: bool,
    ) -> Polling {
        // Without a digest, the content of the tagged response was never imported, so it must be fetched again.
        let is_known = !is_forced && !lease.digest.is_empty();
        let known = if is_known {
            Known {
                etag: &lease.etag,
                last_modified: &lease.last_modified,
            }
        } else {
            Known::default()
        };
        match self.fetcher.get(&source.url, known).await {
            Err(NotFetched { why, retry_after }) => Polling {
                outcome: failed(&why),
                retry_after,
            },
            Ok(Fetched::Unchanged) if !is_known => Polling {
                outcome: failed("it answered 304, though nothing was known of it"),
                retry_after: None,
            },
            Ok(Fetched::Unchanged) => Polling {
                outcome: PollOutcome {
                    etag: lease.etag.clone(),
                    last_modified: lease.last_modified.clone(),
                    digest: lease.digest.clone(),
                    ..outcome(PollResult::Unchanged, "")
                },
                retry_after: None,
            },
            Ok(Fetched::File(file)) => Polling {
                outcome: self
                    .taken(source, file, is_known.then_some(&lease.digest))
                    .await,
                retry_after: None,
            },
        }
    }

    /// Imports a file unless its content is unchanged: a server may send new content with the same tag.
    async fn taken(
        &self,
        source: &SourceSettings,
        file: WebFile,
        known: Option<&String>,
    ) -> PollOutcome {
        let digest = digest::hex(&file.content, 32);
        let of_file = |outcome: PollOutcome| PollOutcome {
            etag: file.etag.clone(),
            last_modified: file.last_modified.clone(),
            digest: digest.clone(),
            ..outcome
        };
        if known == Some(&digest) {
            return of_file(outcome(PollResult::Unchanged, ""));
        }
        let imported = tokio::time::timeout(IMPORT_TIMEOUT, self.import(source, &file)).await;
        match imported {
            Err(_) => failed("its import took too long"),
            Ok(Err(why)) => failed(&why),
            Ok(Ok(report)) => of_file(imported_as(&report)),
        }
    }

    async fn import(&self, source: &SourceSettings, file: &WebFile) -> Result<Report, String> {
        let polled = Polled {
            content: file.content.clone(),
            source: source.name.clone(),
            are_drafts: source.are_drafts(),
        };
        let services = self.services.clone();
        match source.kind {
            SourceKind::Events => import::polled_events(services, self.zone, polled).await,
            SourceKind::Articles => {
                let editorial = services.editorial;
                let plan = articles::Plan::of_source(source, &self.sections)?;
                articles::polled_articles(editorial, polled, plan, self.zone).await
            }
        }
    }
}

fn imported_as(report: &Report) -> PollOutcome {
    let mut counts = Counts::default();
    for of in report.kinds.iter().filter_map(|of| of.counts) {
        counts.created += of.created;
        counts.changed += of.changed;
        counts.unchanged += of.unchanged;
        counts.refused += of.refused;
    }
    let reason = report.refusals.first().map(|refusal| {
        let Refusal {
            position, reason, ..
        } = refusal;
        format!("{position}: {reason}")
    });
    PollOutcome {
        counts: Some(counts),
        ..outcome(PollResult::Imported, &reason.unwrap_or_default())
    }
}

fn failed(why: &str) -> PollOutcome {
    outcome(PollResult::Failed, why)
}

fn outcome(result: PollResult, reason: &str) -> PollOutcome {
    let reason = reason.chars().filter(|sign| !sign.is_control());
    PollOutcome {
        result: result.into(),
        reason: reason.take(MAX_REASON).collect(),
        ..PollOutcome::default()
    }
}
