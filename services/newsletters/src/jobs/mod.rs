//! The durable jobs, one file each.

pub(crate) mod ask_to_confirm;
