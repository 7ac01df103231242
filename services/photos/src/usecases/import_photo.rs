//! Imports a photo.

use chassis::error::Fault;
use uuid::Uuid;

use super::{announce, commit, create_photo::insert, received};
use crate::{
    context::Context,
    domain::{ImportedPhoto, Status},
    error::Error,
    store::imported::{self, Known},
};

/// The outcome of a photo's import.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Outcome {
    Unchanged,
    /// The fields that differ, by their names for publishers.
    Changed(Vec<&'static str>),
    Created,
    /// The photo is unknown, and its file was not received.
    FileNeeded,
}

/// Creates a photo from a received file, to be published when its sizes are made, or updates the texts of an already
/// imported photo. The file is consumed in any case. A dry run returns the same outcome and changes nothing.
pub(crate) async fn import_photo(
    context: &Context,
    new: &ImportedPhoto,
    incoming: Option<Uuid>,
    dry_run: bool,
) -> Result<Outcome, Error> {
    let outcome = take(context, new, incoming, dry_run).await;
    if let Some(incoming) = incoming.filter(|_| outcome.as_ref().ok() != Some(&Outcome::Created)) {
        context.discard(incoming).await;
    }
    outcome
}

async fn take(
    context: &Context,
    new: &ImportedPhoto,
    incoming: Option<Uuid>,
    dry_run: bool,
) -> Result<Outcome, Error> {
    if let Some(outcome) = change(context, new, dry_run).await? {
        return Ok(outcome);
    }
    let Some(incoming) = incoming.filter(|_| !dry_run) else {
        return Ok(Outcome::FileNeeded);
    };
    let file = received::check(context, incoming).await?;
    if file.digest != new.digest {
        return Err(Fault::invalid_field("digest", "The file is another one.").into());
    }
    let now = context.clock.now();
    let mut transaction = context.pool.begin().await?;
    let (name, shown) = (&new.instagram_user, &new.photo.full_name);
    let uploader = imported::enter(&mut transaction, name, shown, now).await?;
    let created_at = new.created_at.unwrap_or(now);
    let inserted = insert(
        context,
        &mut transaction,
        uploader,
        &new.photo,
        (&file, incoming),
        created_at,
    );
    if inserted.await?.is_none() {
        // A concurrent call has just imported the photo.
        return Ok(Outcome::Unchanged);
    }
    context.jobs.commit(transaction).await?;
    Ok(Outcome::Created)
}

/// Updates an already imported photo; `None` if there is none.
async fn change(
    context: &Context,
    new: &ImportedPhoto,
    dry_run: bool,
) -> Result<Option<Outcome>, Error> {
    let mut transaction = context.pool.begin().await?;
    let (name, listing_id) = (&new.instagram_user, new.photo.listing_id);
    let known = imported::find(&mut transaction, name, listing_id, &new.digest).await?;
    let Some(known) = known else {
        return Ok(None);
    };
    let fields = differing(&known, new);
    if fields.is_empty() {
        return Ok(Some(Outcome::Unchanged));
    }
    if !dry_run {
        let texts = [new.photo.description.as_str(), new.photo.licence.as_str()];
        let created_at = new.created_at.unwrap_or(known.created_at);
        imported::change(&mut transaction, known.id, texts, created_at).await?;
        if known.status == Status::Published.as_str() {
            announce(context, &mut transaction, &[known.listing_id]).await?;
        }
        commit(context, transaction).await?;
    }
    Ok(Some(Outcome::Changed(fields)))
}

fn differing(known: &Known, new: &ImportedPhoto) -> Vec<&'static str> {
    let is_later = new.created_at.is_some_and(|at| at != known.created_at);
    let fields = [
        ("description", known.description != new.photo.description),
        ("licence", known.licence != new.photo.licence.as_str()),
        ("date", is_later),
    ];
    let differing = fields.into_iter().filter(|(_, differs)| *differs);
    differing.map(|(field, _)| field).collect()
}
