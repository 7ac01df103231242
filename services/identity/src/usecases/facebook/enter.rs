//! Signs in, registers or connects a person identified by Facebook.

use crate::{
    context::Context,
    domain::{Account, Act, Newcomer, Person, Purpose, SessionToken, Used},
    error::Error,
    store::{
        facebook_links::{self, Owner},
        profiles::{self, NewProfile},
        sessions, used_ceremonies,
    },
    usecases::{
        Started,
        audit::{record, record_failure},
        mail_link, post,
        proof::require_proof,
        start_session,
    },
};

/// The number of attempts: a concurrent log-in may connect or disconnect the person's account.
const TRIES: usize = 3;

/// A person who has logged in with Facebook, and the person's device.
pub(super) struct Entry<'a> {
    pub(super) person: &'a Person,
    /// The state of a log-in by redirect, which can be used once.
    pub(super) used: Option<&'a Used>,
    pub(super) device: &'a str,
}

/// Starts a session for the account connected to a person, or for a new account: all or nothing. Also returns the
/// account's address.
pub(super) async fn log_in(
    context: &Context,
    entry: &Entry<'_>,
) -> Result<(Started, String), Error> {
    for _ in 0..TRIES {
        let owner = facebook_links::owner(&context.pool, &entry.person.id).await?;
        let entered = match owner {
            Some(owner) => sign_in(context, entry, owner).await?,
            None => register(context, entry).await?,
        };
        if let Some(entered) = entered {
            return Ok(entered);
        }
    }
    Err(Error::AddressTaken)
}

/// Starts a session; `None` if the account is no longer connected.
async fn sign_in(
    context: &Context,
    entry: &Entry<'_>,
    owner: Owner,
) -> Result<Option<(Started, String)>, Error> {
    let now = context.clock.now();
    if owner.disabled_at.is_some() {
        record_failure(context, Some(owner.profile_id), Act::SignInFailed).await?;
        return Err(Error::Disabled);
    }
    let mut transaction = context.pool.begin().await?;
    if !profiles::hold(&mut transaction, owner.profile_id).await?
        || !facebook_links::touch(&mut transaction, owner.profile_id, &entry.person.id, now).await?
    {
        return Ok(None);
    }
    use_up(&mut transaction, entry).await?;
    let account = Account {
        profile_id: owner.profile_id,
        created_at: owner.account_created_at,
    };
    let started = start(context, &mut transaction, account, entry.device).await?;
    record(context, &mut transaction, account.profile_id, Act::SignedIn).await?;
    let started = started.commit(context, transaction).await?;
    Ok(Some((started, owner.email)))
}

/// Creates an account; `None` if the person has obtained an account in the meantime.
async fn register(
    context: &Context,
    entry: &Entry<'_>,
) -> Result<Option<(Started, String)>, Error> {
    let (now, newcomer) = (context.clock.now(), newcomer(entry.person)?);
    let mut transaction = context.pool.begin().await?;
    let profile = NewProfile {
        newcomer: &newcomer,
        password_hash: context.passwords.nobody(),
        has_password: false,
        user_handle: None,
    };
    let Some(id) = profiles::insert(&mut transaction, &profile, now).await? else {
        drop(transaction);
        let owner = facebook_links::owner(&context.pool, &entry.person.id).await?;
        return owner.map_or(Err(Error::AddressTaken), |_| Ok(None));
    };
    if !facebook_links::insert(&mut transaction, id, &entry.person.id, now).await? {
        return Ok(None);
    }
    use_up(&mut transaction, entry).await?;
    let account = Account {
        profile_id: id,
        created_at: now,
    };
    let started = start(context, &mut transaction, account, entry.device).await?;
    record(context, &mut transaction, id, Act::Registered).await?;
    // Facebook does not verify that the address is the person's, so the person must confirm it.
    let whom = (id, newcomer.email.as_str());
    mail_link(context, &mut transaction, whom, Purpose::ConfirmEmail, None).await?;
    context.jobs.commit(transaction).await?;
    Ok(Some((started, newcomer.email.as_str().to_owned())))
}

/// Connects the reader's account to a person, unless it is already connected to this person. A new connection requires a
/// fresh proof. In either case, records the proof of identity in the session.
pub(super) async fn connect(
    context: &Context,
    profile_id: i64,
    session: &SessionToken,
    entry: &Entry<'_>,
) -> Result<String, Error> {
    let now = context.clock.now();
    let mut transaction = context.pool.begin().await?;
    let profile = profiles::lock(&mut transaction, profile_id).await?;
    let profile = profile.ok_or(Error::NoSession)?;
    use_up(&mut transaction, entry).await?;
    match facebook_links::of_profile(&mut *transaction, profile_id).await? {
        Some(connected) if connected.facebook_id == entry.person.id.as_str() => {
            facebook_links::touch(&mut transaction, profile_id, &entry.person.id, now).await?;
        }
        Some(_) => return Err(Error::OtherAccount),
        None => {
            require_proof(context, &mut transaction, profile_id, session).await?;
            if !facebook_links::insert(&mut transaction, profile_id, &entry.person.id, now).await? {
                return Err(Error::OtherAccount);
            }
            record(
                context,
                &mut transaction,
                profile_id,
                Act::FacebookConnected,
            )
            .await?;
            let notice = context.site.facebook_connected(&profile.email);
            post(context, &mut transaction, notice).await?;
        }
    }
    sessions::prove_by_facebook(&mut transaction, session, now).await?;
    context.jobs.commit(transaction).await?;
    Ok(profile.email)
}

/// Starts a session that records the log-in with Facebook.
async fn start(
    context: &Context,
    connection: &mut sqlx::PgConnection,
    account: Account,
    device: &str,
) -> Result<Started, Error> {
    let started = start_session(context, connection, account, device).await?;
    let session = SessionToken::new(&started.secret);
    sessions::prove_by_facebook(connection, &session, context.clock.now()).await?;
    Ok(started)
}

async fn use_up(connection: &mut sqlx::PgConnection, entry: &Entry<'_>) -> Result<(), Error> {
    match entry.used {
        Some(used) if !used_ceremonies::use_up(connection, used).await? => {
            Err(Error::StaleCeremony)
        }
        _ => Ok(()),
    }
}

/// The data of a person's new account. A name that is not allowed is adjusted.
fn newcomer(person: &Person) -> Result<Newcomer, Error> {
    let email = person.email.as_deref().unwrap_or_default();
    let name: String = person.name.chars().filter(|c| !c.is_control()).collect();
    let name: String = name.trim().chars().take(Newcomer::MAX_NAME).collect();
    let name = if name.is_empty() { "Reader" } else { &name };
    Newcomer::parse(name, email).map_err(|_| Error::NoAddress)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::domain::FacebookId;

    fn person(name: &str, email: Option<&str>) -> Person {
        Person {
            id: FacebookId::parse("1").expect("a number"),
            name: name.to_owned(),
            email: email.map(str::to_owned),
        }
    }

    #[test]
    fn a_person_gets_an_account_under_any_name_but_not_without_an_address() {
        let long = "n".repeat(300);
        for (name, kept) in [
            (" Ada  King ", "Ada King"),
            ("Ada\u{0}\r\nBcc: x", "AdaBcc: x"),
            ("", "Reader"),
            (long.as_str(), &long[..255]),
        ] {
            let made = newcomer(&person(name, Some("ada@example.com"))).expect("made");
            assert_eq!(made.full_name, kept);
        }
        for email in [None, Some(""), Some("ada")] {
            let refused = newcomer(&person("Ada", email)).expect_err("refused");
            assert!(matches!(refused, Error::NoAddress), "{email:?}");
        }
    }
}
