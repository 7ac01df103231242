//! What tests stand on.

pub mod clock;
pub mod database;
