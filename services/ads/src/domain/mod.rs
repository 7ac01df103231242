//! Pure types and rules.

mod event;
mod state;

pub(crate) use event::{Event, Facts, Names, Outcome, at_first_sight, judge};
pub(crate) use state::{CampaignState, HourlyCount, LineItemState, foreseen_end};
