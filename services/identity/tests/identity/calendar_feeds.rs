//! Private calendar feeds are found only by their secret.

use chassis::error::{Code, Fault};
use identity_proto::v1::{
    CalendarFeed, EndFeedRequest, FindFeedReaderRequest, GetFeedRequest, MakeFeedRequest,
    SetDisabledRequest,
};
use testkit::calls;

use crate::fixture::Fixture;

const ADA: &str = "ada@example.com";
const BOB: &str = "bob@example.com";

impl Fixture {
    async fn feed(&self, reader: i64) -> CalendarFeed {
        let request = calls::reader(reader, GetFeedRequest {});
        let found = self.feeds.clone().get_feed(request).await;
        found.expect("answers").into_inner()
    }

    pub(crate) async fn make_feed(&self, reader: i64) -> Result<String, Fault> {
        let request = calls::reader(reader, MakeFeedRequest {});
        let made = self.feeds.clone().make_feed(request).await?;
        Ok(made.into_inner().secret.expect("a secret"))
    }

    pub(crate) async fn end_feed(&self, reader: i64) {
        let request = calls::reader(reader, EndFeedRequest {});
        self.feeds.clone().end_feed(request).await.expect("ends");
    }

    pub(crate) async fn feed_reader(&self, secret: &str) -> Result<i64, Code> {
        let request = calls::guest(FindFeedReaderRequest {
            secret: secret.to_owned(),
        });
        let found = self.feeds.clone().find_feed_reader(request).await;
        found
            .map(|found| found.into_inner().profile_id)
            .map_err(|status| Fault::from(status).code)
    }
}

#[tokio::test]
async fn a_feed_is_found_by_its_latest_secret_alone() {
    let fixture = Fixture::new().await;
    let ada = fixture.register(ADA).await.expect("registers").profile_id;
    let bob = fixture.register(BOB).await.expect("registers").profile_id;
    assert_eq!(fixture.feed(ada).await, CalendarFeed::default());
    // Ending a feed that does not exist has no effect.
    fixture.end_feed(ada).await;

    let first = fixture.make_feed(ada).await.expect("makes");
    let his = fixture.make_feed(bob).await.expect("makes");
    assert_eq!(first.len(), 43);
    assert_eq!(fixture.feed_reader(&first).await, Ok(ada));
    let replica = fixture.replica().await;
    assert_eq!(replica.feed(ada).await.secret, Some(first.clone()));

    let second = replica.make_feed(ada).await.expect("makes");
    assert_eq!(fixture.feed_reader(&first).await, Err(Code::NotFound));
    assert_eq!(fixture.feed_reader(&second).await, Ok(ada));
    assert_eq!(fixture.feed(ada).await.secret, Some(second.clone()));

    fixture.end_feed(ada).await;
    for secret in ["", &first, &second] {
        assert_eq!(fixture.feed_reader(secret).await, Err(Code::NotFound));
    }
    assert_eq!(fixture.feed(ada).await, CalendarFeed::default());
    assert_eq!(fixture.feed_reader(&his).await, Ok(bob));
}

#[tokio::test]
async fn secrets_made_at_once_leave_one_that_is_shown_and_works() {
    let fixture = Fixture::new().await;
    let ada = fixture.register(ADA).await.expect("registers").profile_id;
    let making = (0..8).map(|_| fixture.make_feed(ada));
    let made = futures::future::join_all(making).await;
    let shown = fixture.feed(ada).await.secret.expect("is on");
    let mut working = Vec::new();
    for secret in made {
        let secret = secret.expect("makes");
        if fixture.feed_reader(&secret).await.is_ok() {
            working.push(secret);
        }
    }
    assert_eq!(working, [shown]);
}

#[tokio::test]
async fn no_secret_stands_in_the_database() {
    let fixture = Fixture::new().await;
    let ada = fixture.register(ADA).await.expect("registers").profile_id;
    let secret = fixture.make_feed(ada).await.expect("makes");
    let mut connection = fixture.parts.database.connection().await;
    let row: String = sqlx::query_scalar("SELECT f::text FROM identity.calendar_feeds f")
        .fetch_one(&mut connection)
        .await
        .expect("a row");
    assert!(!row.contains(&secret), "{row}");
}

#[tokio::test]
async fn the_feed_of_a_disabled_account_is_gone_until_it_is_enabled() {
    let fixture = Fixture::new().await;
    let ada = fixture.register(ADA).await.expect("registers").profile_id;
    let secret = fixture.make_feed(ada).await.expect("makes");
    for (is_disabled, found) in [(true, Err(Code::NotFound)), (false, Ok(ada))] {
        let request = calls::operator(SetDisabledRequest {
            id: ada,
            is_disabled,
        });
        let set = fixture.accounts.clone().set_disabled(request).await;
        set.expect("sets");
        assert_eq!(fixture.feed_reader(&secret).await, found);
    }
}

#[tokio::test]
async fn nobody_makes_a_feed_of_an_account_that_is_gone() {
    let fixture = Fixture::new().await;
    let refused = fixture.make_feed(99).await.expect_err("nobody");
    assert_eq!(refused.code, Code::NotAuthenticated);
}
