//! `/profiles/facebook-login` and `/profiles/facebook-callback`: a browser goes to Facebook to log in, and comes back.

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
        browser,
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
/// Spans and metrics have the route in place of the address, so the code is in none.
const CALLBACK: &str = "/profiles/facebook-callback";
/// The page that guests log in on.
const LOGIN_PAGE: &str = "/accounts/login";
/// The longest state and code, in bytes. A state carries the page to go back to.
const MAX: usize = 6_000;
/// The longest text of an intent; longer ones mean nothing.
const MAX_WORD: usize = 32;

pub(crate) fn router() -> Router<AppState> {
    Router::new()
        .route(LOGIN, get(login))
        .route(CALLBACK, get(callback))
}

/// Leads a guest to Facebook to log in, and a reader to connect their account. What comes back is this browser's alone. An
/// intent counts only if one of the site's own pages sends it, and only then an account is connected: any other site
/// could send the browser here too.
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
    let secret = browser::secret_or_new(&headers, &state.origin, state.entropy.as_ref());
    let request = visitor
        .call(&state.services)
        .request(BeginFacebookLoginRequest {
            browser: secret.clone(),
            page,
            connect: is_reader,
        });
    let begun = state.services.facebook().begin_login(request).await?;
    let mut response = go(&begun.into_inner().authorization_url);
    browser::set(&mut response, &state.origin, &secret);
    Ok(response)
}

/// Facebook sends the browser back. A log-in that succeeds begins a session, carries out the intent once, and leads to its
/// page; one that was cancelled leads back; one that failed leads to a page that says why.
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
            browser: browser::secret(&headers, &state.origin),
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
    let why = ("facebook", why.to_owned());
    if is_guest {
        let next = ("next", next.to_owned());
        return Ok(go(&redirect::with_query(LOGIN_PAGE, &[next, why])));
    }
    Ok(go(&redirect::with_query(next, &[why])))
}

/// What the page tells about it; `None` if there is nothing to tell.
fn explanation(outcome: Outcome, is_guest: bool) -> Option<&'static str> {
    match outcome {
        Outcome::LoggedIn | Outcome::Cancelled => None,
        Outcome::Connected => Some("connected"),
        // The callback was repeated: a reader is in by the first.
        Outcome::Unspecified => is_guest.then_some("failed"),
        Outcome::AddressTaken => Some("address-taken"),
        Outcome::NoAddress => Some("no-address"),
        Outcome::OtherAccount => Some("other-account"),
        Outcome::Disabled => Some("disabled"),
        Outcome::Failed => Some("failed"),
    }
}

/// The page to go back to, and what to do then. What cannot be meant counts as absent.
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

/// Whether a page of this site has sent the browser here. Browsers that do not say so count as others.
fn is_from_own_page(headers: &HeaderMap) -> bool {
    headers
        .get("sec-fetch-site")
        .is_some_and(|site| site == "same-origin")
}

fn go(to: &str) -> Response {
    let mut response = Redirect::to(to).into_response();
    response.headers_mut().insert(CACHE_CONTROL, PRIVATE);
    response
}
