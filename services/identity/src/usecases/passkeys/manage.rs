//! Lists and removes a reader's passkeys.

use chassis::error::Fault;

use crate::{
    context::Context,
    domain::{Act, Passkey},
    error::Error,
    store::{passkeys, profiles},
    usecases::{audit::record, require_way_in},
};

/// The reader's passkeys, newest first.
pub(crate) async fn list(context: &Context, profile_id: i64) -> Result<Vec<Passkey>, Error> {
    context.relying_party()?;
    Ok(passkeys::of_profile(&context.pool, profile_id).await?)
}

/// Removes one of the reader's passkeys, unless it is the only sign-in method. Sessions that began with it continue.
pub(crate) async fn remove(context: &Context, profile_id: i64, id: i64) -> Result<(), Error> {
    context.relying_party()?;
    let mut transaction = context.pool.begin().await?;
    let profile = profiles::lock(&mut transaction, profile_id).await?;
    let profile = profile.ok_or(Error::NoSession)?;
    if !passkeys::delete(&mut transaction, profile_id, id).await? {
        return Err(Fault::not_found().into());
    }
    require_way_in(context, &mut transaction, &profile).await?;
    record(context, &mut transaction, profile_id, Act::PasskeyRemoved).await?;
    transaction.commit().await?;
    Ok(())
}
