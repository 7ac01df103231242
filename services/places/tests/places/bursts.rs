//! Bursts of votes on one place from one source: they wait for an operator, or for a day.

use std::time::Duration;

use chassis::{
    clock::Clock,
    error::{Code, Fault},
    instant,
};
use chrono::TimeDelta;
use cityguide_proto::places::v1::{
    Burst, DecideBurstRequest, GetRatingRequest, ListBurstsRequest, Origin, RatingRecord,
};
use testkit::{calls, until};

use crate::bench::{Bench, listings, place};

/// The bench's settings: as many votes from one source count at once.
const MOST: i64 = 3;

fn network(number: u8) -> Origin {
    Origin {
        network: format!("203.0.{number}.0/24"),
        account_created: None,
    }
}

impl Bench {
    async fn with_places() -> (Self, i64, i64) {
        let bench = Self::with_restaurants().await;
        bench
            .import(listings([place(1, "Pai"), place(2, "Lena")]))
            .await;
        let all = bench.by_name().await;
        let (pai, lena) = (all["Pai"].id, all["Lena"].id);
        (bench, pai, lena)
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

    /// Votes of as many readers as given, from `first` on, from one source.
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

    /// Lets the service's jobs run once.
    async fn settle(&self) {
        tokio::time::pause();
        tokio::time::advance(Duration::from_secs(61)).await;
        tokio::time::resume();
    }
}

#[tokio::test]
async fn votes_beyond_the_threshold_of_a_network_wait_and_their_readers_see_them() {
    let (bench, pai, lena) = Bench::with_places().await;
    bench.burst(&network(1), pai, 1, MOST + 2).await;
    assert_eq!(bench.votes(pai).await, (Some(1.0), MOST));
    assert_eq!(bench.own_vote(MOST + 2, pai).await, Some(1));
    // From another network, on another place, or an hour later they count at once.
    bench.burst(&network(2), pai, 10, 1).await;
    bench.burst(&network(1), lena, 1, MOST).await;
    assert_eq!(bench.votes(pai).await.1, MOST + 1);
    assert_eq!(bench.votes(lena).await.1, MOST);
    let bursts = bench.bursts().await;
    let [burst] = &bursts[..] else {
        panic!("one burst: {bursts:?}")
    };
    assert_eq!(
        (burst.listing_name.as_str(), burst.source.as_str()),
        ("Pai", "network 203.0.1.0/24")
    );
    assert_eq!((burst.votes, burst.average), (2, 1.0));
    let day = bench.parts.clock.now() + TimeDelta::hours(24);
    assert_eq!(
        burst.counts.as_ref().and_then(instant::from_proto),
        Some(day)
    );
    bench.parts.clock.advance(TimeDelta::minutes(61));
    bench.burst(&network(1), pai, 20, 1).await;
    assert_eq!(bench.votes(pai).await.1, MOST + 2);
}

#[tokio::test]
async fn accounts_of_the_same_hour_are_one_source() {
    let (bench, pai, _) = Bench::with_places().await;
    let created = |minutes: i64, number: u8| Origin {
        account_created: Some(instant::to_proto(
            bench.parts.clock.now() - TimeDelta::hours(3) + TimeDelta::minutes(minutes),
        )),
        ..network(number)
    };
    for (reader, minutes) in (1_u8..).zip([0, 20, 40, 59, 60]) {
        let origin = created(minutes, reader);
        let rated = bench.rate_from(origin, reader.into(), pai, 5).await;
        rated.expect("rates");
    }
    // The fourth waits; the fifth account is of the next hour.
    assert_eq!(bench.votes(pai).await.1, 4);
    let bursts = bench.bursts().await;
    assert_eq!(bursts.len(), 1);
    assert_eq!(
        bursts[0].source,
        "accounts created in the hour from 2026-11-20 09:00 UTC"
    );
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn parallel_votes_of_a_source_do_not_slip_past_the_threshold() {
    let (bench, pai, _) = Bench::with_places().await;
    let votes = (1..=30).map(|reader| bench.rate_from(network(1), reader, pai, 5));
    for rated in futures::future::join_all(votes).await {
        rated.expect("rates");
    }
    assert_eq!(bench.votes(pai).await, (Some(5.0), MOST));
    let bursts = bench.bursts().await;
    assert_eq!((bursts.len(), bursts[0].votes), (1, 30 - MOST));
}

#[tokio::test]
async fn a_vote_that_waits_can_be_changed_and_taken_back_and_counts_nothing() {
    let (bench, pai, _) = Bench::with_places().await;
    let records = bench.burst(&network(1), pai, 1, MOST + 2).await;
    let last = MOST + 2;
    let changed = bench.rate_from(network(1), last, pai, 5).await;
    assert!(!changed.expect("changes").created);
    assert_eq!(bench.own_vote(last, pai).await, Some(5));
    assert_eq!(bench.votes(pai).await, (Some(1.0), MOST));
    let id = records[4].rating.expect("a vote").id;
    let request = cityguide_proto::places::v1::DeleteRatingRequest { id };
    let request = calls::reader(last, request);
    let deleted = bench.ratings.clone().delete_rating(request).await;
    deleted.expect("removed");
    assert_eq!(bench.votes(pai).await, (Some(1.0), MOST));
    assert_eq!(bench.bursts().await[0].votes, 1);
}

#[tokio::test]
async fn an_accepted_burst_counts_and_its_source_votes_freely_for_a_day() {
    let (bench, pai, _) = Bench::with_places().await;
    bench.burst(&network(1), pai, 1, MOST + 2).await;
    let id = bench.bursts().await[0].id;
    assert_eq!(bench.decide(id, true).await, Ok(2));
    assert_eq!(bench.votes(pai).await, (Some(1.0), MOST + 2));
    assert_eq!(bench.bursts().await, []);
    let again = bench.decide(id, false).await.expect_err("is decided");
    assert_eq!(again.code, Code::NotFound);
    bench.burst(&network(1), pai, 20, 2).await;
    assert_eq!(bench.votes(pai).await.1, MOST + 4);
}

#[tokio::test]
async fn a_refused_burst_never_counts_nor_do_further_votes_of_its_source_that_day() {
    let (bench, pai, _) = Bench::with_places().await;
    bench.burst(&network(1), pai, 1, MOST + 2).await;
    let id = bench.bursts().await[0].id;
    assert_eq!(bench.decide(id, false).await, Ok(2));
    bench.burst(&network(1), pai, 20, 1).await;
    assert_eq!(bench.bursts().await, []);
    bench.service.run().await;
    bench.parts.clock.advance(TimeDelta::days(2));
    tokio::time::sleep(Duration::from_millis(50)).await;
    bench.settle().await;
    // Time for the job to end: what waits is counted within it.
    let (_, voters) = bench.votes(pai).await;
    assert_eq!(voters, MOST);
    assert_eq!(bench.own_vote(20, pai).await, Some(1));
}

#[tokio::test]
async fn a_burst_that_nobody_looks_at_counts_after_a_day() {
    let (bench, pai, _) = Bench::with_places().await;
    bench.burst(&network(1), pai, 1, MOST + 2).await;
    bench.service.run().await;
    tokio::time::sleep(Duration::from_millis(50)).await;
    bench.parts.clock.advance(TimeDelta::hours(23));
    bench.settle().await;
    assert_eq!(bench.votes(pai).await.1, MOST);
    bench.parts.clock.advance(TimeDelta::hours(1));
    bench.settle().await;
    until("the votes count", async || {
        (bench.votes(pai).await == (Some(1.0), MOST + 2)).then_some(())
    })
    .await;
    assert_eq!(bench.bursts().await, []);
}

#[tokio::test]
async fn only_operators_decide() {
    let (bench, pai, _) = Bench::with_places().await;
    bench.burst(&network(1), pai, 1, MOST + 1).await;
    let mut client = bench.ratings.clone();
    let listed = client
        .list_bursts(calls::reader(1, ListBurstsRequest {}))
        .await;
    let request = DecideBurstRequest {
        id: bench.bursts().await[0].id,
        accept: true,
    };
    let decided = client.decide_burst(calls::reader(1, request)).await;
    for refused in [listed.map(drop), decided.map(drop)] {
        let fault = Fault::from(refused.expect_err("refused"));
        assert_eq!(fault.code, Code::Forbidden);
    }
    assert_eq!(bench.votes(pai).await.1, MOST);
}
