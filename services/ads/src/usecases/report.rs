//! Reports the delivery of campaigns.

use ad_delivery::{Campaign, Counts, Flight, LineItem};
use chrono::TimeDelta;

use super::{judge::judge_waiting, plan, revise::revise};
use crate::{
    context::Context,
    domain::{CampaignState, HourlyCount, LineItemState, foreseen_end},
    error::Error,
    store::{
        campaigns::{self, Stored},
        intake, reports,
    },
};

/// How long campaigns are listed after their end.
const LISTED_FOR: TimeDelta = TimeDelta::days(30);
/// The period of the listed refusals.
const REFUSALS_OF: TimeDelta = TimeDelta::hours(48);

/// The campaigns that are running, will run or have recently ended.
pub(crate) async fn show(context: &Context) -> Result<Vec<CampaignState>, Error> {
    let since = context.clock.now() - LISTED_FOR;
    let found = campaigns::ending_after(&context.pool, since).await?;
    states(context, found).await
}

/// A campaign, its events by hour and creative, and the log position up to which they count.
pub(crate) async fn report(
    context: &Context,
    source_id: &str,
) -> Result<(CampaignState, Vec<HourlyCount>, i64), Error> {
    let found = campaigns::find(&context.pool, source_id).await?;
    let found = found.ok_or(Error::NoCampaign)?;
    let id = found.campaign.id;
    let mut states = states(context, vec![found]).await?;
    let state = states.pop().ok_or(Error::NoCampaign)?;
    let (hours, log_position) = reports::of_campaign(&context.pool, id).await?;
    Ok((state, hours, log_position))
}

/// A campaign, regardless of its dates.
pub(crate) async fn find(context: &Context, source_id: &str) -> Result<Campaign, Error> {
    let found = campaigns::find(&context.pool, source_id).await?;
    found.map(|stored| stored.campaign).ok_or(Error::NoCampaign)
}

/// Pauses or resumes a campaign.
pub(crate) async fn pause(
    context: &Context,
    source_id: &str,
    is_paused: bool,
) -> Result<(), Error> {
    let mut transaction = context.pool.begin().await?;
    if !intake::pause(&mut transaction, source_id, is_paused).await? {
        return Err(Error::NoCampaign);
    }
    revise(&context.outbox, &mut transaction).await?;
    context.outbox.commit(transaction).await?;
    Ok(())
}

/// Recently refused events.
pub(crate) async fn refusals(context: &Context) -> Result<Vec<reports::Refusals>, Error> {
    let since = context.clock.now() - REFUSALS_OF;
    Ok(reports::refusals_since(&context.pool, since).await?)
}

async fn states(context: &Context, found: Vec<Stored>) -> Result<Vec<CampaignState>, Error> {
    judge_waiting(context).await?;
    let now = context.clock.now();
    let items = found.iter().flat_map(|stored| &stored.campaign.line_items);
    let ids: Vec<i64> = items.map(|item| item.id).collect();
    let since = now - TimeDelta::days(1);
    let counts = reports::of_line_items(&context.pool, &ids, since).await?;
    let curve = plan::curve(context).await?;
    let state = |campaign: &Campaign, item: &LineItem| {
        let (counts, lately) = counts
            .get(&item.id)
            .copied()
            .unwrap_or((Counts::default(), 0));
        let flight = Flight {
            starts_at: campaign.starts_at,
            ends_at: campaign.ends_at,
            goal: item.goal,
        };
        let expected = flight.expected(&curve.within(&item.targeting.hours), now);
        let goal = i64::try_from(item.goal).unwrap_or(i64::MAX);
        let left = goal - counts.impressions;
        LineItemState {
            source_id: item.source_id.clone(),
            priority: item.priority,
            goal: item.goal,
            counts,
            expected: rounded(expected),
            foreseen_end: (item.goal > 0)
                .then(|| foreseen_end(left, lately, (now, campaign.ends_at)))
                .flatten(),
        }
    };
    let states = found.iter().map(
        |Stored {
             campaign,
             is_paused,
         }| CampaignState {
            source_id: campaign.source_id.clone(),
            advertiser: campaign.advertiser_name.clone(),
            name: campaign.name.clone(),
            starts_at: campaign.starts_at,
            ends_at: campaign.ends_at,
            is_paused: *is_paused,
            line_items: campaign
                .line_items
                .iter()
                .map(|item| state(campaign, item))
                .collect(),
        },
    );
    Ok(states.collect())
}

#[expect(clippy::cast_possible_truncation, reason = "a number of impressions")]
fn rounded(expected: f64) -> i64 {
    expected.round() as i64
}
