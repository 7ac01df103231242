//! Synchronises with a process that serves pages: receives its usage and returns its allowance.

use std::{collections::BTreeMap, sync::Arc};

use ad_delivery::{Flight, LineItem, Pace, Priority};
use chrono::{DateTime, TimeDelta, Utc};
use uuid::Uuid;

use super::{judge, plan};
use crate::{
    context::Context,
    error::Error,
    loaded::RevisedPlan,
    store::{deliveries, reports, servers, traffic},
};

/// A process not seen for longer than this gets no share of the pace.
const GONE_AFTER: TimeDelta = TimeDelta::seconds(15);
/// The maximum interval between two calls, in seconds, for computing a process's page rate.
const MAX_PAUSE: f64 = 60.0;

/// The usage of a process since its last call.
#[derive(Debug)]
pub(crate) struct Usage {
    pub(crate) server: Uuid,
    /// The revision of the process's plan; 0 if it has none.
    pub(crate) revision: i64,
    pub(crate) pages: u64,
    /// The number of opportunities by line item.
    pub(crate) served: BTreeMap<i64, i64>,
    /// The number of refused events by reason.
    pub(crate) refused: BTreeMap<String, i64>,
}

/// The allowance of a process until its next call.
#[derive(Debug)]
pub(crate) struct Allowance {
    pub(crate) plan: Arc<RevisedPlan>,
    pub(crate) is_new: bool,
    /// For each line item: opportunities per second, and their maximum number.
    pub(crate) rates: Vec<(i64, f64, u64)>,
}

/// Stores the usage of a process, and returns its allowance.
pub(crate) async fn sync(context: &Context, usage: Usage) -> Result<Allowance, Error> {
    let now = context.clock.now();
    let share = note(context, &usage, now).await?;
    let held = plan::plan(context).await?;
    let curve = plan::curve(context).await?;
    let running = running(&held, now);
    let ids: Vec<i64> = running.iter().map(|(item, _)| item.id).collect();
    // Judges only part of a backlog, so that the calling process does not wait long.
    judge::judge_next(context).await?;
    let delivered = deliveries::of(&context.pool, &ids).await?;
    let rates = running.into_iter().map(|(item, flight)| {
        let delivered = delivered.get(&item.id).copied().unwrap_or_default();
        let curve = curve.within(&item.targeting.hours);
        let pace = Pace::at(&curve, flight, delivered, now);
        (item.id, pace.per_second * share, most(pace, share))
    });
    let rates = rates.collect();
    Ok(Allowance {
        is_new: usage.revision != held.revision,
        plan: held,
        rates,
    })
}

/// The number of impressions left for a process, rounded up, so that a single process can serve the last one.
#[expect(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "a number of impressions"
)]
fn most(pace: Pace, share: f64) -> u64 {
    (pace.most * share).ceil() as u64
}

/// The standard line items of running campaigns, with their bookings.
fn running(plan: &RevisedPlan, now: DateTime<Utc>) -> Vec<(&LineItem, Flight)> {
    let campaigns = plan.campaigns.iter();
    campaigns
        .filter(|campaign| campaign.starts_at <= now && now < campaign.ends_at)
        .flat_map(|campaign| {
            let items = campaign.line_items.iter();
            items
                .filter(|item| item.priority == Priority::Standard)
                .map(|item| {
                    let flight = Flight {
                        starts_at: campaign.starts_at,
                        ends_at: campaign.ends_at,
                        goal: item.goal,
                    };
                    (item, flight)
                })
        })
        .collect()
}

/// Stores a process's usage; returns its share of the pages of all processes.
async fn note(context: &Context, usage: &Usage, now: DateTime<Utc>) -> Result<f64, Error> {
    let mut transaction = context.pool.begin().await?;
    let seen_at = servers::seen_at(&mut transaction, usage.server).await?;
    let seconds = seen_at.map_or(MAX_PAUSE, |seen_at| (now - seen_at).as_seconds_f64());
    let pages = u32::try_from(usage.pages).unwrap_or(u32::MAX);
    let per_second = f64::from(pages) / seconds.clamp(0.1, MAX_PAUSE);
    let share = servers::share(
        &mut transaction,
        (usage.server, per_second),
        (now, now - GONE_AFTER),
    )
    .await?;
    if pages > 0 {
        traffic::add(&mut transaction, judge::hour_of(now), pages.into()).await?;
    }
    let (reasons, counts): (Vec<String>, Vec<i64>) = usage.refused.clone().into_iter().unzip();
    reports::add_refusals(&mut transaction, judge::hour_of(now), (&reasons, &counts)).await?;
    let (ids, counts): (Vec<i64>, Vec<i64>) = usage.served.clone().into_iter().unzip();
    deliveries::add_served(&mut transaction, (&ids, &counts)).await?;
    transaction.commit().await?;
    Ok(share)
}
