//! Protobuf to domain and back, nothing else.

mod campaigns;
mod delivery;

use chassis::batcher::Batcher;

use crate::{
    context::Context,
    domain::{Event, Outcome},
    usecases::record::record,
};

/// The service's calls.
#[derive(Clone)]
pub(crate) struct Api {
    context: Context,
    /// Events of many calls that come at once are stored together.
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
