//! State shared by use cases, consumers and jobs.

use chassis::rpc::Transport;
use chassis::{
    bulkhead::Bulkhead,
    clock::SharedClock,
    mail::{Address, Site},
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

#[derive(Clone)]
pub(crate) struct Context {
    pub(crate) pool: PgPool,
    pub(crate) outbox: Outbox,
    pub(crate) jobs: JobQueue,
    pub(crate) clock: SharedClock,
    /// The site that sends the mails.
    pub(crate) site: Site,
    /// Recipient of visitors' messages.
    pub(crate) contact: Address,
    /// How long entries are kept after their contest has closed.
    pub(crate) entries_kept: TimeDelta,
    /// Client for the places service, which returns search data and open places.
    pub(crate) places: PlacesClient<Transport>,
    /// Limits concurrent searches.
    pub(crate) searches: Bulkhead,
    /// Words and names for interpreting queries.
    pub(crate) lexicon: Cached<Revised<Lexicon>>,
    /// Names of all searchable objects, for suggestions.
    pub(crate) names: Cached<Revised<Names>>,
}

chassis::opaque_debug!(Context);
