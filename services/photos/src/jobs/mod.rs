//! Background work.

pub(crate) mod delete_files;
pub(crate) mod make_pictures;

use chassis::{error::Fault, postgres::jobs::Failure};

/// The outcome of a job: an attempt that met an outage does not count.
fn done(outcome: Result<(), Fault>) -> Result<(), Failure> {
    outcome.map_err(|fault| {
        if fault.code.is_outage() {
            Failure::Outage(fault.message)
        } else {
            fault.into()
        }
    })
}
