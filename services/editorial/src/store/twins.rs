//! Events that several sources share: `twins`, and `items` by their common key.

use chassis::sql;
use sqlx::{PgConnection, types::Json};

use crate::domain::{Detail, Event};

/// Maximum number of events with the same key that are compared.
const LOOKED_AT: i64 = 50;

/// The state of a source id.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Standing {
    /// The source id is unknown.
    New,
    /// An item is stored under this source id.
    Item,
    /// The event with this source id is stored as another source's item.
    Twin,
}

/// Returns the state of a source id.
#[sql("twins.standing")]
pub(crate) async fn standing(
    connection: &mut PgConnection,
    source_id: &str,
) -> Result<Standing, sqlx::Error> {
    let row = sqlx::query!(
        r#"SELECT EXISTS (SELECT 1 FROM items WHERE source_id = $1) AS "is_item!",
                  EXISTS (SELECT 1 FROM twins WHERE source_id = $1) AS "is_twin!""#,
        source_id,
    )
    .fetch_one(connection)
    .await?;
    Ok(match (row.is_item, row.is_twin) {
        (true, _) => Standing::Item,
        (false, true) => Standing::Twin,
        (false, false) => Standing::New,
    })
}

/// An event with a key.
pub(crate) struct Candidate {
    pub(crate) id: i64,
    pub(crate) source_id: String,
    pub(crate) event: Event,
}

/// Returns the events with this key, oldest first.
#[sql("twins.candidates")]
pub(crate) async fn candidates(
    connection: &mut PgConnection,
    key: &str,
) -> Result<Vec<Candidate>, sqlx::Error> {
    let rows = sqlx::query!(
        r#"SELECT id, source_id, detail AS "detail: Json<Detail>" FROM items
           WHERE twin_key = $1 ORDER BY id LIMIT $2"#,
        key,
        LOOKED_AT,
    )
    .fetch_all(connection)
    .await?;
    let rows = rows.into_iter();
    let events = rows.filter_map(|row| match row.detail.0 {
        Detail::Event(event) => Some(Candidate {
            id: row.id,
            source_id: row.source_id,
            event: *event,
        }),
        _ => None,
    });
    Ok(events.collect())
}

/// Records that a source's event is stored as another source's item.
#[sql("twins.keep")]
pub(crate) async fn keep(
    connection: &mut PgConnection,
    source_id: &str,
    item_id: i64,
) -> Result<(), sqlx::Error> {
    sqlx::query!(
        "INSERT INTO twins (source_id, item_id) VALUES ($1, $2)",
        source_id,
        item_id,
    )
    .execute(connection)
    .await?;
    Ok(())
}

/// Records that a source's content is stored as an item that another source has taken over.
#[sql("twins.follow")]
pub(crate) async fn follow(
    connection: &mut PgConnection,
    from: &str,
    to: &str,
) -> Result<(), sqlx::Error> {
    sqlx::query!(
        "INSERT INTO twins (source_id, item_id) SELECT $1::text, id FROM items WHERE source_id = $2
         ON CONFLICT (source_id) DO UPDATE SET item_id = excluded.item_id",
        from,
        to,
    )
    .execute(connection)
    .await?;
    Ok(())
}
