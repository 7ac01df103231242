//! What use cases, consumers and jobs stand on.

use chassis::{clock::SharedClock, gather::Gather, postgres::Outbox, rpc::Transport};
use cityguide_proto::places::v1::places_client::PlacesClient;
use sqlx::PgPool;

use crate::domain::Stamp;

/// What the use cases need.
#[derive(Clone)]
pub(crate) struct Context {
    pub(crate) pool: PgPool,
    /// Every stamp of a reader: what every open page asks for, again and again.
    pub(crate) stamps: Gather<i64, Vec<Stamp>>,
    pub(crate) outbox: Outbox,
    pub(crate) clock: SharedClock,
    pub(crate) places: PlacesClient<Transport>,
}
