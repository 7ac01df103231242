//! Announces a change of the plan.

use chassis::postgres::Outbox;
use cityguide_proto::{events::v1::PlanChanged, exchange, key};
use sqlx::PgConnection;

use crate::store::revisions;

/// Increments the plan's revision and notifies the processes that serve it, in the transaction of the change.
pub(super) async fn revise(
    outbox: &Outbox,
    transaction: &mut PgConnection,
) -> Result<(), sqlx::Error> {
    let revision = revisions::next(&mut *transaction).await?;
    let (exchange, key) = (exchange::ADS, key::PLAN_CHANGED);
    outbox
        .append(transaction, exchange, key, &PlanChanged { revision })
        .await
}
