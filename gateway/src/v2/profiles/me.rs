//! GET, PATCH and PUT `profiles/me/`: the reader's own profile.

use axum::{extract::State, response::Response};
use chassis::{call::Call, instant};
use http::{HeaderMap, StatusCode};
use identity_proto::v1::{ChangeProfileRequest, GetProfileRequest, Profile as ProfileMessage};
use newsletters_proto::v1::{ChangeSettingsRequest, GetSettingsRequest, Settings};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;
use vocabulary::saved::Kind;

use super::avatar::address_of;
use crate::{
    edge::{
        answer::personal,
        body::{Body, required},
        error::{ApiError, ErrorBody},
        limits::{Client, MAILED_LINKS, TooMany, Writer},
        session::Reader,
    },
    state::AppState,
    v2::{
        newsletters::{NewsletterChanges, NewsletterSettings, changes, origin, way},
        saved::last_updates::LastUpdates,
    },
};

/// A reader's profile.
#[derive(Debug, Serialize, ToSchema)]
#[expect(clippy::struct_excessive_bools, reason = "the fields of the API")]
pub(crate) struct Profile {
    id: i64,
    full_name: String,
    /// Up to the first space.
    first_name: String,
    /// The rest; empty if there is only one name.
    last_name: String,
    email: String,
    email_verified: bool,
    /// The address that becomes the account's once the link that was mailed to it is used.
    pending_email: Option<String>,
    /// The reader's own picture, 80x80; null if there is none. The address is signed.
    #[schema(required = true)]
    avatar_url: Option<String>,
    /// Whether saved events go to the reader's own calendar; null until the reader has chosen.
    calendar_sync: Option<bool>,
    /// Whether a password signs in to the account; false if it was made with a passkey and none has been set since.
    has_password: bool,
    /// Whether the reader ever had a to-do, even if none is left.
    has_submitted_todo: bool,
    last_updates: LastUpdates,
    /// Which newsletters are on; null while nobody can tell. Nothing is sent before the address is confirmed.
    newsletter_settings: Option<NewsletterSettings>,
    /// As `news` in the settings.
    is_news_category_newsletter_active: bool,
    /// As `events` in the settings.
    is_events_category_newsletter_active: bool,
    /// As `foods` in the settings.
    is_foods_category_newsletter_active: bool,
}

/// A change of a profile; what is absent stays as it is.
#[derive(Debug, Default, Deserialize, ToSchema)]
#[serde(default)]
pub(crate) struct ProfileChange {
    /// 1 to 255 characters.
    full_name: Option<String>,
    /// Stays pending until the link that is mailed to it is used; the old address is told.
    email: Option<String>,
    /// Newsletters to switch on or off.
    #[serde(deserialize_with = "changes")]
    newsletter_settings: Option<NewsletterChanges>,
}

/// The reader's choice about the calendar.
#[derive(Debug, Default, Deserialize, ToSchema)]
#[serde(default)]
pub(crate) struct CalendarChoice {
    /// Whether saved events go to the reader's own calendar.
    #[schema(required = true, value_type = bool)]
    calendar_sync: Option<bool>,
}

/// The reader's own profile.
#[utoipa::path(get, path = "/api/v2/profiles/me/", tag = "profiles",
    responses((status = 200, body = Profile), (status = 401, body = ErrorBody),
        (status = 503, body = ErrorBody)))]
pub(crate) async fn me(
    State(state): State<AppState>,
    reader: Reader,
) -> Result<Response, ApiError> {
    let request = reader.call.request(GetProfileRequest {});
    let profile = state.services.identity().get_profile(request).await?;
    Ok(answer(&state, &reader, profile.into_inner()).await)
}

/// Changes the reader's name and email.
#[utoipa::path(patch, path = "/api/v2/profiles/me/", operation_id = "change_profile", tag = "profiles",
    request_body = ProfileChange,
    responses((status = 200, body = Profile), (status = 400, body = ErrorBody),
        (status = 401, body = ErrorBody), (status = 403, body = ErrorBody),
        (status = 413, body = ErrorBody), (status = 415, body = ErrorBody), TooMany,
        (status = 503, body = ErrorBody)))]
pub(crate) async fn change(
    State(state): State<AppState>,
    Writer(reader): Writer,
    client: Client,
    headers: HeaderMap,
    Body(change): Body<ProfileChange>,
) -> Result<Response, ApiError> {
    let ProfileChange {
        full_name,
        email,
        newsletter_settings,
    } = change;
    if email.is_some() {
        client.pass_as(&reader, &state.limits, MAILED_LINKS).await?;
    }
    let change = ChangeProfileRequest {
        full_name,
        email,
        calendar_sync: None,
    };
    let request = reader.call.request(change);
    let profile = state.services.identity().change_profile(request).await?;
    let profile = profile.into_inner();
    let settings = match newsletter_settings {
        None => None,
        Some(changes) => {
            let request = ChangeSettingsRequest {
                choices: changes.choices(&state.site.name),
                origin: Some(origin(&state.origin, &headers, way::SETTINGS)),
                email: profile.email.clone(),
                is_email_verified: profile.email_verified,
            };
            let request = reader.call.request(request);
            let mut newsletters = state.services.newsletters();
            Some(newsletters.change_settings(request).await?.into_inner())
        }
    };
    let others = Others::of(&state, &reader.call, &profile, settings).await;
    Ok(response(profile, others))
}

/// Stores whether saved events go to the reader's own calendar, and touches nothing else.
#[utoipa::path(put, path = "/api/v2/profiles/me/", operation_id = "choose_calendar", tag = "profiles",
    request_body = CalendarChoice,
    responses((status = 200, body = Profile), (status = 400, body = ErrorBody),
        (status = 401, body = ErrorBody), (status = 403, body = ErrorBody),
        (status = 413, body = ErrorBody), (status = 415, body = ErrorBody), TooMany,
        (status = 503, body = ErrorBody)))]
pub(crate) async fn choose_calendar(
    State(state): State<AppState>,
    Writer(reader): Writer,
    Body(choice): Body<CalendarChoice>,
) -> Result<Response, ApiError> {
    let choice = required("calendar_sync", choice.calendar_sync)?;
    let change = ChangeProfileRequest {
        calendar_sync: Some(choice),
        ..ChangeProfileRequest::default()
    };
    let request = reader.call.request(change);
    let profile = state.services.identity().change_profile(request).await?;
    Ok(answer(&state, &reader, profile.into_inner()).await)
}

/// The parts of a profile that other services than identity keep. A profile is answered without those that are away.
struct Others {
    avatar_url: Option<String>,
    newsletters: Option<NewsletterSettings>,
}

impl Others {
    /// Asks for them, but for newsletters that are known already.
    async fn of(
        state: &AppState,
        call: &Call,
        profile: &ProfileMessage,
        newsletters: Option<Settings>,
    ) -> Self {
        let settings = async {
            if newsletters.is_some() {
                return newsletters;
            }
            let verified_email = if profile.email_verified {
                profile.email.clone()
            } else {
                String::new()
            };
            let request = call.request(GetSettingsRequest { verified_email });
            match state.services.newsletters().get_settings(request).await {
                Ok(settings) => Some(settings.into_inner()),
                Err(status) => {
                    tracing::warn!(%status, "a profile is answered without its newsletters");
                    None
                }
            }
        };
        let (avatar_url, settings) = tokio::join!(address_of(state, call), settings);
        Self {
            avatar_url,
            newsletters: settings.as_ref().map(NewsletterSettings::from),
        }
    }
}

/// The profile as its reader gets it.
pub(super) async fn answer(state: &AppState, reader: &Reader, profile: ProfileMessage) -> Response {
    let others = Others::of(state, &reader.call, &profile, None).await;
    response(profile, others)
}

fn response(profile: ProfileMessage, others: Others) -> Response {
    let Others {
        avatar_url,
        newsletters,
    } = others;
    let is_on = |of: fn(&NewsletterSettings) -> bool| newsletters.as_ref().is_some_and(of);
    let (first_name, last_name) = names(&profile.full_name);
    let updates = profile
        .last_updates
        .iter()
        .filter_map(|(kind, at)| Some((kind.clone(), instant::from_proto(at)?)));
    let answer = Profile {
        id: profile.id,
        first_name: first_name.to_owned(),
        last_name: last_name.to_owned(),
        has_submitted_todo: profile.last_updates.contains_key(Kind::Todos.name()),
        last_updates: LastUpdates::new(updates),
        full_name: profile.full_name,
        email: profile.email,
        email_verified: profile.email_verified,
        calendar_sync: profile.calendar_sync,
        avatar_url,
        has_password: !profile.is_without_password,
        is_news_category_newsletter_active: is_on(|settings| settings.news),
        is_events_category_newsletter_active: is_on(|settings| settings.events),
        is_foods_category_newsletter_active: is_on(|settings| settings.foods),
        newsletter_settings: newsletters,
        pending_email: Some(profile.pending_email).filter(|email| !email.is_empty()),
    };
    personal(StatusCode::OK, &answer)
}

fn names(full: &str) -> (&str, &str) {
    full.split_once(' ').unwrap_or((full, ""))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_full_name_is_split_at_its_first_space() {
        assert_eq!(names("Ada"), ("Ada", ""));
        assert_eq!(names("Ada King Lovelace"), ("Ada", "King Lovelace"));
    }
}
