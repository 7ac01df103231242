//! Photos as rows: uploading millions would take days, and their files are not read here.

use anyhow::Context;
use sqlx::Row;

use crate::database::Database;

/// Photos of the place whose list is walked, at each size.
const OF_ONE: usize = 3_000;

/// Fills the table up to a number of photos; returns the place that has the same at each size.
pub(super) async fn photos(database: &mut Database, size: usize) -> anyhow::Result<i64> {
    let place = "SELECT id FROM places.listings ORDER BY id LIMIT 1";
    let row = sqlx::query(place).fetch_one(&mut database.connection);
    let listing: i64 = row.await.context("there is no place")?.try_get(0)?;
    // The second topology finds the photos of the first one.
    let kept = "SELECT count(*) FROM photos.photos";
    let row = sqlx::query(kept).fetch_one(&mut database.connection);
    let kept: i64 = row.await?.try_get(0)?;
    if usize::try_from(kept)? > size {
        database
            .run("TRUNCATE photos.photos, photos.listing_counts CASCADE")
            .await?;
    }
    // The first ones are those of the place; the dates of all are mixed.
    database
        .run(&format!(
            "INSERT INTO photos.uploaders (profile_id, full_name, named_at)
             SELECT id, full_name, now() FROM identity.profiles WHERE email_key LIKE 'bench-%' ON CONFLICT DO NOTHING;
             INSERT INTO photos.photos (profile_id, listing_id, digest, status, description, credit, licence, name, width,
                 height, created_at, published_at)
             SELECT readers[1 + i % cardinality(readers)],
                 CASE WHEN i <= {OF_ONE} THEN {listing} ELSE places[1 + i % cardinality(places)] END,
                 sha256(i::text::bytea), 'published', 'A view', '', 'CC-BY-4.0', gen_random_uuid(), 1600, 1200, at, at
             FROM (SELECT i, now() - i * 7919 % 3000017 * interval '1 second' AS at
                 FROM generate_series((SELECT count(*) + 1 FROM photos.photos), {size}) i) numbers,
                 (SELECT array_agg(profile_id) AS readers FROM photos.uploaders) r,
                 (SELECT array_agg(id) AS places FROM places.listings WHERE id <> {listing}) p;
             INSERT INTO photos.listing_counts (listing_id, published)
             SELECT listing_id, count(*) FROM photos.photos WHERE status = 'published' GROUP BY listing_id
             ON CONFLICT (listing_id) DO UPDATE SET published = excluded.published"
        ))
        .await?;
    database.run("VACUUM (ANALYZE) photos.photos").await?;
    Ok(listing)
}
