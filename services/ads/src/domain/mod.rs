//! Pure types and rules.

mod event;
mod state;

pub(crate) use event::{Counted, Event, Facts, Outcome, judge};
pub(crate) use state::{CampaignState, HourlyCount, LineItemState, foreseen_end};
