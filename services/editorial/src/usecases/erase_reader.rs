//! Erases a reader's contest entries.

use chassis::{error::Fault, mail::Mail, postgres::erased, readers::Erasure};
use cityguide_proto::readers::v1::EraseResponse;

use crate::{context::Context, store::entries};

/// Kind of entries in receipts and exports.
pub(super) const ENTRIES: &str = "contest_entries";

/// Deletes the entries with the reader's address, if it is verified, and queued mails to it. Returns the total number of
/// entries that this erasure has deleted.
pub(crate) async fn erase_reader(
    context: &Context,
    erasure: &Erasure,
) -> Result<EraseResponse, Fault> {
    if let Some(email) = &erasure.verified_email {
        let mut transaction = context.pool.begin().await?;
        let rows = entries::erase(&mut transaction, email, erasure.requested_at).await?;
        let (addresses, until) = ([email.as_str().to_owned()], erasure.requested_at);
        context
            .jobs
            .withdraw::<Mail>(&mut transaction, "to", &addresses, until)
            .await?;
        let (id, now) = (erasure.id, context.clock.now());
        erased::add(&mut transaction, id, ENTRIES, rows, now).await?;
        transaction.commit().await?;
    }
    Ok(erased::answer(&context.pool, erasure.id, Vec::new()).await?)
}
