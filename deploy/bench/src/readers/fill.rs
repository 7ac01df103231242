//! Saved things of many readers: most have few, some have many, and one has thousands.

use crate::{
    database::{Cast, Database, number},
    kinds::{self, Kind, RATINGS},
    load::CONNECTIONS,
    progress,
};

/// Readers beside those who act.
const CROWD: u32 = 100_000;
/// Things of every kind that belong to nobody at first, so that they can be saved: as many as there are connections, of
/// places; one of each other kind.
const FREE: usize = CONNECTIONS;
/// Places that each acting reader has saved, and has voted on: more than a page.
const EACH: usize = 15;
/// The same of the other kinds, which have fewer things.
const EACH_OTHER: usize = 3;
/// Places that the collector has saved, and has voted on.
const COLLECTED: usize = 3_000;

/// Readers with no session of their own but for the first, the collector.
const READERS: &str = "
    INSERT INTO identity.profiles (full_name, email, email_key, password_hash, created_at)
    SELECT 'Reader', email, email, '', now() - i * interval '10 minutes'
    FROM (SELECT i, format('crowd-%s@example.com', i) AS email FROM generate_series(1, {crowd}) i) r
    WHERE NOT EXISTS (SELECT FROM identity.profiles WHERE email_key LIKE 'crowd-%');
    INSERT INTO identity.sessions (token_digest, profile_id, device, created_at, last_active_at)
    SELECT sha256(convert_to(format('bench-session-%s', id), 'UTF8')), id, '', now(), now()
    FROM identity.profiles WHERE email_key = 'crowd-1@example.com'
    ON CONFLICT (token_digest) DO UPDATE SET last_active_at = now();
    CREATE TABLE reference.ratings (LIKE places.ratings INCLUDING ALL);
    CREATE TABLE reference.listing_votes (LIKE places.listing_votes INCLUDING ALL);
    CREATE TABLE reference.vote_bursts (LIKE places.vote_bursts INCLUDING ALL);";

const EMPTY: &str = "
    TRUNCATE bookmarks.bookmarks, bookmarks.stamps,
        places.ratings, places.listing_votes, places.stamps,
        reference.bookmarks, reference.stamps, reference.outbox, reference.ratings, reference.listing_votes;";

/// One kind. The things of acting readers, then those of the others: the number falls with the root of a reader's rank.
/// Rows are inserted by date, as they are made, so that a reader's are scattered over the table.
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

/// Creates the readers; returns the collector.
pub(super) async fn crowd(database: &mut Database) -> anyhow::Result<i64> {
    database
        .run(&READERS.replace("{crowd}", &CROWD.to_string()))
        .await?;
    let query = "SELECT id FROM identity.profiles WHERE email_key = 'crowd-1@example.com'";
    Ok(sqlx::query_scalar(query)
        .fetch_one(&mut database.connection)
        .await?)
}

/// The share of a kind among all saved things, in percent.
fn share(kind: &Kind) -> usize {
    match kind.name {
        "favourites" => 40,
        "todos" => 20,
        "ratings" | "article-bookmarks" => 15,
        _ => 5,
    }
}

/// Replaces all saved things by about this number.
pub(super) async fn fill(database: &mut Database, cast: Cast, size: usize) -> anyhow::Result<()> {
    database.run(EMPTY).await?;
    for kind in &kinds::ALL {
        database.run(&saved(kind, cast, size)).await?;
    }
    database.run(FINISH).await?;
    // Otherwise both would be done in the middle of a turn.
    database.run("VACUUM (ANALYZE)").await?;
    database.run("CHECKPOINT").await?;
    let counted =
        "SELECT (SELECT count(*) FROM bookmarks.bookmarks) + (SELECT count(*) FROM places.ratings)";
    let counted: i64 = sqlx::query_scalar(counted)
        .fetch_one(&mut database.connection)
        .await?;
    progress(&format!("  {counted} saved things of {CROWD} readers"));
    Ok(())
}

/// Things of a kind that nobody has.
pub(super) fn free(kind: &Kind) -> usize {
    if kind.target == "listing" { FREE } else { 1 }
}

/// A query of the things of a kind that readers save, by id.
pub(super) fn targets(kind: &Kind, cast: Cast) -> String {
    let first = if kind.target == "listing" {
        cast.first_listing
    } else {
        0
    };
    format!(
        "SELECT id FROM bookmarks.targets WHERE kind = '{}' AND is_available AND id >= {first} ORDER BY id",
        kind.target
    )
}

/// The same readers with places that are all open: closed ones cannot be rated, and all are the demo city's.
pub(super) async fn among_open(database: &mut Database, cast: Cast) -> anyhow::Result<Cast> {
    let first = "SELECT greatest($1, max(id) + 1) FROM places.listings WHERE is_closed";
    let first_listing = sqlx::query_scalar(first)
        .bind(cast.first_listing)
        .fetch_one(&mut database.connection)
        .await?;
    Ok(Cast {
        first_listing,
        ..cast
    })
}

fn saved(kind: &Kind, cast: Cast, size: usize) -> String {
    let Kind { name, target, .. } = kind;
    let free = free(kind);
    let each = if *target == "listing" {
        EACH
    } else {
        EACH_OTHER
    };
    let collected = if matches!(*name, "favourites" | "ratings") {
        COLLECTED
    } else {
        each
    };
    let acting = cast.readers().count();
    let rest = (size * share(kind) / 100).saturating_sub(acting * each + collected);
    let targets = format!(
        "(SELECT array_agg(id) AS ids FROM ({}) one) t",
        targets(kind, cast)
    );
    let (table, columns) = if *name == RATINGS.name {
        // Acting readers rate everything 5: their votes are changed from there.
        let stars = format!(
            "CASE WHEN reader >= {0} AND reader < {0} + {acting} THEN 5 ELSE 1 + floor(random() * 5) END",
            cast.first_reader
        );
        (
            "places.ratings (profile_id, listing_id, rating, date_created)",
            format!("reader, target, {stars}, at"),
        )
    } else {
        let is_done = if *name == "todos" { "false" } else { "NULL" };
        let in_calendar = if *target == "event" { "false" } else { "NULL" };
        (
            "bookmarks.bookmarks (profile_id, kind, target_id, created_at, is_done, add_to_calendar)",
            format!("reader, '{name}', target, at, {is_done}::boolean, {in_calendar}::boolean"),
        )
    };
    SAVED
        .replace("{table}", table)
        .replace("{columns}", &columns)
        .replace("{targets}", &targets)
        .replace("{first_reader}", &cast.first_reader.to_string())
        .replace("{acting}", &acting.to_string())
        .replace("{free}", &free.to_string())
        .replace("{each}", &each.to_string())
        .replace("{collected}", &collected.to_string())
        .replace("{rest}", &rest.to_string())
        .replace("{crowd}", &CROWD.to_string())
}

/// The place of an acting reader's oldest id among those that they have saved; no other acting reader has it.
pub(super) fn first_place(cast: Cast, reader: i64) -> i64 {
    let at = reader - cast.first_reader;
    cast.first_listing + number(FREE) + at * number(EACH)
}

/// The same, as a pgbench script.
pub(super) fn first_place_script(cast: Cast) -> String {
    let Cast {
        first_reader,
        first_listing,
    } = cast;
    format!("\\set listing {first_listing} + {FREE} + (:profile - {first_reader}) * {EACH}\n")
}
