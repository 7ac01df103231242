//! Campaigns, for serving and for operators.

use std::{collections::BTreeMap, sync::Arc};

use ad_delivery::{Campaign, Creative, LineItem};
use chassis::sql;
use chrono::{DateTime, Utc};
use sqlx::{PgExecutor, types::Json};

use crate::domain::Names;

/// A campaign with its line items, and whether it is paused.
#[derive(Debug, Clone)]
pub(crate) struct Stored {
    pub(crate) campaign: Campaign,
    pub(crate) is_paused: bool,
}

/// The campaigns that end after an instant, ordered by id, with their line items and creatives.
pub(crate) async fn ending_after(
    executor: impl PgExecutor<'_>,
    at: DateTime<Utc>,
) -> Result<Vec<Stored>, sqlx::Error> {
    select(executor, Some(at), None).await
}

/// The campaign with this slug.
pub(crate) async fn find(
    executor: impl PgExecutor<'_>,
    source_id: &str,
) -> Result<Option<Stored>, sqlx::Error> {
    let mut found = select(executor, None, Some(source_id)).await?;
    Ok(found.pop())
}

#[sql("campaigns.select")]
async fn select(
    executor: impl PgExecutor<'_>,
    ending_after: Option<DateTime<Utc>>,
    source_id: Option<&str>,
) -> Result<Vec<Stored>, sqlx::Error> {
    let rows = sqlx::query!(
        r#"SELECT c.id, c.source_id, c.name, c.category, c.starts_at, c.ends_at, c.is_paused,
             a.source_id AS advertiser, a.name AS advertiser_name,
             l.id AS "line_item_id?", l.content AS "line_item?: Json<LineItem>",
             k.id AS "creative_id?", k.content AS "creative?: Json<Creative>"
         FROM campaigns c JOIN advertisers a ON a.id = c.advertiser_id
         LEFT JOIN line_items l ON l.campaign_id = c.id AND NOT l.is_withdrawn
         LEFT JOIN creatives k ON k.line_item_id = l.id AND NOT k.is_withdrawn
         WHERE ($1::timestamptz IS NULL OR c.ends_at > $1) AND ($2::text IS NULL OR c.source_id = $2)
         ORDER BY c.id, l.rank, l.id, k.rank, k.id"#,
        ending_after,
        source_id,
    )
    .fetch_all(executor)
    .await?;
    let mut found: BTreeMap<i64, Stored> = BTreeMap::new();
    for row in rows {
        let stored = found.entry(row.id).or_insert_with(|| Stored {
            campaign: Campaign {
                id: row.id,
                source_id: row.source_id,
                advertiser: row.advertiser,
                advertiser_name: row.advertiser_name,
                name: row.name,
                category: row.category,
                starts_at: row.starts_at,
                ends_at: row.ends_at,
                line_items: Vec::new(),
            },
            is_paused: row.is_paused,
        });
        let line_items = &mut stored.campaign.line_items;
        let (Some(line_item_id), Some(Json(line_item))) = (row.line_item_id, row.line_item) else {
            continue;
        };
        if line_items.last().is_none_or(|last| last.id != line_item_id) {
            line_items.push(LineItem {
                id: line_item_id,
                ..line_item
            });
        }
        if let (Some(id), Some(Json(creative)), Some(item)) =
            (row.creative_id, row.creative, line_items.last_mut())
        {
            item.creatives.push(Creative { id, ..creative });
        }
    }
    Ok(found.into_values().collect())
}

/// The names of creatives, including withdrawn ones.
#[sql("creatives.names")]
pub(crate) async fn names(
    executor: impl PgExecutor<'_>,
    creative_ids: &[i64],
) -> Result<BTreeMap<i64, Arc<Names>>, sqlx::Error> {
    let rows = sqlx::query!(
        "SELECT k.id, c.source_id AS campaign, l.source_id AS line_item, k.source_id AS creative,
           l.id AS line_item_id
         FROM creatives k JOIN line_items l ON l.id = k.line_item_id JOIN campaigns c ON c.id = l.campaign_id
         WHERE k.id = ANY($1)",
        creative_ids,
    )
    .fetch_all(executor)
    .await?;
    let named = rows.into_iter().map(|row| {
        let names = Names {
            campaign: row.campaign,
            line_item: row.line_item,
            creative: row.creative,
            line_item_id: row.line_item_id,
        };
        (row.id, Arc::new(names))
    });
    Ok(named.collect())
}
