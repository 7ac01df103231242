//! Readers, saved items, votes and photos, inserted as rows: registering readers would be slow because passwords are
//! hashed, and uploading millions of photos would take days.

use crate::{
    database::Database,
    load::{self, CONNECTIONS},
    progress,
};

/// Table sizes with their names; the time of a page must not grow from the first to the second.
pub(crate) const SIZES: [(usize, &str); 2] = [(30_000, "30 thousand"), (3_000_000, "3 million")];
/// Number of acting readers.
pub(crate) const CAST: usize = CONNECTIONS * READERS_EACH;
/// Readers per connection: enough that a reader's changes do not wait for each other.
pub(crate) const READERS_EACH: usize = 6;
/// Number of other readers.
const CROWD: u32 = 100_000;
/// Places that no acting reader has saved yet, one per connection.
pub(crate) const FREE: usize = CONNECTIONS;
/// Number of places that each acting reader has saved and voted on; more than a page.
const EACH: usize = 15;
/// Number of places that the collector, a reader of the crowd, has saved and voted on.
const COLLECTED: usize = 3_000;
/// Number of photos of the place whose list is walked, at each size.
const PHOTOS_OF_ONE: usize = 3_000;

/// The share of votes among all saved items, in percent; the others are favourites.
const VOTES: usize = 15;

/// Readers with open sessions, and the references' tables: copies with the same indexes and constraints, which no relay
/// reads.
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
    ON CONFLICT DO NOTHING;
    DROP SCHEMA IF EXISTS reference CASCADE;
    CREATE SCHEMA reference;
    CREATE TABLE reference.targets (LIKE bookmarks.targets INCLUDING ALL);
    INSERT INTO reference.targets SELECT * FROM bookmarks.targets;
    CREATE TABLE reference.stamps (LIKE bookmarks.stamps INCLUDING ALL);
    INSERT INTO reference.stamps SELECT * FROM bookmarks.stamps;
    CREATE TABLE reference.bookmarks (LIKE bookmarks.bookmarks INCLUDING ALL);
    CREATE TABLE reference.outbox (LIKE bookmarks.outbox INCLUDING ALL);
    CREATE TABLE reference.ratings (LIKE places.ratings INCLUDING ALL);
    CREATE TABLE reference.listing_votes (LIKE places.listing_votes INCLUDING ALL);
    CREATE TABLE reference.vote_bursts (LIKE places.vote_bursts INCLUDING ALL);
    CREATE TABLE reference.commits (id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY, at timestamptz NOT NULL);
    ANALYZE;";

/// Readers without sessions, except the collector.
const CROWD_SQL: &str = "
    INSERT INTO identity.profiles (full_name, email, email_key, password_hash, created_at)
    SELECT 'Reader', email, email, '', now() - i * interval '10 minutes'
    FROM (SELECT i, format('crowd-%s@example.com', i) AS email FROM generate_series(1, {crowd}) i) r
    WHERE NOT EXISTS (SELECT FROM identity.profiles WHERE email_key LIKE 'crowd-%');
    INSERT INTO identity.sessions (token_digest, profile_id, device, created_at, last_active_at)
    SELECT sha256(convert_to(format('bench-session-%s', id), 'UTF8')), id, '', now(), now()
    FROM identity.profiles WHERE email_key = 'crowd-1@example.com'
    ON CONFLICT (token_digest) DO UPDATE SET last_active_at = now();
    TRUNCATE bookmarks.bookmarks, bookmarks.stamps, places.ratings, places.listing_votes, places.stamps,
        reference.bookmarks, reference.stamps, reference.outbox, reference.ratings, reference.listing_votes;";

/// The items of acting readers, and then of the other readers, whose number of items decreases with the square root of
/// their rank. Rows are inserted by date, as on a real site, so that a reader's rows are scattered over the table.
const SAVED: &str = "
    INSERT INTO {table}
    SELECT {columns} FROM (
        SELECT reader, target, now() - random() * interval '700 days' AS at FROM (
            SELECT {first_reader} + i AS reader, ids[1 + {free} + (i * {each} + k) % (cardinality(ids) - {free})] AS target
            FROM {targets}, generate_series(0, {acting} - 1) i, generate_series(0, {each} - 1) k
            UNION ALL
            SELECT reader, ids[1 + {free} + (rank * 7919 + k) % (cardinality(ids) - {free})]
            FROM {targets}, (
                SELECT id AS reader, rank, CASE rank WHEN 1 THEN {collected}
                    ELSE floor({rest} / (2 * sqrt({crowd} * rank::float8)) + rank * 0.618034 % 1) END AS wanted
                FROM (SELECT id, row_number() OVER (ORDER BY id) AS rank
                      FROM identity.profiles WHERE email_key LIKE 'crowd-%') p
            ) r, generate_series(0, least(wanted::bigint, cardinality(ids) - {free}) - 1) k
        ) pairs
    ) saved ORDER BY at;";

/// Fills stamps, sums and the references' tables.
const FINISH: &str = "
    INSERT INTO bookmarks.stamps (profile_id, kind, at, count)
    SELECT profile_id, kind, now(), count(*) FROM bookmarks.bookmarks GROUP BY 1, 2;
    INSERT INTO places.stamps (profile_id, kind, at, count)
    SELECT profile_id, 'ratings', now(), count(*) FROM places.ratings GROUP BY 1;
    INSERT INTO places.listing_votes (listing_id, sum, count, is_ranked)
    SELECT listing_id, sum(rating), count(*), true FROM places.ratings GROUP BY 1;
    INSERT INTO reference.bookmarks SELECT * FROM bookmarks.bookmarks;
    INSERT INTO reference.stamps SELECT * FROM bookmarks.stamps UNION ALL SELECT * FROM places.stamps;
    INSERT INTO reference.ratings OVERRIDING SYSTEM VALUE SELECT * FROM places.ratings;
    SELECT setval(pg_get_serial_sequence('reference.ratings', 'id'), (SELECT max(id) FROM places.ratings));
    INSERT INTO reference.listing_votes SELECT * FROM places.listing_votes;";

/// The readers whose requests the benchmark sends, and the places they save. The ids of each are contiguous.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Cast {
    first_reader: i64,
    first_listing: i64,
}

impl Cast {
    /// Prepares the readers and the references' tables, and selects open places that bookmarks has received.
    pub(crate) async fn prepare(database: &Database) -> anyhow::Result<Self> {
        database.settle().await?;
        let readers = READERS.replace("{readers}", &CAST.to_string());
        database.run(&readers).await?;
        let first_reader =
            database.value("SELECT min(id) FROM identity.profiles WHERE email_key LIKE 'bench-%'");
        // Closed places cannot be rated; all of them belong to the demo city.
        let first_listing = database.value(
            "SELECT greatest((SELECT min(id) FROM bookmarks.targets WHERE kind = 'listing' AND is_available),
                 (SELECT max(id) + 1 FROM places.listings WHERE is_closed))",
        );
        Ok(Self {
            first_reader: first_reader.await?,
            first_listing: first_listing.await?,
        })
    }

    /// Returns the session of a connection's n-th request, as a header.
    pub(crate) fn session(&self, connection: usize, n: usize) -> String {
        session(self.reader(connection, n))
    }

    fn reader(&self, connection: usize, n: usize) -> i64 {
        self.first_reader + number(connection * READERS_EACH + n % READERS_EACH)
    }

    /// Returns a request for this path from every reader.
    pub(crate) fn gets(&self, path: &str) -> Vec<Vec<u8>> {
        let session = |at| self.session(at / READERS_EACH, at);
        let get = |at| load::request("GET", path, &session(at), "");
        (0..CAST).map(get).collect()
    }

    /// Returns the id of the n-th place.
    pub(crate) fn listing(&self, n: usize) -> i64 {
        self.first_listing + number(n)
    }

    /// Returns the first place of an acting reader, which no other acting reader has saved.
    pub(crate) fn first_place(&self, connection: usize, n: usize) -> i64 {
        let at = connection * READERS_EACH + n % READERS_EACH;
        self.listing(FREE + at * EACH)
    }

    /// Returns a pgbench script that chooses a reader.
    pub(crate) fn script(&self) -> String {
        let first = self.first_reader;
        format!("\\set profile {first} + :client_id * {READERS_EACH} + :n % {READERS_EACH}\n")
    }

    /// Returns a pgbench script that chooses the reader's first place.
    pub(crate) fn first_place_script(&self) -> String {
        let (reader, place) = (self.first_reader, self.listing(FREE));
        format!("\\set listing {place} + (:profile - {reader}) * {EACH}\n")
    }
}

fn session(reader: i64) -> String {
    format!("cookie: session=bench-session-{reader}\r\n")
}

fn number(n: usize) -> i64 {
    i64::try_from(n).unwrap_or(i64::MAX)
}

/// Replaces all saved items and votes by about this number; returns the collector's session.
pub(crate) async fn saved_things(
    database: &Database,
    cast: Cast,
    size: usize,
) -> anyhow::Result<String> {
    let crowd = CROWD_SQL.replace("{crowd}", &CROWD.to_string());
    database.run(&crowd).await?;
    let votes = size * VOTES / 100;
    // Acting readers' initial ratings are 5; the bench changes them.
    let (first, end) = (cast.first_reader, cast.first_reader + number(CAST));
    let stars = format!(
        "CASE WHEN reader >= {first} AND reader < {end} THEN 5 ELSE 1 + floor(random() * 5) END"
    );
    let table = "places.ratings (profile_id, listing_id, rating, date_created)";
    let columns = format!("reader, target, {stars}, at");
    database.run(&saved(table, &columns, cast, votes)).await?;
    let table = "bookmarks.bookmarks (profile_id, kind, target_id, created_at)";
    let columns = "reader, 'favourites', target, at";
    let saved = saved(table, columns, cast, size - votes);
    database.run(&saved).await?;
    database.run(FINISH).await?;
    // Otherwise autovacuum and a checkpoint would run in the middle of a turn.
    database.run("VACUUM (ANALYZE)").await?;
    database.run("CHECKPOINT").await?;
    progress(&format!("  {size} saved things of {CROWD} readers"));
    let collector = "SELECT id FROM identity.profiles WHERE email_key = 'crowd-1@example.com'";
    Ok(session(database.value(collector).await?))
}

fn saved(table: &str, columns: &str, cast: Cast, size: usize) -> String {
    let targets = format!(
        "(SELECT array_agg(id) AS ids FROM (SELECT id FROM bookmarks.targets
             WHERE kind = 'listing' AND is_available AND id >= {} ORDER BY id) one) t",
        cast.first_listing
    );
    let rest = size.saturating_sub(CAST * EACH + COLLECTED);
    let values = [
        ("{table}", table.to_owned()),
        ("{columns}", columns.to_owned()),
        ("{targets}", targets),
        ("{first_reader}", cast.first_reader.to_string()),
        ("{acting}", CAST.to_string()),
        ("{free}", FREE.to_string()),
        ("{each}", EACH.to_string()),
        ("{collected}", COLLECTED.to_string()),
        ("{rest}", rest.to_string()),
        ("{crowd}", CROWD.to_string()),
    ];
    let fill = |text: String, (name, value): &(&str, String)| text.replace(name, value);
    values.iter().fold(SAVED.to_owned(), fill)
}

/// Fills the table of photos up to a number; returns the place whose photos are the same at each size.
pub(crate) async fn photos(database: &Database, size: usize) -> anyhow::Result<i64> {
    let first = "SELECT min(id) FROM places.listings";
    let listing: i64 = database.value(first).await?;
    // The second topology starts with the photos of the first.
    let stored: i64 = database.value("SELECT count(*) FROM photos.photos").await?;
    if stored > number(size) {
        let empty = "TRUNCATE photos.photos, photos.listing_counts CASCADE";
        database.run(empty).await?;
    }
    // The first photos belong to that place; the dates of all photos are mixed.
    let fill = format!(
            "INSERT INTO photos.uploaders (profile_id, full_name, named_at)
             SELECT id, full_name, now() FROM identity.profiles WHERE email_key LIKE 'bench-%' ON CONFLICT DO NOTHING;
             INSERT INTO photos.photos (profile_id, listing_id, digest, status, description, credit, licence, name, width,
                 height, created_at, published_at)
             SELECT readers[1 + i % cardinality(readers)],
                 CASE WHEN i <= {PHOTOS_OF_ONE} THEN {listing} ELSE places[1 + i % cardinality(places)] END,
                 sha256(i::text::bytea), 'published', 'A view', '', 'CC-BY-4.0', gen_random_uuid(), 1600, 1200, at, at
             FROM (SELECT i, now() - i * 7919 % 3000017 * interval '1 second' AS at
                 FROM generate_series((SELECT count(*) + 1 FROM photos.photos), {size}) i) numbers,
                 (SELECT array_agg(profile_id) AS readers FROM photos.uploaders) r,
                 (SELECT array_agg(id) AS places FROM places.listings WHERE id <> {listing}) p;
             INSERT INTO photos.listing_counts (listing_id, published)
             SELECT listing_id, count(*) FROM photos.photos WHERE status = 'published' GROUP BY listing_id
             ON CONFLICT (listing_id) DO UPDATE SET published = excluded.published"
        );
    database.run(&fill).await?;
    database.run("VACUUM (ANALYZE) photos.photos").await?;
    Ok(listing)
}
