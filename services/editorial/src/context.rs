//! The state that use cases, consumers and jobs share.

use chassis::rpc::Transport;
use chassis::{
    clock::SharedClock,
    mail::Address,
    postgres::{Outbox, jobs::JobQueue},
};
use chrono::TimeDelta;
use places_proto::v1::places_client::PlacesClient;
use sqlx::PgPool;
use suggestions::Names;

use crate::{
    domain::search::Lexicon,
    usecases::search::{cached::Cached, parts::Revised},
};

/// The service's state.
#[derive(Clone)]
pub(crate) struct Context {
    pub(crate) pool: PgPool,
    pub(crate) outbox: Outbox,
    pub(crate) jobs: JobQueue,
    pub(crate) clock: SharedClock,
    /// The address to which visitors' messages are mailed.
    pub(crate) contact: Address,
    /// The retention of entries after their contest has closed.
    pub(crate) entries_kept: TimeDelta,
    /// Asked what the search shows of places, and which of them are open.
    pub(crate) places: PlacesClient<Transport>,
    /// The words and names that queries are understood by.
    pub(crate) lexicon: Cached<Revised<Lexicon>>,
    /// The names of everything that can be found, for suggestions.
    pub(crate) names: Cached<Revised<Names>>,
}

impl std::fmt::Debug for Context {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Context").finish_non_exhaustive()
    }
}
