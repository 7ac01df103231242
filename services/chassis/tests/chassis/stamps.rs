//! The instant that a statement writes into its own event.

use chassis::instant;
use chrono::{DateTime, TimeDelta, Utc};
use cityguide_proto::events::v1::LastUpdated;
use prost::Message;
use testkit::database::TestDatabase;

#[tokio::test]
async fn an_instant_that_sql_encodes_is_read_as_it_was() {
    let database = TestDatabase::create().await;
    let pool = database.schema("probe").await;
    let text = |text: &str| text.parse::<DateTime<Utc>>().expect("an instant");
    let mut instants = vec![
        DateTime::UNIX_EPOCH,
        text("1970-01-01T00:00:00.000001Z"),
        text("1999-12-31T23:59:59.999999Z"),
        text("2026-11-23T06:22:25.120Z"),
        text("2038-01-19T03:14:08Z"),
        text("3058-01-01T00:00:00.999999Z"),
    ];
    // Both sides of every power of two, which include every change in the length of a varint.
    for bits in 0..=34 {
        instants.push(DateTime::UNIX_EPOCH + TimeDelta::seconds((1 << bits) - 1));
        instants.push(DateTime::UNIX_EPOCH + TimeDelta::seconds(1 << bits));
    }
    for at in instants {
        let bytes: Vec<u8> =
            sqlx::query_scalar("SELECT '\\x1a0c'::bytea || protobuf_timestamp($1)")
                .bind(at)
                .fetch_one(&pool)
                .await
                .expect("encodes");
        let event = LastUpdated::decode(bytes.as_slice()).expect("an event");
        assert_eq!(event.at, Some(instant::to_proto(at)));
    }
}
