//! Appends received events to the log, as a batch that is not judged yet.

use std::collections::BTreeSet;

use ad_delivery::{EventKind, Verdict};
use chassis::sql;
use sqlx::PgPool;
use uuid::Uuid;

use super::events::{day_of, kind_number, kind_of, verdict_number};
use crate::domain::Event;

/// Appends the events that the log does not contain yet, with their verdicts based on the events alone, as a batch;
/// returns their keys. They are inserted in the order of their keys, so that calls with the same events wait for each
/// other and do not deadlock.
#[sql("log.append")]
pub(crate) async fn append(
    pool: &PgPool,
    events: &[(Event, Verdict)],
) -> Result<BTreeSet<(Uuid, EventKind)>, sqlx::Error> {
    let mut events: Vec<_> = events.iter().collect();
    events.sort_by_key(|(event, _)| (day_of(event), event.opportunity, event.kind));
    let of_each = || events.iter().map(|(event, _)| event);
    let days: Vec<_> = of_each().map(day_of).collect();
    let opportunities: Vec<_> = of_each().map(|event| event.opportunity).collect();
    let kinds: Vec<_> = of_each().map(|event| kind_number(event.kind)).collect();
    let instants: Vec<_> = of_each().map(|event| event.at).collect();
    let creatives: Vec<_> = of_each().map(|event| event.creative_id).collect();
    let positions: Vec<_> = of_each().map(|event| event.position.clone()).collect();
    let verdicts = events.iter().map(|(_, verdict)| verdict_number(*verdict));
    let verdicts: Vec<_> = verdicts.collect();
    let appended = sqlx::query!(
        "WITH batch AS (SELECT nextval('batches_id_seq') AS id),
         appended AS (
           INSERT INTO events (day, opportunity, kind, batch_id, at, creative_id, position, verdict)
           SELECT e.day, e.opportunity, e.kind, batch.id, e.at, e.creative_id, e.position, e.verdict
           FROM batch, unnest($1::date[], $2::uuid[], $3::smallint[], $4::timestamptz[], $5::bigint[], $6::text[],
               $7::smallint[])
             AS e (day, opportunity, kind, at, creative_id, position, verdict)
           ON CONFLICT DO NOTHING RETURNING batch_id, day, opportunity, kind),
         noted AS (
           INSERT INTO batches (id, days, first_day, events)
           SELECT batch_id, array_agg(DISTINCT day), min(day), count(*) FROM appended GROUP BY batch_id)
         SELECT opportunity, kind FROM appended",
        &days,
        &opportunities,
        &kinds,
        &instants,
        &creatives,
        &positions,
        &verdicts,
    )
    .fetch_all(pool)
    .await?;
    let appended = appended.into_iter();
    appended
        .map(|row| Ok((row.opportunity, kind_of(row.kind)?)))
        .collect()
}
