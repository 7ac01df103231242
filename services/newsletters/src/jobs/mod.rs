//! Durable jobs, a file for each purpose.

pub(crate) mod ask_to_confirm;
pub(crate) mod issues;
