//! Facebook log-in: `/profiles/facebook-login` redirects to Facebook, which redirects back to
//! `/profiles/facebook-callback`.

use axum::{
    Router,
    extract::State,
    response::{IntoResponse, Redirect, Response},
    routing::get,
};
use chassis::error::{Code, Fault};
use http::{HeaderMap, header::CACHE_CONTROL};
use identity_proto::v1::{
    BeginFacebookLoginRequest, CompleteFacebookLoginRequest, FacebookEntry,
    complete_facebook_login_response::Outcome,
};

use crate::{
    edge::{
        answer::PRIVATE,
        browser::{self, Flow},
        error::ApiError,
        limits::{Client, SIGN_IN, VisitingWriter},
        params::Params,
        redirect,
        session::{self, Visitor},
    },
    state::AppState,
    v2::{Intent, PasswordlessSignIn},
};

const LOGIN: &str = "/profiles/facebook-login";
/// Spans and metrics use the route instead of the address, so that they do not contain the code.
const CALLBACK: &str = "/profiles/facebook-callback";
/// The page that guests log in on.
const LOGIN_PAGE: &str = "/accounts/login";
/// The explanation that the reader must sign in again before the account is connected.
const UNPROVEN: &str = "unproven";
/// Maximum length of state and code, in bytes. The state contains the page to return to.
const MAX: usize = 6_000;
/// Maximum length of an intent's text; longer texts are ignored.
const MAX_WORD: usize = 32;

pub(crate) fn router() -> Router<AppState> {
    Router::new()
        .route(LOGIN, get(login))
        .route(CALLBACK, get(callback))
}

/// Redirects a guest to Facebook to log in, or a reader to connect their account. Only this browser can complete the
/// flow. An intent is accepted, and an account connected, only if the request comes from one of the site's own pages,
/// as any other site could also send the browser here.
async fn login(
    State(state): State<AppState>,
    VisitingWriter(visitor): VisitingWriter,
    headers: HeaderMap,
    params: Params,
) -> Result<Response, ApiError> {
    let is_own = is_from_own_page(&headers);
    let mut intent = asked(&params);
    let is_reader = matches!(visitor, Visitor::Reader(_));
    if !is_own {
        intent = Intent {
            next: intent.next,
            ..Intent::default()
        };
        if is_reader {
            return Ok(go(redirect::own_path(intent.next.as_deref())));
        }
    }
    let page = serde_json::to_string(&intent).map_err(|error| {
        let message = format!("an intent cannot be written: {error}");
        Fault::new(Code::Internal, message)
    })?;
    let secret = browser::secret_or_new(
        Flow::Facebook,
        &headers,
        &state.origin,
        state.entropy.as_ref(),
    );
    let request = visitor
        .call(&state.services)
        .request(BeginFacebookLoginRequest {
            browser: secret.clone(),
            page,
            connect: is_reader,
            session_token: visitor.secret(),
        });
    let begun = match state.services.facebook().begin_login(request).await {
        Ok(begun) => begun,
        Err(status) => {
            let fault = Fault::from(status);
            if fault.code == Code::FreshProofRequired {
                let next = redirect::own_path(intent.next.as_deref());
                return Ok(go_with(next, UNPROVEN));
            }
            return Err(fault.into());
        }
    };
    let mut response = go(&begun.into_inner().authorization_url);
    browser::set(Flow::Facebook, &mut response, &state.origin, &secret);
    Ok(response)
}

/// Facebook redirects the browser here. A successful log-in starts a session, executes the intent once and redirects to
/// its page. A cancelled log-in redirects back. A failed log-in redirects to a page with an explanation.
async fn callback(
    State(state): State<AppState>,
    VisitingWriter(visitor): VisitingWriter,
    client: Client,
    headers: HeaderMap,
    params: Params,
) -> Result<Response, ApiError> {
    let text = |name| params.text(name).ok().flatten().unwrap_or_default();
    let (login, code, error) = (text("state"), text("code"), text("error"));
    if [login, code, error].iter().any(|text| text.len() > MAX) {
        return Ok(go("/"));
    }
    client.pass(&state.limits, SIGN_IN).await?;
    let request = visitor
        .call(&state.services)
        .request(CompleteFacebookLoginRequest {
            browser: browser::secret(Flow::Facebook, &headers, &state.origin),
            state: login.to_owned(),
            code: code.to_owned(),
            error: error.to_owned(),
            device: session::device(&headers),
            session_token: visitor.secret(),
        });
    let completed = state.services.facebook().complete_login(request).await?;
    let completed = completed.into_inner();
    let outcome = completed.outcome();
    let intent: Intent = serde_json::from_str(&completed.page).unwrap_or_default();
    if let Some(FacebookEntry {
        session: Some(started),
        email,
    }) = completed.entry
    {
        let entrance = PasswordlessSignIn {
            state: &state,
            client: &client,
            headers: &headers,
        };
        return Ok(entrance.redirect(&started, &email, &intent).await);
    }
    let next = redirect::own_path(intent.next.as_deref());
    let is_guest = matches!(visitor, Visitor::Guest);
    let Some(why) = explanation(outcome, is_guest) else {
        return Ok(go(next));
    };
    if is_guest {
        let (next, why) = (("next", next.to_owned()), ("facebook", why.to_owned()));
        return Ok(go(&redirect::with_query(LOGIN_PAGE, &[next, why])));
    }
    Ok(go_with(next, why))
}

/// The outcome to explain on the page; `None` if no explanation is needed.
fn explanation(outcome: Outcome, is_guest: bool) -> Option<&'static str> {
    match outcome {
        Outcome::LoggedIn | Outcome::Cancelled => None,
        Outcome::Connected => Some("connected"),
        // If the callback is repeated, the first callback has already signed the reader in.
        Outcome::Unspecified => is_guest.then_some("failed"),
        Outcome::AddressTaken => Some("address-taken"),
        Outcome::NoAddress => Some("no-address"),
        Outcome::OtherAccount => Some("other-account"),
        Outcome::Disabled => Some("disabled"),
        Outcome::Failed => Some("failed"),
        Outcome::Unproven => Some(UNPROVEN),
    }
}

/// Returns the page to return to and the action to perform then. Invalid values count as absent.
fn asked(params: &Params) -> Intent {
    let text = |name| params.text(name).ok().flatten().map(str::to_owned);
    let word = |name| text(name).filter(|text: &String| text.len() <= MAX_WORD);
    Intent {
        next: Some(redirect::own_path(text("next").as_deref()).to_owned()),
        post_authenticate_action: word("post_authenticate_action"),
        object_id: word("object_id"),
        rating: word("rating"),
    }
}

/// Whether a page of this site sent the browser here. `false` for browsers without this header.
fn is_from_own_page(headers: &HeaderMap) -> bool {
    headers
        .get("sec-fetch-site")
        .is_some_and(|site| site == "same-origin")
}

/// Redirects to a page that explains the outcome.
fn go_with(page: &str, why: &str) -> Response {
    go(&redirect::with_query(page, &[("facebook", why.to_owned())]))
}

fn go(to: &str) -> Response {
    let mut response = Redirect::to(to).into_response();
    response.headers_mut().insert(CACHE_CONTROL, PRIVATE);
    response
}
