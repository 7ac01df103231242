//! Reads the plan and the traffic curve, unless they are cached.

use std::sync::Arc;

use ad_delivery::{Curve, HOURS_OF_WEEK};
use chrono::{DateTime, NaiveTime, Offset as _, TimeDelta, TimeZone as _, Utc};
use chrono_tz::Tz;

use crate::{
    context::Context,
    error::Error,
    loaded::RevisedPlan,
    store::{campaigns, revisions, traffic},
};

/// The number of weeks whose traffic forms the curve.
const WEEKS: i64 = 4;
/// How long a curve is cached: the length of its hours.
const CURVE_FOR: TimeDelta = TimeDelta::hours(1);
/// How long a plan is cached before campaigns that have since ended are removed.
const PLAN_FOR: TimeDelta = TimeDelta::hours(1);

/// How long a campaign's links work after its end: tickets are valid for an hour.
const LINKED_FOR: TimeDelta = TimeDelta::hours(2);

/// The campaigns that can be served now or later, or could be served recently, at the latest revision.
pub(crate) async fn plan(context: &Context) -> Result<Arc<RevisedPlan>, Error> {
    let now = context.clock.now();
    // Read before the campaigns: a change committed in between has a newer revision, and is read next time.
    let revision = revisions::get(&context.pool).await?;
    let is_fresh = |plan: &Arc<RevisedPlan>| {
        plan.revision == revision && now - plan.read_at < PLAN_FOR && now >= plan.read_at
    };
    if let Some(plan) = context.loaded.plan.get().filter(is_fresh) {
        return Ok(plan);
    }
    let found = campaigns::ending_after(&context.pool, now - LINKED_FOR).await?;
    let active = found.into_iter().filter(|stored| !stored.is_paused);
    let plan = RevisedPlan {
        revision,
        campaigns: active.map(|stored| stored.campaign).collect(),
        read_at: now,
    };
    Ok(context.loaded.plan.set(plan))
}

/// The start of the current day in the site's time zone; the current time if the day does not begin at midnight.
fn day_begins(now: DateTime<Utc>, zone: Tz) -> DateTime<Utc> {
    let midnight = now
        .with_timezone(&zone)
        .date_naive()
        .and_time(NaiveTime::MIN);
    let begins = zone.from_local_datetime(&midnight).earliest();
    begins.map_or(now, |begins| begins.to_utc())
}

/// The curve of the site's traffic over the last weeks, up to the start of today.
pub(crate) async fn curve(context: &Context) -> Result<Curve, Error> {
    let now = context.clock.now();
    if let Some(held) = context.loaded.curve.get()
        && (TimeDelta::zero()..CURVE_FOR).contains(&(now - held.0))
    {
        return Ok(held.1.clone());
    }
    // Whole days only: an incomplete hour or an unusual peak today would change the plan for the rest of the day.
    let today = day_begins(now, context.zone);
    let hours = traffic::between(&context.pool, today - TimeDelta::weeks(WEEKS), today).await?;
    let offset = context
        .zone
        .offset_from_utc_datetime(&now.naive_utc())
        .fix();
    let offset = offset.local_minus_utc();
    let even = Curve::new(&[0.0; HOURS_OF_WEEK], offset);
    let mut pages = [0.0; HOURS_OF_WEEK];
    for (hour, count) in hours {
        if let Some(pages) = pages.get_mut(usize::from(even.hour_of_week(hour))) {
            *pages += f64::from(i32::try_from(count).unwrap_or(i32::MAX));
        }
    }
    let curve = Curve::new(&pages, offset);
    context.loaded.curve.set((now, curve.clone()));
    Ok(curve)
}
