//! Ad delivery: targeting, priorities, exclusions and pace, the in-memory state of a process that serves pages, the
//! tickets that pages send back, preview links, and the log on which invoices are based. All functions are pure
//! functions of a plan, a page, an instant and random numbers; nothing here reads a file, a database or a clock.

mod curve;
mod engine;
mod event;
mod index;
mod log;
mod log_key;
mod log_wire;
mod pace;
mod page;
mod plan;
mod preview;
mod sealed;
mod selector;
mod size;
mod ticket;
mod wire;

pub use curve::{Curve, HOURS_OF_WEEK};
pub use engine::{Allowance, Engine, Reported, Unreadable};
pub use event::{Counts, EventKind, LoggedEvent, Verdict};
pub use log::{Broken, Follower, Link, LoggedBatch, Totals, digest};
pub use log_key::{LogKey, LogSigner};
pub use log_wire::{batch_from_wire, batch_to_wire, key_from_wire, key_to_wire};
pub use pace::{Delivered, Flight, Pace};
pub use page::{PageContext, Slot};
pub use plan::{
    Advertiser, Campaign, Content, Creative, LineItem, Native, Plan, Priority, Targeting,
};
pub use preview::{Preview, Previews};
pub use selector::{Choice, Selector};
pub use size::Size;
pub use ticket::{Invalid, Ticket, Tickets};
pub use wire::{advertiser_from_wire, campaign_from_wire, campaign_to_wire};
