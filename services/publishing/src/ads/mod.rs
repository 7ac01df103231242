//! Ad tools for operators: campaign folders, and the log for recomputing invoices.

mod folder;
mod hours;
mod log;

pub use self::{
    folder::{AdsFolder, read},
    log::{LogFile, LogFileKeys, bytes},
};
