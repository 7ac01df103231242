//! Logs in with Facebook, by redirect or by a token.

use chassis::entropy::secret_token;

use super::{
    enter::{self, Entry},
    facebook,
};
use crate::{
    context::Context,
    domain::{BegunLogin, LoginOutcome, Outcome, Return, SessionToken},
    error::Error,
    facebook::FacebookError,
    store::{facebook_links, used_ceremonies},
    usecases::{Started, proof::require_proof},
};

/// The result of a log-in.
pub(crate) struct Entered {
    /// `None` if the log-in only connected the reader's account.
    pub(crate) session: Option<Started>,
    /// The account's address.
    pub(crate) email: String,
}

/// The visitor: the signed-in reader, if any, with the session token; a guest's token belongs to no session.
pub(crate) struct Visitor {
    pub(crate) reader: Option<i64>,
    pub(crate) session: SessionToken,
    pub(crate) device: String,
}

/// Begins a log-in, or the connection of a reader's account; returns the address of Facebook's page. A new connection
/// requires a fresh proof, while an account that is connected already proves its reader by this log-in.
pub(crate) async fn begin(
    context: &Context,
    browser: &str,
    page: String,
    connects: Option<i64>,
    session: &SessionToken,
) -> Result<String, Error> {
    let facebook = facebook(context)?;
    if let Some(reader) = connects {
        let mut connection = context.pool.acquire().await?;
        let connected = facebook_links::of_profile(&mut *connection, reader).await?;
        if connected.is_none() {
            require_proof(context, &mut connection, reader, session).await?;
        }
    }
    let verifier = secret_token(context.entropy.as_ref());
    let login = BegunLogin {
        verifier: verifier.clone(),
        page,
        connects,
    };
    let (entropy, now) = (context.entropy.as_ref(), context.clock.now());
    let state = facebook.states.seal(entropy, browser, login, now)?;
    Ok(facebook.dialog(&state, &verifier))
}

/// Completes a log-in or account connection after Facebook's redirect. Each state is accepted only once. Also returns
/// the page to redirect the reader to.
pub(crate) async fn complete(
    context: &Context,
    visitor: &Visitor,
    back: &Return,
) -> Result<(LoginOutcome, String, Option<Entered>), Error> {
    let facebook = facebook(context)?;
    let now = context.clock.now();
    let Some((login, used)) = facebook.states.open(&back.browser, &back.state, now) else {
        return Ok((LoginOutcome::Stale, String::new(), None));
    };
    let code = match &back.outcome {
        Outcome::Consent(code) => code,
        Outcome::Denial => return Ok((LoginOutcome::Cancelled, login.page, None)),
        Outcome::Failure => return Ok((LoginOutcome::Failed, login.page, None)),
    };
    // In the meantime, the reader may have signed out, or another reader signed in.
    let is_others = login.connects.is_some() && login.connects != visitor.reader;
    if is_others || used_ceremonies::is_used(&context.pool, &used).await? {
        return Ok((LoginOutcome::Stale, login.page, None));
    }
    let entered = async {
        let person = facebook.by_code(code, &login.verifier).await?;
        let entry = Entry {
            person: &person,
            used: Some(&used),
            device: &visitor.device,
        };
        enter(context, login.connects, &visitor.session, &entry).await
    };
    let (outcome, entered) = match entered.await {
        Ok(entered) if entered.session.is_some() => (LoginOutcome::LoggedIn, Some(entered)),
        Ok(entered) => (LoginOutcome::Connected, Some(entered)),
        Err(error) => (outcome_of(error)?, None),
    };
    Ok((outcome, login.page, entered))
}

/// Logs in with a token that a page has received, or connects the signed-in reader's account.
pub(crate) async fn with_token(
    context: &Context,
    visitor: &Visitor,
    token: &str,
    user_id: &str,
) -> Result<Entered, Error> {
    let person = facebook(context)?.by_token(token, user_id).await?;
    let entry = Entry {
        person: &person,
        used: None,
        device: &visitor.device,
    };
    enter(context, visitor.reader, &visitor.session, &entry).await
}

async fn enter(
    context: &Context,
    connects: Option<i64>,
    session: &SessionToken,
    entry: &Entry<'_>,
) -> Result<Entered, Error> {
    if let Some(reader) = connects {
        let email = enter::connect(context, reader, session, entry).await?;
        return Ok(Entered {
            session: None,
            email,
        });
    }
    let (started, email) = enter::log_in(context, entry).await?;
    Ok(Entered {
        session: Some(started),
        email,
    })
}

/// The outcome of a log-in by redirect for errors that the page can explain; other errors are returned.
fn outcome_of(error: Error) -> Result<LoginOutcome, Error> {
    Ok(match error {
        Error::AddressTaken => LoginOutcome::AddressTaken,
        Error::NoAddress => LoginOutcome::NoAddress,
        Error::OtherAccount => LoginOutcome::OtherAccount,
        Error::Disabled => LoginOutcome::Disabled,
        Error::StaleCeremony => LoginOutcome::Stale,
        Error::NoFreshProof => LoginOutcome::Unproven,
        Error::Facebook(error) => {
            if let FacebookError::NoAnswer(why) = error {
                tracing::warn!(why, "nobody can log in with Facebook");
            }
            LoginOutcome::Failed
        }
        other => return Err(other),
    })
}
