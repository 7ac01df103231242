//! Access to an account whose owner has proved the address. Anyone can create an account with somebody else's address,
//! so the existing sign-in methods and grants may belong to a stranger.

use sqlx::PgConnection;

use crate::{
    context::Context,
    domain::{Access, DisconnectJob, Profile, RevokeJob, SessionToken},
    error::Error,
    store::{
        calendar_authorizations, calendar_feeds, calendar_grants, facebook_links, mailed_links,
        passkeys, sessions,
    },
};

/// Reads the sign-in methods and grants of an account.
pub(super) async fn access(
    connection: &mut PgConnection,
    profile: &Profile,
) -> Result<Access, Error> {
    let id = profile.id;
    Ok(Access {
        has_password: profile.has_password,
        facebook: facebook_links::of_profile(&mut *connection, id).await?,
        calendar: calendar_grants::find(&mut *connection, id).await?,
        calendar_feed: calendar_feeds::find(&mut *connection, id).await?,
        passkeys: passkeys::of_profile(connection, id).await?,
    })
}

/// The ended access, as numbers of rows.
pub(super) struct Ended {
    pub(super) sessions: Vec<SessionToken>,
    pub(super) links: u64,
    pub(super) passkeys: u64,
    pub(super) facebook: bool,
    pub(super) feeds: u64,
    pub(super) grant: bool,
    pub(super) authorizations: u64,
    pub(super) intents: u64,
}

/// Ends everything that gives access to a locked account except its password: sessions, mailed links, passkeys, its
/// connection with Facebook, calendar, feed and pending authorisations. Queues the revocation of grants at third
/// parties. After the commit, the caller passes the sessions to [`super::forget`].
pub(super) async fn end_access(
    context: &Context,
    connection: &mut PgConnection,
    profile_id: i64,
) -> Result<Ended, Error> {
    let sessions = sessions::end_all(connection, profile_id, None).await?;
    let links = mailed_links::revoke(connection, profile_id, None).await?;
    let passkeys = passkeys::delete_all(connection, profile_id).await?;
    let facebook = facebook_links::delete(connection, profile_id).await?;
    let grant = calendar_grants::delete(connection, profile_id).await?;
    let (feeds, authorizations, intents) =
        end_feed_and_authorizations(connection, profile_id).await?;
    if let Some(grant) = &grant {
        let job = RevokeJob::new(grant);
        context.jobs.append(connection, &job).await?;
    }
    if let Some(facebook_id) = &facebook {
        let job = DisconnectJob {
            facebook_id: facebook_id.clone(),
        };
        context.jobs.append(connection, &job).await?;
    }
    Ok(Ended {
        sessions,
        links,
        passkeys,
        facebook: facebook.is_some(),
        feeds,
        grant: grant.is_some(),
        authorizations,
        intents,
    })
}

/// Ends the calendar feed and pending authorisations of an account, which no page of the account shows to its reader;
/// returns the numbers of feeds, authorisations and intended events.
pub(super) async fn end_feed_and_authorizations(
    connection: &mut PgConnection,
    profile_id: i64,
) -> Result<(u64, u64, u64), Error> {
    let feeds = calendar_feeds::delete(connection, profile_id).await?;
    let (authorizations, intents) =
        calendar_authorizations::delete(&mut *connection, profile_id).await?;
    Ok((feeds, authorizations, intents))
}
