//! The gRPC server: conversion between protobuf and domain types only.

mod campaigns;
mod delivery;

use chassis::batcher::Batcher;

use crate::{
    context::Context,
    domain::{Event, Outcome},
    usecases::record::record,
};

#[derive(Clone)]
pub(crate) struct Api {
    context: Context,
    /// Stores the events of concurrent calls together.
    recorder: Batcher<Event, Outcome>,
}

impl Api {
    pub(crate) fn new(context: Context) -> Self {
        let recording = context.clone();
        let recorder = Batcher::gathering(move |events| {
            let context = recording.clone();
            async move { record(&context, events).await }
        });
        Self { context, recorder }
    }
}
