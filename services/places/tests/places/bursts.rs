//! Bursts of votes on one place from one source are held back for an operator's decision, or for a day.

use chassis::{
    clock::Clock,
    error::{Code, Fault},
    instant,
};
use chrono::TimeDelta;
use places_proto::v1::{
    Burst, DecideBurstRequest, GetRatingRequest, ListBurstsRequest, Origin, RatingRecord,
};
use testkit::calls;

use crate::fixture::{Fixture, listings, place};

/// The number of votes from one source that count immediately under the fixture's settings.
const MAX: i64 = 3;

fn network(number: u8) -> Origin {
    Origin {
        network: format!("203.0.{number}.0/24"),
        account_created: None,
    }
}

impl Fixture {
    async fn with_places() -> (Self, i64, i64) {
        let fixture = Self::with_restaurants().await;
        fixture
            .import(listings([place(1, "Pai"), place(2, "Lena")]))
            .await;
        let all = fixture.by_name().await;
        let (pai, lena) = (all["Pai"].id, all["Lena"].id);
        (fixture, pai, lena)
    }

    async fn votes(&self, id: i64) -> (Option<f64>, i64) {
        let listing = self.detail(id, &[]).await.listing.expect("a place");
        (listing.rating, listing.voters)
    }

    async fn own_vote(&self, reader: i64, listing_id: i64) -> Option<i32> {
        let request = calls::reader(reader, GetRatingRequest { listing_id });
        let found = self.ratings.clone().get_rating(request).await;
        let own = found.expect("a place").into_inner().own;
        own.map(|vote| vote.rating)
    }

    /// Lets this many readers vote for a place from one source; their ids begin at `first`.
    async fn burst(
        &self,
        origin: &Origin,
        place: i64,
        first: i64,
        votes: i64,
    ) -> Vec<RatingRecord> {
        let mut records = Vec::new();
        for reader in first..first + votes {
            let rated = self.rate_from(origin.clone(), reader, place, 1).await;
            records.push(rated.expect("rates"));
        }
        records
    }

    async fn bursts(&self) -> Vec<Burst> {
        let request = calls::operator(ListBurstsRequest {});
        let answer = self.ratings.clone().list_bursts(request).await;
        answer.expect("answers").into_inner().bursts
    }

    async fn decide(&self, id: i64, accept: bool) -> Result<i64, Fault> {
        let request = calls::operator(DecideBurstRequest { id, accept });
        let answer = self.ratings.clone().decide_burst(request).await?;
        Ok(answer.into_inner().votes)
    }
}

#[tokio::test]
async fn votes_beyond_the_threshold_of_a_network_wait_and_their_readers_see_them() {
    let (fixture, pai, lena) = Fixture::with_places().await;
    fixture.burst(&network(1), pai, 1, MAX + 2).await;
    assert_eq!(fixture.votes(pai).await, (Some(1.0), MAX));
    assert_eq!(fixture.own_vote(MAX + 2, pai).await, Some(1));
    // Votes from another network, on another place, or an hour later count immediately.
    fixture.burst(&network(2), pai, 10, 1).await;
    fixture.burst(&network(1), lena, 1, MAX).await;
    assert_eq!(fixture.votes(pai).await.1, MAX + 1);
    assert_eq!(fixture.votes(lena).await.1, MAX);
    let bursts = fixture.bursts().await;
    let [burst] = &bursts[..] else {
        panic!("one burst: {bursts:?}")
    };
    assert_eq!(
        (burst.listing_name.as_str(), burst.source.as_str()),
        ("Pai", "network 203.0.1.0/24")
    );
    assert_eq!((burst.votes, burst.average), (2, 1.0));
    let day = fixture.parts.clock.now() + TimeDelta::hours(24);
    assert_eq!(
        burst.counts.as_ref().and_then(instant::from_proto),
        Some(day)
    );
    fixture.parts.clock.advance(TimeDelta::minutes(61));
    fixture.burst(&network(1), pai, 20, 1).await;
    assert_eq!(fixture.votes(pai).await.1, MAX + 2);
}

#[tokio::test]
async fn accounts_of_the_same_hour_are_one_source() {
    let (fixture, pai, _) = Fixture::with_places().await;
    let created = |minutes: i64, number: u8| Origin {
        account_created: Some(instant::to_proto(
            fixture.parts.clock.now() - TimeDelta::hours(3) + TimeDelta::minutes(minutes),
        )),
        ..network(number)
    };
    for (reader, minutes) in (1_u8..).zip([0, 20, 40, 59, 60]) {
        let origin = created(minutes, reader);
        let rated = fixture.rate_from(origin, reader.into(), pai, 5).await;
        rated.expect("rates");
    }
    // The fourth vote is held back. The fifth counts, because its account was created in the next hour.
    assert_eq!(fixture.votes(pai).await.1, 4);
    let bursts = fixture.bursts().await;
    assert_eq!(bursts.len(), 1);
    assert_eq!(
        bursts[0].source,
        "accounts created in the hour from 2026-11-20 09:00 UTC"
    );
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn parallel_votes_of_a_source_do_not_slip_past_the_threshold() {
    let (fixture, pai, _) = Fixture::with_places().await;
    let votes = (1..=30).map(|reader| fixture.rate_from(network(1), reader, pai, 5));
    for rated in futures::future::join_all(votes).await {
        rated.expect("rates");
    }
    assert_eq!(fixture.votes(pai).await, (Some(5.0), MAX));
    let bursts = fixture.bursts().await;
    assert_eq!((bursts.len(), bursts[0].votes), (1, 30 - MAX));
}

#[tokio::test]
async fn a_vote_that_waits_can_be_changed_and_taken_back_and_counts_nothing() {
    let (fixture, pai, _) = Fixture::with_places().await;
    let records = fixture.burst(&network(1), pai, 1, MAX + 2).await;
    let last = MAX + 2;
    let changed = fixture.rate_from(network(1), last, pai, 5).await;
    assert!(!changed.expect("changes").created);
    assert_eq!(fixture.own_vote(last, pai).await, Some(5));
    assert_eq!(fixture.votes(pai).await, (Some(1.0), MAX));
    let id = records[4].rating.expect("a vote").id;
    let request = places_proto::v1::DeleteRatingRequest { id };
    let request = calls::reader(last, request);
    let deleted = fixture.ratings.clone().delete_rating(request).await;
    deleted.expect("removed");
    assert_eq!(fixture.votes(pai).await, (Some(1.0), MAX));
    assert_eq!(fixture.bursts().await[0].votes, 1);
}

#[tokio::test]
async fn an_accepted_burst_counts_and_its_source_votes_freely_for_a_day() {
    let (fixture, pai, _) = Fixture::with_places().await;
    fixture.burst(&network(1), pai, 1, MAX + 2).await;
    let id = fixture.bursts().await[0].id;
    assert_eq!(fixture.decide(id, true).await, Ok(2));
    assert_eq!(fixture.votes(pai).await, (Some(1.0), MAX + 2));
    assert_eq!(fixture.bursts().await, []);
    let again = fixture.decide(id, false).await.expect_err("is decided");
    assert_eq!(again.code, Code::NotFound);
    fixture.burst(&network(1), pai, 20, 2).await;
    assert_eq!(fixture.votes(pai).await.1, MAX + 4);
}

#[tokio::test]
async fn a_refused_burst_never_counts_nor_do_further_votes_of_its_source_that_day() {
    let (fixture, pai, _) = Fixture::with_places().await;
    fixture.burst(&network(1), pai, 1, MAX + 2).await;
    let id = fixture.bursts().await[0].id;
    assert_eq!(fixture.decide(id, false).await, Ok(2));
    fixture.burst(&network(1), pai, 20, 1).await;
    assert_eq!(fixture.bursts().await, []);
    fixture.service.run().await;
    fixture.parts.clock.advance(TimeDelta::days(2));
    fixture.service.drain().await;
    let (_, voters) = fixture.votes(pai).await;
    assert_eq!(voters, MAX);
    assert_eq!(fixture.own_vote(20, pai).await, Some(1));
}

#[tokio::test]
async fn a_burst_that_nobody_looks_at_counts_after_a_day() {
    let (fixture, pai, _) = Fixture::with_places().await;
    fixture.burst(&network(1), pai, 1, MAX + 2).await;
    fixture.service.run().await;
    fixture.parts.clock.advance(TimeDelta::hours(23));
    fixture.service.drain().await;
    assert_eq!(fixture.votes(pai).await.1, MAX);
    fixture.parts.clock.advance(TimeDelta::hours(1));
    fixture.service.drain().await;
    assert_eq!(fixture.votes(pai).await, (Some(1.0), MAX + 2));
    assert_eq!(fixture.bursts().await, []);
}

#[tokio::test]
async fn only_operators_decide() {
    let (fixture, pai, _) = Fixture::with_places().await;
    fixture.burst(&network(1), pai, 1, MAX + 1).await;
    let mut client = fixture.ratings.clone();
    let listed = client
        .list_bursts(calls::reader(1, ListBurstsRequest {}))
        .await;
    let request = DecideBurstRequest {
        id: fixture.bursts().await[0].id,
        accept: true,
    };
    let decided = client.decide_burst(calls::reader(1, request)).await;
    for refused in [listed.map(drop), decided.map(drop)] {
        let fault = Fault::from(refused.expect_err("refused"));
        assert_eq!(fault.code, Code::Forbidden);
    }
    assert_eq!(fixture.votes(pai).await.1, MAX);
}
