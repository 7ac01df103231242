//! The attacked site and its stored data.

use std::{
    collections::{BTreeMap, HashMap},
    sync::Arc,
};

use chassis::clock::SystemClock;
use cityguide::Settings;
use reqwest::Method;
use serde_json::json;
use sqlx::{AssertSqlSafe, Connection, PgConnection};
use testkit::{facebook::Facebook, until};

use crate::{
    answers::{City, READER},
    app::{App, Browser, answer},
    document::Operation,
    facebook, items,
    site::Site,
};

/// The stored data by table: the number of rows and a digest of them.
type Stored = BTreeMap<String, (i64, String)>;

/// The site, its objects, and a saved thing of each kind.
pub(super) struct Target {
    pub(super) site: Site,
    pub(super) city: City,
    pub(super) reader: Browser,
    /// The id of a record that is changed or deleted, by the path of its list.
    records: HashMap<String, i64>,
    /// A stand-in for Facebook that refuses every token.
    _facebook: Facebook,
}

impl Target {
    pub(super) async fn set_up() -> Self {
        let facebook = Facebook::start().await;
        let here = |settings: &mut Settings| {
            // An address to which browsers offer passkeys.
            settings.site.url = "http://localhost".into();
            facebook::set(settings, &facebook);
        };
        let site = Site::Whole(Box::pin(App::start_with(Arc::new(SystemClock), here)).await);
        let reader = site.browser();
        let city = City::publish(&site, &reader).await;
        reader.sign_up(READER).await;
        let article = items::id_at(&reader, "/culture/tram/").await;
        let event = items::id_at(&reader, "/events/market/").await;
        let video = items::id_at(&reader, "/videos/ferry/").await;
        let mut records = HashMap::new();
        for (list, body) in [
            ("favourites", json!({"listing": 1})),
            ("todos", json!({"listing": 1})),
            ("ratings", json!({"listing": 1, "rating": 3})),
            ("article-bookmarks", json!({"object_id": article})),
            ("event-bookmarks", json!({"object_id": event})),
            ("video-bookmarks", json!({"video": video})),
        ] {
            let path = format!("/api/v2/{list}/");
            let (status, saved) = answer(reader.post(&path, &body).await).await;
            assert_eq!(status, 201, "{list}: {saved}");
            records.insert(path, saved["id"].as_i64().expect("an id"));
        }
        Self {
            site,
            city,
            reader,
            records,
            _facebook: facebook,
        }
    }

    /// Waits for the job that orders places by their votes once a minute, so that it changes nothing later.
    pub(super) async fn ranked(&self) {
        let unranked = "SELECT count(*) FROM places.listing_votes WHERE NOT is_ranked";
        let mut database = self.database().await;
        until("the votes are ranked", async || {
            let number: i64 = sqlx::query_scalar(unranked)
                .fetch_one(&mut database)
                .await
                .expect("the votes");
            (number == 0).then_some(())
        })
        .await;
    }

    async fn database(&self) -> PgConnection {
        let url = &self.site.settings().database.url;
        PgConnection::connect(url).await.expect("connects")
    }

    /// The path of an existing object of the operation, with the query that it requires.
    pub(super) fn path(&self, operation: &Operation) -> String {
        let list = operation.path.trim_end_matches("{id}/");
        match self.records.get(list) {
            Some(id) if operation.method != Method::GET => {
                operation.path.replace("{id}", &id.to_string())
            }
            _ => self.city.path(operation),
        }
    }

    /// Returns the stored data, except the audit log, which counts failed attempts, the counts of searches without
    /// results, and the data that gateways report to the ads service every two seconds: pages, refusals and their
    /// presence.
    async fn stored(&self) -> Stored {
        let mut database = self.database().await;
        let tables: Vec<String> = sqlx::query_scalar(
            "SELECT format('%I.%I', table_schema, table_name) FROM information_schema.tables
             WHERE table_type = 'BASE TABLE' AND table_schema NOT IN ('pg_catalog', 'information_schema')
             AND table_name <> 'audit_entries' AND table_name NOT LIKE 'search_miss%'
             AND NOT (table_schema = 'ads' AND table_name IN ('refusals', 'servers', 'traffic'))",
        )
        .fetch_all(&mut database)
        .await
        .expect("tables");
        assert!(tables.len() > 20, "{tables:?}");
        let mut stored = BTreeMap::new();
        for table in tables {
            // The instant of a session's last activity is not a change by the attacked operation. Neither is the order
            // of places by existing votes, which a job computes once a minute. The votes themselves are compared, in
            // `ratings` and `listing_votes`.
            let rows = format!(
                "SELECT count(*), coalesce(md5(string_agg(row, '' ORDER BY row)), '') FROM (
                     SELECT (to_jsonb(t) - '{{last_active_at,is_ranked,rating_sum,rating_count,rating_rank}}'::text[])::text
                         AS row
                     FROM {table} t) AS rows"
            );
            let found = sqlx::query_as(AssertSqlSafe(rows));
            let found = found.fetch_one(&mut database).await.expect(&table);
            stored.insert(table, found);
        }
        stored
    }

    /// Returns the stored data once all events and jobs have been handled.
    pub(super) async fn settled(&self) -> Stored {
        until("nothing is under way", async || {
            let stored = self.stored().await;
            let waits = |(table, (rows, _)): (&String, &(i64, String))| {
                let name = table.rsplit('.').next();
                *rows > 0 && matches!(name, Some("outbox" | "jobs" | "search_due"))
            };
            (!stored.iter().any(waits)).then_some(stored)
        })
        .await
    }
}
