//! Reports of mail providers, in the JSON and with the signatures of each: addresses that take no mail, and complaints.

mod event;
mod report;
mod seal;
mod sns;

pub(crate) use self::{
    event::{Event, Provider, Reported},
    report::{Report, Reporter},
    sns::Topic,
};
