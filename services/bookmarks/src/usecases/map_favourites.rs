//! The map from listing to record, whole, for the hearts of every page.

use chrono::{DateTime, Utc};

use crate::{
    context::Context,
    domain::{Kind, SETTLED_AFTER},
    error::Error,
    store::{
        favourites::{self, MapEntry},
        stamps,
    },
};

/// The entries, and the instant up to which every change is in them. The stamp is read before the
/// entries, so a change that comes between is in the map and its stamp is later than `as_of`: the
/// reader asks once more than needed, and never keeps a map that lacks a change.
pub(crate) async fn map_favourites(
    context: &Context,
    profile_id: i64,
) -> Result<(Vec<MapEntry>, DateTime<Utc>), Error> {
    let settled = context.clock.now() - SETTLED_AFTER;
    let as_of = stamps::find(&context.pool, profile_id, Kind::Favourites)
        .await?
        .map_or(settled, |stamp| stamp.at.max(settled));
    let entries = favourites::map(&context.pool, profile_id).await?;
    Ok((entries, as_of))
}
