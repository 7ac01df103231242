//! Searches leave database capacity for other calls.

use editorial_proto::v1::Kind;
use futures::future::join_all;
use sqlx::{AssertSqlSafe, Connection};
use testkit::{calls, until};

use crate::{
    fixture::all,
    search_city::{City, request, small_city},
};

#[tokio::test]
async fn searches_that_wait_for_the_database_leave_connections_for_other_calls() {
    let city = City::start().await;
    city.import_places(small_city()).await;
    city.comes_to("longwave", &["Longwave"]).await;
    let database = &city.fixture.parts.database;
    let mut connection = database.connection().await;
    let mut transaction = connection.begin().await.expect("begins");
    sqlx::query("LOCK TABLE editorial.search_documents")
        .execute(&mut *transaction)
        .await
        .expect("locks");
    let waiting = "SELECT count(*) FROM pg_stat_activity
        WHERE application_name = 'cityguide-editorial' AND wait_event_type = 'Lock'";
    let searches = (0..20).map(|_| {
        let mut client = city.client.clone();
        async move { client.search(calls::guest(request("longwave"))).await }
    });
    let others = async {
        until("searches wait", async || {
            (database.number(waiting).await > 0).then_some(())
        })
        .await;
        assert!(city.fixture.names(all(Kind::Article)).await.is_empty());
        let waiting = database.number(waiting).await;
        assert!(waiting <= 4, "{waiting} of five connections");
        transaction.rollback().await.expect("ends");
    };
    // The searches may time out before the lock is released.
    tokio::join!(join_all(searches), others);
    assert_eq!(city.names("longwave").await, ["Longwave"]);
}

/// Otherwise, PostgreSQL would run the statement until the pool's statement timeout.
#[tokio::test]
async fn the_statement_of_a_search_ends_with_its_call() {
    let city = City::start().await;
    city.import_places(small_city()).await;
    city.comes_to("longwave", &["Longwave"]).await;
    let mut connection = city.fixture.parts.database.connection().await;
    // Notes the timeout of each statement that reads documents.
    for statement in [
        "CREATE TABLE editorial.timeouts (milliseconds bigint)",
        "CREATE FUNCTION editorial.noted() RETURNS boolean LANGUAGE sql VOLATILE AS
             'INSERT INTO editorial.timeouts SELECT extract(epoch FROM current_setting(''statement_timeout'')::interval) * 1000
              RETURNING true'",
        "ALTER TABLE editorial.search_documents RENAME TO documents",
        "CREATE VIEW editorial.search_documents AS SELECT * FROM editorial.documents WHERE editorial.noted()",
    ] {
        let done = sqlx::query(AssertSqlSafe(statement)).execute(&mut connection).await;
        done.expect(statement);
    }
    assert_eq!(city.names("longwave").await, ["Longwave"]);
    let least: i64 = sqlx::query_scalar("SELECT min(milliseconds) FROM editorial.timeouts")
        .fetch_one(&mut connection)
        .await
        .expect("answers");
    let pools = i64::try_from(calls::TIMEOUT.as_millis()).expect("few");
    assert!(0 < least && least < pools, "{least}");
}
