//! Leases of processes that poll sources.

use chassis::error::{Code, Fault};
use chrono::TimeDelta;
use cityguide_proto::intake::v1::Counts;
use editorial_proto::v1::{
    ConfiguredSource, LeaseRequest, ListSourcesRequest, PollOutcome, PollResult, RecordRequest,
    SourceLease, SourceState, sources_client::SourcesClient,
};
use testkit::calls;

use crate::fixture::Fixture;

async fn lease(fixture: &Fixture, names: &[(&str, &str)], is_forced: bool) -> Option<SourceLease> {
    let sources = names.iter().map(|(name, config)| ConfiguredSource {
        name: (*name).to_owned(),
        config: (*config).to_owned(),
    });
    let request = LeaseRequest {
        sources: sources.collect(),
        seconds: 60,
        is_forced,
    };
    let mut client = SourcesClient::new(fixture.service.transport());
    let answer = client.lease(calls::operator(request)).await;
    answer.expect("an answer").into_inner().lease
}

async fn record(
    fixture: &Fixture,
    lease: &SourceLease,
    outcome: Option<PollOutcome>,
) -> Result<(), Fault> {
    let request = RecordRequest {
        name: lease.name.clone(),
        id: lease.id.clone(),
        outcome,
        next_in_seconds: 600,
    };
    let mut client = SourcesClient::new(fixture.service.transport());
    let answer = client.record(calls::operator(request)).await;
    answer.map(|_| ()).map_err(Fault::from)
}

fn outcome(result: PollResult, digest: &str) -> PollOutcome {
    PollOutcome {
        result: result.into(),
        reason: "why".to_owned(),
        etag: "tag".to_owned(),
        last_modified: "then".to_owned(),
        digest: digest.to_owned(),
        counts: Some(Counts {
            created: 3,
            ..Counts::default()
        }),
    }
}

async fn state(fixture: &Fixture) -> SourceState {
    let mut client = SourcesClient::new(fixture.service.transport());
    let request = calls::operator(ListSourcesRequest {});
    let answer = client.list(request).await.expect("an answer");
    answer.into_inner().sources.remove(0)
}

const DESK: &[(&str, &str)] = &[("desk", "1")];

#[tokio::test]
async fn a_turn_belongs_to_one_until_it_ends_or_expires() {
    let fixture = Fixture::new().await;
    let both = [("desk", "1"), ("hall", "1")];
    let first = lease(&fixture, &both, false).await.expect("due");
    let second = lease(&fixture, &both, false).await.expect("due");
    assert_ne!(first.name, second.name);
    assert_eq!(lease(&fixture, &both, false).await, None);
    assert_eq!(lease(&fixture, &both, true).await, None);
    // A source whose poll was interrupted is due again immediately; a source whose process was killed is due again once
    // its lease has expired.
    record(&fixture, &first, None).await.expect("ours");
    let again = lease(&fixture, &both, false).await.expect("due");
    assert_eq!(again.name, first.name);
    fixture.parts.clock.advance(TimeDelta::seconds(61));
    let expired = lease(&fixture, &both, false).await.expect("due");
    assert_eq!(expired.name, again.name);
    let refused = record(&fixture, &again, Some(outcome(PollResult::Imported, "a"))).await;
    assert_eq!(refused.expect_err("another's").code, Code::Conflict);
}

#[tokio::test]
async fn what_is_known_of_an_answer_stays_until_another_or_other_settings() {
    let fixture = Fixture::new().await;
    let turn = lease(&fixture, DESK, false).await.expect("due");
    assert_eq!((turn.etag.as_str(), turn.failures), ("", 0));
    let imported = outcome(PollResult::Imported, "a");
    record(&fixture, &turn, Some(imported)).await.expect("ours");
    assert_eq!(lease(&fixture, DESK, false).await, None);
    let turn = lease(&fixture, DESK, true).await.expect("asked for");
    assert_eq!(
        (
            turn.etag.as_str(),
            turn.last_modified.as_str(),
            turn.digest.as_str()
        ),
        ("tag", "then", "a")
    );
    fixture.parts.clock.advance(TimeDelta::seconds(1));
    record(&fixture, &turn, Some(outcome(PollResult::Failed, "b")))
        .await
        .expect("ours");
    fixture.parts.clock.advance(TimeDelta::seconds(601));
    let turn = lease(&fixture, DESK, false).await.expect("due");
    assert_eq!((turn.digest.as_str(), turn.failures), ("a", 1));
    let seen = state(&fixture).await;
    assert_eq!(
        (seen.result(), seen.counts.expect("counts").created),
        (PollResult::Failed, 3)
    );
    assert_ne!(seen.polled_at, seen.succeeded_at);
    record(&fixture, &turn, None).await.expect("ours");
    let turn = lease(&fixture, &[("desk", "2")], false).await.expect("due");
    assert_eq!((turn.etag.as_str(), turn.digest.as_str()), ("", ""));
}

#[tokio::test]
async fn turns_are_for_operators() {
    let fixture = Fixture::new().await;
    let mut client = SourcesClient::new(fixture.service.transport());
    let refused = [
        client
            .lease(calls::guest(LeaseRequest::default()))
            .await
            .map(drop),
        client
            .lease(calls::reader(1, LeaseRequest::default()))
            .await
            .map(drop),
        client
            .record(calls::reader(1, RecordRequest::default()))
            .await
            .map(drop),
        client
            .list(calls::reader(1, ListSourcesRequest {}))
            .await
            .map(drop),
    ];
    for answer in refused {
        assert_eq!(
            answer.map_err(Fault::from).expect_err("refused").code,
            Code::Forbidden
        );
    }
}
