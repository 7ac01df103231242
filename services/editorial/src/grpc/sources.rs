//! Protobuf conversions for polled sources.

use chassis::{
    call::Caller,
    error::{Code, Fault},
    instant,
};
use cityguide_proto::intake::v1::Counts;
use editorial_proto::v1::{
    self as proto, LeaseRequest, LeaseResponse, ListSourcesRequest, ListSourcesResponse,
    PollOutcome, RecordRequest, RecordResponse, SourceLease, sources_server::Sources,
};
use tonic::{Request, Response, Status, async_trait};

use super::Api;
use crate::{
    domain::polling::{Configured, Poll, PollCounts, PollResult, SourceState},
    usecases::poll_sources::{lease, list, record},
};

#[async_trait]
impl Sources for Api {
    async fn lease(
        &self,
        request: Request<LeaseRequest>,
    ) -> Result<Response<LeaseResponse>, Status> {
        Caller::from_request(&request).operator()?;
        let request = request.into_inner();
        let configured = request.sources.into_iter().map(|source| Configured {
            name: source.name,
            config: source.config,
        });
        let configured: Vec<_> = configured.collect();
        let leased = lease(
            &self.context,
            &configured,
            request.seconds,
            request.is_forced,
        );
        let lease = leased.await?.map(|lease| SourceLease {
            name: lease.name,
            id: lease.id.to_string(),
            etag: lease.etag,
            last_modified: lease.last_modified,
            digest: lease.digest,
            failures: count(lease.failures),
        });
        Ok(Response::new(LeaseResponse { lease }))
    }

    async fn record(
        &self,
        request: Request<RecordRequest>,
    ) -> Result<Response<RecordResponse>, Status> {
        Caller::from_request(&request).operator()?;
        let request = request.into_inner();
        let lease = request.id.parse();
        let lease = lease.map_err(|_| Fault::new(Code::Invalid, "The lease has no id."))?;
        let poll = request.outcome.map(poll).transpose()?;
        let turn = (request.name.as_str(), lease);
        record(&self.context, turn, poll, request.next_in_seconds).await?;
        Ok(Response::new(RecordResponse {}))
    }

    async fn list(
        &self,
        request: Request<ListSourcesRequest>,
    ) -> Result<Response<ListSourcesResponse>, Status> {
        Caller::from_request(&request).operator()?;
        let sources = list(&self.context).await?.into_iter().map(state).collect();
        Ok(Response::new(ListSourcesResponse { sources }))
    }
}

fn poll(outcome: PollOutcome) -> Result<Poll, Fault> {
    let result = match outcome.result() {
        proto::PollResult::Imported => PollResult::Imported,
        proto::PollResult::Unchanged => PollResult::Unchanged,
        proto::PollResult::Failed => PollResult::Failed,
        proto::PollResult::Unspecified => {
            return Err(Fault::new(Code::Invalid, "The poll has no result."));
        }
    };
    let counts = outcome.counts.unwrap_or_default();
    let stored = |count: u32| i32::try_from(count).unwrap_or(i32::MAX);
    Ok(Poll {
        result,
        reason: outcome.reason,
        etag: outcome.etag,
        last_modified: outcome.last_modified,
        digest: outcome.digest,
        counts: PollCounts {
            created: stored(counts.created),
            changed: stored(counts.changed),
            unchanged: stored(counts.unchanged),
            refused: stored(counts.refused),
        },
    })
}

fn state(state: SourceState) -> proto::SourceState {
    let result = match state.result {
        None => proto::PollResult::Unspecified,
        Some(PollResult::Imported) => proto::PollResult::Imported,
        Some(PollResult::Unchanged) => proto::PollResult::Unchanged,
        Some(PollResult::Failed) => proto::PollResult::Failed,
    };
    proto::SourceState {
        name: state.name,
        first_seen_at: Some(instant::to_proto(state.first_seen_at)),
        next_poll_at: Some(instant::to_proto(state.next_poll_at)),
        polled_at: state.polled_at.map(instant::to_proto),
        succeeded_at: state.succeeded_at.map(instant::to_proto),
        leased_until: state.leased_until.map(instant::to_proto),
        result: result.into(),
        reason: state.reason,
        counts: Some(Counts {
            created: count(state.counts.created),
            changed: count(state.counts.changed),
            unchanged: count(state.counts.unchanged),
            refused: count(state.counts.refused),
        }),
        failures: count(state.failures),
    }
}

/// Stored counts are never negative.
fn count(stored: i32) -> u32 {
    stored.unsigned_abs()
}
