//! Domain types and rules, without I/O.

mod address;
pub(crate) mod answer;
mod choice;
pub(crate) mod composing;
pub(crate) mod issue;
mod ledger;
mod letters;
mod link;
mod pace;
pub(crate) mod personal;
pub(crate) mod rendering;
mod return_path;
mod third_parties;
mod timetable;

pub(crate) use address::{Addresses, mailbox, masked};
pub(crate) use choice::{Choice, Choices, Origin, Way};
pub(crate) use ledger::{Act, BEFORE_FIRST, Entry, Link, LinkedEntry};
pub(crate) use letters::Site;
pub(crate) use link::{CONFIRMATION_WORKS, LinkToken, is_token};
pub(crate) use pace::{Paces, domain_of};
pub(crate) use rendering::{Recipient, Rendered};
pub(crate) use return_path::ReturnPath;
pub(crate) use third_parties::{THIRD_PARTIES, ThirdPartyAnswer, ThirdPartyChoice};
pub(crate) use timetable::Times;
