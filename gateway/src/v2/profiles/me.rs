//! GET, PATCH and PUT `profiles/me/`: the reader's own profile.

use axum::{extract::State, response::Response};
use chassis::{call::Call, instant};
use http::{HeaderMap, StatusCode};
use identity_proto::v1::{ChangeProfileRequest, Profile as ProfileMessage};
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
    /// The full name up to its first space.
    first_name: String,
    /// The rest of the full name; empty if it has only one part.
    last_name: String,
    email: String,
    email_verified: bool,
    /// Address that replaces `email` once the reader follows the emailed link.
    pending_email: Option<String>,
    /// The reader's profile picture, 80x80; null if there is none. The address is signed.
    #[schema(required = true)]
    avatar_url: Option<String>,
    /// Whether saved events are written to the reader's own calendar; null until the reader has chosen.
    calendar_sync: Option<bool>,
    /// Whether the account has a password; false for accounts created with a passkey until a password is set.
    has_password: bool,
    /// Whether the reader has ever saved a to-do, even if none is left.
    has_submitted_todo: bool,
    /// Updated within about a second of a change; `profiles/hi/` is always up to date.
    last_updates: LastUpdates,
    /// Subscribed newsletters; null while unavailable. No newsletters are sent before the address is confirmed.
    newsletter_settings: Option<NewsletterSettings>,
    /// Same as `news` in `newsletter_settings`.
    is_news_category_newsletter_active: bool,
    /// Same as `events` in `newsletter_settings`.
    is_events_category_newsletter_active: bool,
    /// Same as `foods` in `newsletter_settings`.
    is_foods_category_newsletter_active: bool,
}

/// Changes to a profile. Absent fields remain unchanged.
#[derive(Debug, Default, Deserialize, ToSchema)]
#[serde(default)]
pub(crate) struct ProfileChange {
    /// 1 to 255 characters.
    full_name: Option<String>,
    /// Pending until the reader follows the emailed link. The old address is notified.
    email: Option<String>,
    /// Newsletters to switch on or off.
    #[serde(deserialize_with = "changes")]
    newsletter_settings: Option<NewsletterChanges>,
}

/// The reader's calendar choice.
#[derive(Debug, Default, Deserialize, ToSchema)]
#[serde(default)]
pub(crate) struct CalendarChoice {
    /// Whether saved events are written to the reader's own calendar.
    #[schema(required = true, value_type = bool)]
    calendar_sync: Option<bool>,
}

/// The reader's own profile.
#[utoipa::path(get, path = "/api/v2/profiles/me/", tag = "profiles",
    responses((status = 200, body = Profile), (status = 401, body = ErrorBody),
        TooMany, (status = 503, body = ErrorBody)))]
pub(crate) async fn me(
    State(state): State<AppState>,
    reader: Reader,
) -> Result<Response, ApiError> {
    let profile = reader.profile(&state.services).await?;
    Ok(answer(&state, &reader, profile).await)
}

/// Changes the reader's name, email and newsletters. A new email requires a fresh proof of identity: a sign-in within the
/// last five minutes.
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
    let is_mailed = email.is_some();
    if is_mailed {
        reader.require_proof(&state.services).await?;
    }
    let change = ChangeProfileRequest {
        full_name,
        email,
        calendar_sync: None,
    };
    let request = reader.call.request(change);
    let mut identity = state.services.identity();
    let changing = async move { Ok(identity.change_profile(request).await?) };
    let profile = if is_mailed {
        client
            .count_if_valid_as(&reader, &state.limits, MAILED_LINKS, changing)
            .await?
    } else {
        changing.await?
    };
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

/// Stores whether saved events are written to the reader's own calendar. Nothing else is changed.
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

/// Parts of a profile from services other than identity. A part is omitted if its service is unavailable.
struct Others {
    avatar_url: Option<String>,
    newsletters: Option<NewsletterSettings>,
}

impl Others {
    /// Fetches the parts, except newsletters that are already known.
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
                    tracing::warn!(%status, "a profile was returned without its newsletters");
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

/// Builds the response with the reader's profile.
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
