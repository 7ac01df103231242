//! The operators' side of ads: folders of campaigns, and the log that invoices are recomputed from.

mod folder;
mod hours;
mod log;

pub use self::{
    folder::{AdsFolder, read},
    log::{LogFile, bytes},
};
