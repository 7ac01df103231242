//! Mail providers' reports of undeliverable addresses and complaints, in each provider's JSON format and signature
//! scheme.

mod event;
mod report;
mod seal;
mod sns;

pub(crate) use self::{
    event::{Event, Provider, Reported},
    report::{Report, Reporter},
    sns::Topic,
};
