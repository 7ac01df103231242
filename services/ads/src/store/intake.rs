//! Storage of imported advertisers and campaigns.

use ad_delivery::{Advertiser, Campaign, Creative, LineItem};
use chassis::{difference, intake::Outcome, sql};
use sqlx::{PgConnection, types::Json};

#[sql("advertisers.keep")]
pub(crate) async fn keep_advertiser(
    connection: &mut PgConnection,
    advertiser: &Advertiser,
) -> Result<Outcome, sqlx::Error> {
    let there = sqlx::query!(
        "SELECT source_id, name, website FROM advertisers WHERE source_id = $1",
        advertiser.source_id,
    )
    .fetch_optional(&mut *connection)
    .await?;
    let outcome = match there {
        None => Outcome::Created,
        Some(row) => {
            let there = Advertiser {
                source_id: row.source_id,
                name: row.name,
                website: row.website,
            };
            Outcome::of_difference(difference!(Advertiser, there, advertiser, {
                source_id: "slug", name: "name", website: "website",
            }))
        }
    };
    if outcome != Outcome::Unchanged {
        sqlx::query!(
            "INSERT INTO advertisers (source_id, name, website) VALUES ($1, $2, $3)
             ON CONFLICT (source_id) DO UPDATE SET name = excluded.name, website = excluded.website",
            advertiser.source_id,
            advertiser.name,
            advertiser.website,
        )
        .execute(connection)
        .await?;
    }
    Ok(outcome)
}

/// The id of an advertiser.
#[sql("advertisers.find")]
pub(crate) async fn advertiser(
    connection: &mut PgConnection,
    source_id: &str,
) -> Result<Option<i64>, sqlx::Error> {
    sqlx::query_scalar!("SELECT id FROM advertisers WHERE source_id = $1", source_id)
        .fetch_optional(connection)
        .await
}

/// Stores a campaign without its line items; returns its id.
#[sql("campaigns.keep")]
pub(crate) async fn keep_campaign(
    connection: &mut PgConnection,
    campaign: &Campaign,
    advertiser_id: i64,
) -> Result<i64, sqlx::Error> {
    sqlx::query_scalar!(
        "INSERT INTO campaigns (source_id, advertiser_id, name, category, starts_at, ends_at)
         VALUES ($1, $2, $3, $4, $5, $6)
         ON CONFLICT (source_id) DO UPDATE SET advertiser_id = excluded.advertiser_id, name = excluded.name,
           category = excluded.category, starts_at = excluded.starts_at, ends_at = excluded.ends_at
         RETURNING id",
        campaign.source_id,
        advertiser_id,
        campaign.name,
        campaign.category,
        campaign.starts_at,
        campaign.ends_at,
    )
    .fetch_one(connection)
    .await
}

/// Stores a line item without its creatives; returns its id.
#[sql("line_items.keep")]
pub(crate) async fn keep_line_item(
    connection: &mut PgConnection,
    (campaign_id, rank): (i64, i32),
    item: &LineItem,
) -> Result<i64, sqlx::Error> {
    let id = sqlx::query_scalar!(
        "INSERT INTO line_items (campaign_id, source_id, rank, goal, content) VALUES ($1, $2, $3, $4, $5)
         ON CONFLICT (campaign_id, source_id) DO UPDATE SET rank = excluded.rank, goal = excluded.goal,
           content = excluded.content, is_withdrawn = false
         RETURNING id",
        campaign_id,
        item.source_id,
        rank,
        i64::try_from(item.goal).unwrap_or(i64::MAX),
        Json(item) as _,
    )
    .fetch_one(&mut *connection)
    .await?;
    sqlx::query!(
        "INSERT INTO deliveries (line_item_id) VALUES ($1) ON CONFLICT DO NOTHING",
        id,
    )
    .execute(connection)
    .await?;
    Ok(id)
}

#[sql("creatives.keep")]
pub(crate) async fn keep_creative(
    connection: &mut PgConnection,
    (line_item_id, rank): (i64, i32),
    creative: &Creative,
) -> Result<(), sqlx::Error> {
    sqlx::query!(
        "INSERT INTO creatives (line_item_id, source_id, rank, content) VALUES ($1, $2, $3, $4)
         ON CONFLICT (line_item_id, source_id) DO UPDATE SET rank = excluded.rank, content = excluded.content,
           is_withdrawn = false",
        line_item_id,
        creative.source_id,
        rank,
        Json(creative) as _,
    )
    .execute(connection)
    .await?;
    Ok(())
}

/// Withdraws a campaign's line items and their creatives, before the current line items are stored.
#[sql("line_items.withdraw")]
pub(crate) async fn withdraw_all(
    connection: &mut PgConnection,
    campaign_id: i64,
) -> Result<(), sqlx::Error> {
    sqlx::query!(
        "UPDATE creatives c SET is_withdrawn = true FROM line_items l
         WHERE l.id = c.line_item_id AND l.campaign_id = $1 AND NOT c.is_withdrawn",
        campaign_id,
    )
    .execute(&mut *connection)
    .await?;
    sqlx::query!(
        "UPDATE line_items SET is_withdrawn = true WHERE campaign_id = $1 AND NOT is_withdrawn",
        campaign_id,
    )
    .execute(connection)
    .await?;
    Ok(())
}

/// Pauses or resumes a campaign; returns false if it does not exist.
#[sql("campaigns.pause")]
pub(crate) async fn pause(
    connection: &mut PgConnection,
    source_id: &str,
    is_paused: bool,
) -> Result<bool, sqlx::Error> {
    let done = sqlx::query!(
        "UPDATE campaigns SET is_paused = $2 WHERE source_id = $1",
        source_id,
        is_paused,
    )
    .execute(connection)
    .await?;
    Ok(done.rows_affected() > 0)
}
