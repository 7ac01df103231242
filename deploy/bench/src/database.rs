//! The site's database as the bench sees it: readers to act for, and the references' own tables.

use std::time::Duration;

use anyhow::{Context, bail};
use sqlx::{AssertSqlSafe, Connection, PgConnection, Row};

use crate::load::CONNECTIONS;

/// Readers who act.
pub(crate) const CAST: usize = CONNECTIONS * READERS_EACH;
/// Readers of each connection: enough that a reader's changes do not wait for each other.
pub(crate) const READERS_EACH: usize = 6;
/// The references' tables, which no relay looks at.
pub(crate) const REFERENCE: &str = "reference";
/// Ids of records prepared for deletion begin here, far from those of the sequence.
pub(crate) const MADE_FROM: i64 = 1_000_000_000;
/// The time in which events must be handled.
const TIMEOUT: Duration = Duration::from_mins(2);

/// Readers with open sessions. They are written as rows: registering each would hash its password, which is
/// slow on purpose and not measured here.
const READERS: &str = "
    INSERT INTO identity.profiles (full_name, email, email_key, password_hash, created_at)
    SELECT 'Reader', email, email, '', now()
    FROM (SELECT format('bench-%s@example.com', i) AS email FROM generate_series(1, {readers}) i) r
    WHERE NOT EXISTS (SELECT FROM identity.profiles WHERE email_key LIKE 'bench-%');
    INSERT INTO identity.sessions (token_digest, profile_id, device, created_at, last_active_at)
    SELECT sha256(convert_to(format('bench-session-%s', id), 'UTF8')), id, '', now(), now()
    FROM identity.profiles WHERE email_key LIKE 'bench-%'
    ON CONFLICT (token_digest) DO UPDATE SET last_active_at = now();
    INSERT INTO bookmarks.stamps (profile_id, kind, at, count)
    SELECT id, 'favourites', now(), 0 FROM identity.profiles WHERE email_key LIKE 'bench-%'
    ON CONFLICT DO NOTHING;";

/// Copies of the tables, with the same indexes and constraints.
const TABLES: &str = "
    DROP SCHEMA IF EXISTS reference CASCADE;
    CREATE SCHEMA reference;
    CREATE TABLE reference.targets (LIKE bookmarks.targets INCLUDING ALL);
    INSERT INTO reference.targets SELECT * FROM bookmarks.targets;
    CREATE TABLE reference.stamps (LIKE bookmarks.stamps INCLUDING ALL);
    INSERT INTO reference.stamps SELECT * FROM bookmarks.stamps;
    CREATE TABLE reference.bookmarks (LIKE bookmarks.bookmarks INCLUDING ALL);
    CREATE TABLE reference.outbox (LIKE bookmarks.outbox INCLUDING ALL);
    CREATE TABLE reference.commits (id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY, at timestamptz NOT NULL);
    ANALYZE;";

/// The readers that act and the places that they act on: both are ranges of ids without gaps.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Cast {
    pub(crate) first_reader: i64,
    pub(crate) first_listing: i64,
}

impl Cast {
    /// The reader of a connection's n-th request.
    pub(crate) fn reader(&self, connection: usize, n: usize) -> i64 {
        self.first_reader + number(connection * READERS_EACH + n % READERS_EACH)
    }

    /// All readers.
    pub(crate) fn readers(&self) -> impl Iterator<Item = i64> + use<> {
        let first = self.first_reader;
        (0..number(CAST)).map(move |at| first + at)
    }

    /// The place of the n-th request: its pair with the reader does not repeat.
    pub(crate) fn listing(&self, n: usize) -> i64 {
        self.first_listing + number(n / READERS_EACH)
    }

    /// The same choice, as a pgbench script.
    pub(crate) fn script(&self) -> String {
        let Self {
            first_reader,
            first_listing,
        } = self;
        format!(
            "\\set profile {first_reader} + :client_id * {READERS_EACH} + :n % {READERS_EACH}\n\
             \\set listing {first_listing} + :n / {READERS_EACH}\n"
        )
    }
}

/// The session of a reader.
pub(crate) fn session(reader: i64) -> String {
    format!("bench-session-{reader}")
}

pub(crate) fn number(n: usize) -> i64 {
    i64::try_from(n).unwrap_or(i64::MAX)
}

/// A connection of the bench's own.
#[derive(Debug)]
pub(crate) struct Database {
    pub(crate) connection: PgConnection,
}

impl Database {
    pub(crate) async fn open(url: &str) -> anyhow::Result<Self> {
        let connection = PgConnection::connect(url)
            .await
            .context("PostgreSQL does not answer")?;
        Ok(Self { connection })
    }

    /// Prepares readers, places that bookmarks knows, and the references' tables.
    pub(crate) async fn prepare(&mut self) -> anyhow::Result<Cast> {
        self.run(&READERS.replace("{readers}", &CAST.to_string()))
            .await?;
        self.settle().await?;
        self.run(TABLES).await?;
        let first_reader = self
            .first_of("identity.profiles WHERE email_key LIKE 'bench-%'", CAST)
            .await?;
        let first_listing = self
            .first_of(
                "bookmarks.targets WHERE kind = 'listing' AND is_available",
                1,
            )
            .await?;
        Ok(Cast {
            first_reader,
            first_listing,
        })
    }

    /// Waits until bookmarks knows all places, and has PostgreSQL analyse its tables.
    pub(crate) async fn settle(&mut self) -> anyhow::Result<()> {
        let known = "(SELECT count(*) FROM bookmarks.targets WHERE kind = 'listing')
            = (SELECT count(*) FROM places.listings)";
        self.wait_until(known, TIMEOUT)
            .await
            .context("bookmarks does not hear of all places")?;
        self.run("ANALYZE").await
    }

    /// Removes all favourites of a schema, and the record of handled events.
    pub(crate) async fn clear(&mut self, schema: &str) -> anyhow::Result<()> {
        self.run(&format!(
            "TRUNCATE {schema}.bookmarks; UPDATE {schema}.stamps SET count = 0;"
        ))
        .await?;
        self.run(if schema == REFERENCE {
            "TRUNCATE reference.outbox"
        } else {
            "TRUNCATE identity.inbox"
        })
        .await
    }

    /// Inserts favourites for each connection's readers, the n-th with a known id.
    pub(crate) async fn fill(
        &mut self,
        schema: &str,
        cast: &Cast,
        each: usize,
    ) -> anyhow::Result<()> {
        self.clear(schema).await?;
        let Cast {
            first_reader,
            first_listing,
        } = cast;
        let connections = CONNECTIONS - 1;
        self.run(&format!(
            "INSERT INTO {schema}.bookmarks (id, profile_id, kind, target_id, created_at)
             SELECT {MADE_FROM} + c * {each} + n, {first_reader} + c * {READERS_EACH} + n % {READERS_EACH},
                    'favourites', {first_listing} + n / {READERS_EACH}, now()
             FROM generate_series(0, {connections}) c, generate_series(0, {each} - 1) n;
             UPDATE {schema}.stamps SET count = {each};"
        ))
        .await?;
        // Otherwise autovacuum would do it in the middle of a turn.
        self.run(&format!("VACUUM (ANALYZE) {schema}.bookmarks"))
            .await
    }

    /// Waits until every event has left the service of a schema, and this number has been handled by identity.
    pub(crate) async fn delivered(&mut self, schema: &str, events: u64) -> anyhow::Result<()> {
        let done = format!(
            "NOT EXISTS (SELECT FROM {schema}.outbox) AND (SELECT count(*) FROM identity.inbox) >= {events}"
        );
        self.wait_until(&done, TIMEOUT)
            .await
            .context("events are not delivered")
    }

    /// Waits until every event has left bookmarks.
    pub(crate) async fn drained(&mut self) -> anyhow::Result<()> {
        self.wait_until("NOT EXISTS (SELECT FROM bookmarks.outbox)", TIMEOUT)
            .await
            .context("events stay in the outbox")
    }

    /// Gives all readers the password with this hash.
    pub(crate) async fn give_password(&mut self, hash: &str) -> anyhow::Result<()> {
        self.run(&format!(
            "UPDATE identity.profiles SET password_hash = '{hash}' WHERE email_key LIKE 'bench-%'"
        ))
        .await
    }

    /// PostgreSQL's version.
    pub(crate) async fn version(&mut self) -> anyhow::Result<String> {
        Ok(sqlx::query("SHOW server_version")
            .fetch_one(&mut self.connection)
            .await?
            .try_get(0)?)
    }

    pub(crate) async fn run(&mut self, statements: &str) -> anyhow::Result<()> {
        let statements = sqlx::raw_sql(AssertSqlSafe(statements.to_owned()));
        statements.execute(&mut self.connection).await?;
        Ok(())
    }

    /// Waits until a condition holds.
    pub(crate) async fn wait_until(
        &mut self,
        condition: &str,
        within: Duration,
    ) -> anyhow::Result<()> {
        let query = format!("SELECT {condition}");
        let waiting = async {
            loop {
                let row = sqlx::query(AssertSqlSafe(query.clone()))
                    .fetch_one(&mut self.connection)
                    .await?;
                if row.try_get(0)? {
                    return anyhow::Ok(());
                }
                tokio::time::sleep(Duration::from_millis(10)).await;
            }
        };
        tokio::time::timeout(within, waiting).await?
    }

    /// The first id of a range of at least `least` ids without gaps.
    async fn first_of(&mut self, rows: &str, least: usize) -> anyhow::Result<i64> {
        let query = format!("SELECT min(id), max(id), count(*) FROM {rows}");
        let row = sqlx::query(AssertSqlSafe(query))
            .fetch_one(&mut self.connection)
            .await?;
        let (first, highest, count): (i64, i64, i64) =
            (row.try_get(0)?, row.try_get(1)?, row.try_get(2)?);
        if highest - first + 1 != count || count < number(least) {
            bail!("{rows}: {count} ids from {first} to {highest} are no range of at least {least}");
        }
        Ok(first)
    }
}
