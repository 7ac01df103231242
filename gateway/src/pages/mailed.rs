//! Pages linked from newsletter emails. They work without scripts, in any browser that a mail program opens. Each link
//! identifies its recipient without a session. GET only shows a page and POST makes the change, because programs that
//! scan emails also follow links.

use std::{collections::BTreeMap, sync::Arc};

use axum::{
    Router,
    extract::{FromRef, Path, State},
    response::{Html, IntoResponse, Response},
    routing::get,
};
use chassis::{call::Caller, clock::SharedClock, origin::Origin};
use chrono::Datelike;
use http::{
    HeaderValue, StatusCode,
    header::{CACHE_CONTROL, REFERRER_POLICY},
};
use maud::{Markup, html};
use newsletters_proto::v1::{
    self as proto, ChangePreferencesRequest, ConfirmRequest, GetConfirmationRequest, RefuseRequest,
};
use serde_json::Value;
use site::Site;
use vocabulary::newsletters::Kind;

use super::{content::frame, meta::Meta, shell::Shell};
use crate::{
    edge::{
        answer::PRIVATE,
        body::FormBody,
        error::ApiError,
        limits::{CountedRead, Limits, VisitingWriter},
        params::Params,
    },
    services::Clients,
    state::AppState,
    v2::newsletters::{choice, preferences, way},
    words::this_year::ThisYear,
};

const CONFIRM: &str = "/newsletters/confirm/{token}/";
const PREFERENCES: &str = "/newsletters/preferences/{token}/";
const UNSUBSCRIBE: &str = "/newsletters/unsubscribe/{token}/";

/// The addresses of these pages are secrets that must not be sent to other sites. The site itself must receive them:
/// without an origin, a browser's POST would count as cross-site.
const OWN_SITE_ALONE: HeaderValue = HeaderValue::from_static("same-origin");

/// State of the email pages.
#[derive(Clone)]
pub(crate) struct Mailed {
    app: AppState,
    shell: Arc<Shell>,
}

impl FromRef<Mailed> for Clients {
    fn from_ref(state: &Mailed) -> Self {
        state.app.services.clone()
    }
}

impl FromRef<Mailed> for Limits {
    fn from_ref(state: &Mailed) -> Self {
        state.app.limits.clone()
    }
}

impl FromRef<Mailed> for Origin {
    fn from_ref(state: &Mailed) -> Self {
        state.app.origin.clone()
    }
}

impl FromRef<Mailed> for SharedClock {
    fn from_ref(state: &Mailed) -> Self {
        state.app.clock.clone()
    }
}

pub(crate) fn router(app: AppState, shell: Arc<Shell>) -> Router<AppState> {
    Router::new()
        .route(CONFIRM, get(show_confirmation).post(confirm))
        .route(PREFERENCES, get(show_preferences).post(change))
        .route(UNSUBSCRIBE, get(show_subscription).post(unsubscribe))
        .with_state(Mailed::new(app, shell))
}

type Fields = FormBody<BTreeMap<String, Value>>;

async fn show_confirmation(
    State(state): State<Mailed>,
    _counted: CountedRead,
    Path(token): Path<String>,
) -> Response {
    let call = state.app.services.call(Caller::Guest);
    let request = call.request(GetConfirmationRequest { token });
    match state
        .app
        .services
        .mailed_links()
        .get_confirmation(request)
        .await
    {
        Ok(found) => {
            let found = found.into_inner();
            let title = "Confirm your subscription";
            state.page(StatusCode::OK, title, &confirmation(&found))
        }
        Err(status) => state.failed(&status.into()),
    }
}

async fn confirm(
    State(state): State<Mailed>,
    _counted: VisitingWriter,
    Path(token): Path<String>,
    FormBody(fields): Fields,
) -> Response {
    let call = state.app.services.call(Caller::Guest);
    let mut links = state.app.services.mailed_links();
    if fields.contains_key("refuse") {
        let refused = links.refuse(call.request(RefuseRequest { token })).await;
        return match refused {
            Ok(_) => state.page(StatusCode::OK, "We will not ask again", &refused_text()),
            Err(status) => state.failed(&status.into()),
        };
    }
    match links.confirm(call.request(ConfirmRequest { token })).await {
        Ok(confirmed) => {
            let kinds = kinds(&confirmed.into_inner().kinds);
            state.page(StatusCode::OK, "You are subscribed", &subscribed(&kinds))
        }
        Err(status) => state.failed(&status.into()),
    }
}

async fn show_preferences(
    State(state): State<Mailed>,
    _counted: CountedRead,
    Path(token): Path<String>,
) -> Response {
    match preferences::get(&state.app.services, token.clone()).await {
        Ok(found) => state.preferences(&token, &found, false),
        Err(error) => state.failed(&error),
    }
}

async fn change(
    State(state): State<Mailed>,
    _counted: VisitingWriter,
    Path(token): Path<String>,
    FormBody(fields): Fields,
) -> Response {
    let name = &state.app.site.name;
    // Browsers do not send unticked checkboxes.
    let choices = Kind::ALL.map(|kind| choice(name, kind, fields.contains_key(kind.name())));
    let request = ChangePreferencesRequest {
        token: token.clone(),
        choices: choices.into(),
        origin: Some(place("/newsletters/preferences/", way::PREFERENCES)),
    };
    match preferences::put(&state.app.services, request).await {
        Ok(changed) => state.preferences(&token, &changed, true),
        Err(error) => state.failed(&error),
    }
}

async fn show_subscription(
    State(state): State<Mailed>,
    _counted: CountedRead,
    Path(token): Path<String>,
    params: Params,
) -> Response {
    let kind = match named(&params) {
        Ok(kind) => kind,
        Err(error) => return state.failed(&error),
    };
    match preferences::get(&state.app.services, token.clone()).await {
        Ok(found) => state.page(
            StatusCode::OK,
            "Unsubscribe",
            &leaving(&token, &found, kind),
        ),
        Err(error) => state.failed(&error),
    }
}

/// Sent by the page's button or by a mail program (RFC 8058). The body is not read.
async fn unsubscribe(
    State(state): State<Mailed>,
    Path(token): Path<String>,
    params: Params,
) -> Response {
    let kind = match named(&params) {
        Ok(kind) => kind,
        Err(error) => return state.failed(&error),
    };
    let origin = place("/newsletters/unsubscribe/", way::ONE_CLICK);
    let name = kind.map(Kind::name);
    match preferences::end(&state.app.services, token.clone(), name, origin).await {
        Ok(_) => state.page(StatusCode::OK, "You are unsubscribed", &left(&token, kind)),
        Err(error) => state.failed(&error),
    }
}

/// Returns the newsletter in the query, if any.
fn named(params: &Params) -> Result<Option<Kind>, ApiError> {
    let name = params.one_of("kind", &Kind::ALL.map(Kind::name))?;
    Ok(name.and_then(Kind::named))
}

fn place(page: &str, way: &str) -> proto::Origin {
    proto::Origin {
        page: page.to_owned(),
        way: way.to_owned(),
    }
}

fn kinds(names: &[String]) -> Vec<Kind> {
    names.iter().filter_map(|name| Kind::named(name)).collect()
}

impl Mailed {
    pub(super) fn new(app: AppState, shell: Arc<Shell>) -> Self {
        Self { app, shell }
    }

    pub(super) fn services(&self) -> &Clients {
        &self.app.services
    }

    pub(super) fn site(&self) -> &Site {
        &self.app.site
    }

    /// The year that dates omit.
    pub(super) fn this_year(&self) -> ThisYear {
        ThisYear::new(self.app.clock.now(), self.site().timezone)
    }

    pub(super) fn page(&self, status: StatusCode, title: &str, content: &Markup) -> Response {
        let site: &Site = &self.app.site;
        let now = self.app.clock.now().with_timezone(&site.timezone);
        let body = html! {
            div class="Mailed_page" {
                h1 class="Mailed_title" { (title) }
                (content)
            }
        };
        let framed = frame::around(site, "/newsletters/", now.year(), false, &body);
        let origin = self.app.origin.as_str();
        let head = Meta::unlisted(title).html(origin, &site.name, &site.tagline);
        let html = self.shell.without_scripts(&head, &framed.into_string());
        let mut response = (status, Html(html)).into_response();
        let headers = response.headers_mut();
        headers.insert(CACHE_CONTROL, PRIVATE);
        headers.insert(REFERRER_POLICY, OWN_SITE_ALONE);
        response
    }

    fn preferences(&self, token: &str, found: &proto::Preferences, is_saved: bool) -> Response {
        let title = "Your newsletters";
        let name = &self.app.site.name;
        self.page(
            StatusCode::OK,
            title,
            &choosing(name, token, found, is_saved),
        )
    }

    pub(super) fn failed(&self, error: &ApiError) -> Response {
        let status = error.status();
        if status == StatusCode::NOT_FOUND {
            return self.page(status, "This link does not work any more", &gone());
        }
        let text = html! {
            p class="Mailed_text" { "This cannot be done right now. Please open the link again in a minute." }
        };
        let mut response = self.page(status, "Please try again", &text);
        error.tell_retry(response.headers_mut());
        response
    }
}

fn list(kinds: &[Kind]) -> Markup {
    html! {
        ul class="Mailed_list" {
            @for kind in kinds {
                li class="Mailed_item" {
                    span class="Mailed_name" { (kind.title()) }
                    span class="Mailed_detail" { (kind.schedule().words()) ". " (kind.description()) }
                }
            }
        }
    }
}

fn confirmation(found: &proto::Confirmation) -> Markup {
    html! {
        p class="Mailed_text" { (found.address) " will get:" }
        (list(&kinds(&found.kinds)))
        form class="Mailed_form" method="post" {
            div class="Mailed_actions" {
                button class="Button_button Button_solid" name="confirm" value="1" { "Confirm my subscription" }
            }
            p class="Mailed_text" {
                "Was it not you? Then there is nothing to do: nothing is sent without your confirmation. If this happens \
                 again and again, we can stop asking."
            }
            div class="Mailed_actions" {
                button class="Button_button Button_outline" name="refuse" value="1" { "Do not ask me again" }
            }
        }
    }
}

fn subscribed(kinds: &[Kind]) -> Markup {
    html! {
        p class="Mailed_text" { "Thank you. From now on you get:" }
        (list(kinds))
        p class="Mailed_text" { a href="/" { "Go to the front page" } }
    }
}

fn refused_text() -> Markup {
    html! {
        p class="Mailed_text" {
            "Nobody can ask for newsletters under this address any more. Write to us if you change your mind."
        }
        p class="Mailed_text" { a href="/contact/" { "Contact" } }
    }
}

fn choosing(site: &str, token: &str, found: &proto::Preferences, is_saved: bool) -> Markup {
    let on = kinds(&found.settings.clone().unwrap_or_default().on);
    html! {
        @if is_saved { p class="Mailed_text" role="status" { "Your choice is saved." } }
        p class="Mailed_text" { "What " (found.address) " gets:" }
        form class="Mailed_form" method="post" {
            ul class="Mailed_list" {
                @for kind in Kind::ALL {
                    li class="Mailed_item" {
                        label {
                            input type="checkbox" name=(kind.name()) checked[on.contains(&kind)];
                            span class="Mailed_name" { (kind.title()) }
                            span class="Mailed_detail" { (kind.consent(site)) }
                        }
                    }
                }
            }
            div class="Mailed_actions" { button class="Button_button Button_solid" { "Save" } }
        }
        @if !on.is_empty() {
            form class="Mailed_form" method="post" action={ "/newsletters/unsubscribe/" (token) "/" } {
                div class="Mailed_actions" {
                    button class="Button_button Button_outline" { "Unsubscribe from everything" }
                }
            }
        }
    }
}

fn leaving(token: &str, found: &proto::Preferences, kind: Option<Kind>) -> Markup {
    let on = kinds(&found.settings.clone().unwrap_or_default().on);
    let ended: Vec<Kind> = on
        .iter()
        .copied()
        .filter(|one| kind.is_none_or(|kind| kind == *one))
        .collect();
    let has_more = ended.len() < on.len();
    html! {
        @if ended.is_empty() {
            p class="Mailed_text" { (found.address) " does not get this newsletter any more." }
        } @else {
            p class="Mailed_text" { (found.address) " will no longer get:" }
            (list(&ended))
            form class="Mailed_form" method="post" {
                div class="Mailed_actions" { button class="Button_button Button_solid" { "Unsubscribe" } }
            }
        }
        @if has_more {
            form class="Mailed_form" method="post" action={ "/newsletters/unsubscribe/" (token) "/" } {
                div class="Mailed_actions" {
                    button class="Button_button Button_outline" { "Unsubscribe from everything" }
                }
            }
        }
        (choose_instead(token))
    }
}

fn left(token: &str, kind: Option<Kind>) -> Markup {
    html! {
        p class="Mailed_text" {
            @match kind {
                Some(kind) => { "You will not get " (kind.title()) " any more." }
                None => { "You will not get newsletters any more." }
            }
        }
        (choose_instead(token))
    }
}

fn choose_instead(token: &str) -> Markup {
    html! {
        p class="Mailed_text" {
            a href={ "/newsletters/preferences/" (token) "/" } { "Choose which newsletters you get" }
        }
    }
}

fn gone() -> Markup {
    html! {
        p class="Mailed_text" {
            "It was used already, or it is too old. If you want a newsletter, ask for it once more: a new link is mailed to you."
        }
        p class="Mailed_text" { a href="/newsletters/" { "Newsletters" } }
    }
}
