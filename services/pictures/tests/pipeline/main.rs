//! The whole pipeline, on pictures that are made here.
#![expect(clippy::expect_used, reason = "a test that cannot go on has failed")]

#[path = "../samples/mod.rs"]
mod samples;

mod colours;
mod formats;
mod hostile;
mod metadata;
mod mutants;
mod orientation;
mod sizes;
