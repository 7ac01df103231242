//! Pure types and rules.

mod event;
mod state;

pub(crate) use event::{Counted, Event, Facts, Names, Outcome, judge};
pub(crate) use state::{CampaignState, HourlyCount, LineItemState, foreseen_end};
