//! Operators' actions on accounts whose readers ask for help.

use chassis::{email::Email, error::Fault};

use super::{audit::record, forget};
use crate::{
    context::Context,
    domain::{Act, SupportView},
    error::Error,
    store::{mailed_links, profiles, sessions},
};

/// An account by its id. The operator's access is recorded.
pub(crate) async fn get_account(context: &Context, id: i64) -> Result<SupportView, Error> {
    let seen = view(context, id).await?;
    let mut connection = context.pool.acquire().await?;
    record(context, &mut connection, id, Act::AccountViewed).await?;
    Ok(seen)
}

async fn view(context: &Context, id: i64) -> Result<SupportView, Error> {
    let found = profiles::find(&context.pool, id).await?;
    let profile = found.ok_or_else(Fault::not_found)?;
    let disabled_at = profiles::disabled_at(&context.pool, id).await?;
    let live = sessions::of_profile(&context.pool, id, context.clock.now()).await?;
    Ok(SupportView {
        profile,
        disabled_at,
        sessions: i64::try_from(live.len()).unwrap_or(i64::MAX),
        last_active_at: live.iter().map(|session| session.last_active_at).max(),
    })
}

pub(crate) async fn find_account(context: &Context, email: &str) -> Result<SupportView, Error> {
    let email = Email::parse(email).map_err(|message| Fault::invalid_field("email", message))?;
    let found = profiles::credentials(&context.pool, &email).await?;
    get_account(context, found.ok_or_else(Fault::not_found)?.id).await
}

/// Disables or enables an account. Disabling ends its sessions and revokes its mailed links.
pub(crate) async fn set_disabled(
    context: &Context,
    id: i64,
    is_disabled: bool,
) -> Result<SupportView, Error> {
    let mut transaction = context.pool.begin().await?;
    let since = is_disabled.then(|| context.clock.now());
    if !profiles::set_disabled(&mut transaction, id, since).await? {
        return Err(Fault::not_found().into());
    }
    let act = if is_disabled {
        Act::AccountDisabled
    } else {
        Act::AccountEnabled
    };
    record(context, &mut transaction, id, act).await?;
    let mut ended = Vec::new();
    if is_disabled {
        mailed_links::revoke(&mut transaction, id, None).await?;
        ended = sessions::end_all(&mut transaction, id, None).await?;
    }
    transaction.commit().await?;
    forget(context, &ended).await;
    tracing::info!(
        profile = id,
        is_disabled,
        "an operator disabled or enabled an account"
    );
    view(context, id).await
}

/// Ends every session of an account; returns how many.
pub(crate) async fn end_sessions(context: &Context, id: i64) -> Result<usize, Error> {
    let mut transaction = context.pool.begin().await?;
    let found = profiles::lock(&mut transaction, id).await?;
    found.ok_or_else(Fault::not_found)?;
    let ended = sessions::end_all(&mut transaction, id, None).await?;
    record(context, &mut transaction, id, Act::SessionsEnded).await?;
    transaction.commit().await?;
    forget(context, &ended).await;
    tracing::info!(
        profile = id,
        sessions = ended.len(),
        "an operator has ended sessions"
    );
    Ok(ended.len())
}
