//! `profiles/me/consent/`: consent to third-party content, stored in the reader's account.

use axum::{extract::State, response::Response};
use http::{HeaderMap, StatusCode};
use newsletters_proto::v1::{ChooseRequest, GetChoiceRequest, ThirdPartyChoice};
use serde::{Deserialize, Serialize};
use site::ThirdPartyConsent;
use utoipa::ToSchema;

use crate::{
    edge::{
        answer::personal,
        body::{Body, required},
        error::{ApiError, ErrorBody},
        limits::{TooMany, Writer},
        session::Reader,
    },
    state::AppState,
    v2::{
        newsletters::{origin, way},
        time,
    },
};

/// The content that a reader allows.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "lowercase")]
pub(crate) enum Consent {
    /// Includes third-party content.
    All,
    /// Only content that the site needs.
    Needed,
}

/// The choice stored in the account.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct AccountConsent {
    /// Null until the reader has chosen while signed in, and after the accepted wording has changed.
    #[schema(required = true)]
    choice: Option<Consent>,
    /// When the reader made the choice; null without a choice.
    #[schema(format = DateTime)]
    date_chosen: Option<String>,
}

/// A reader's choice.
#[derive(Debug, Default, Deserialize, ToSchema)]
#[serde(default)]
pub(crate) struct ConsentChoice {
    #[schema(required = true, value_type = Consent)]
    choice: Option<Consent>,
    /// Version of the displayed wording, from the site's settings; required for `all`.
    version: Option<String>,
}

/// The stored choice about third-party content, for a device on which the reader has not chosen yet.
#[utoipa::path(get, path = "/api/v2/profiles/me/consent/", operation_id = "get_consent", tag = "profiles",
    responses((status = 200, body = AccountConsent), (status = 401, body = ErrorBody),
        TooMany, (status = 503, body = ErrorBody)))]
pub(crate) async fn consent(
    State(state): State<AppState>,
    reader: Reader,
) -> Result<Response, ApiError> {
    let request = reader.call.request(GetChoiceRequest {});
    let choice = state.services.third_parties().get_choice(request).await?;
    Ok(answer(
        &state.site.third_party_consent(),
        &choice.into_inner(),
    ))
}

/// Records the choice and the displayed wording in the consent ledger. A repetition within a day has no effect. 400 for
/// `all` if the browser sends `Sec-GPC: 1` or `DNT: 1`, which is a refusal, or if `version` is out of date.
#[utoipa::path(put, path = "/api/v2/profiles/me/consent/", operation_id = "choose_consent", tag = "profiles",
    request_body = ConsentChoice,
    responses((status = 200, body = AccountConsent), (status = 400, body = ErrorBody),
        (status = 401, body = ErrorBody), (status = 403, body = ErrorBody), (status = 413, body = ErrorBody),
        (status = 415, body = ErrorBody), TooMany, (status = 503, body = ErrorBody)))]
pub(crate) async fn choose(
    State(state): State<AppState>,
    Writer(reader): Writer,
    headers: HeaderMap,
    Body(body): Body<ConsentChoice>,
) -> Result<Response, ApiError> {
    let question = state.site.third_party_consent();
    let is_allowed = body.is_allowed(&question, &headers)?;
    let profile = reader.profile(&state.services).await?;
    let request = ChooseRequest {
        is_allowed,
        wording: if is_allowed {
            question.wording.clone()
        } else {
            String::new()
        },
        origin: Some(origin(&state.origin, &headers, way::SETTINGS)),
        email: profile.email,
    };
    let request = reader.call.request(request);
    let choice = state.services.third_parties().choose(request).await?;
    Ok(answer(&question, &choice.into_inner()))
}

impl ConsentChoice {
    /// Whether the reader allows third-party content. Fails if the wording is out of date or the browser refuses
    /// sharing.
    fn is_allowed(
        &self,
        question: &ThirdPartyConsent,
        headers: &HeaderMap,
    ) -> Result<bool, ApiError> {
        let is_allowed = required("choice", self.choice)? == Consent::All;
        let is_current = |version: &String| *version == question.version;
        if !self.version.as_ref().map_or(!is_allowed, is_current) {
            let message = "Other words are shown now. Load the page again.";
            return Err(ApiError::field("version", message));
        }
        if is_allowed && is_refused_by_browser(headers) {
            let message = "Your browser asks not to share what you do. It counts as a refusal.";
            return Err(ApiError::field("choice", message));
        }
        Ok(is_allowed)
    }
}

/// Whether a browser refuses sharing of its user's data in every request: by Global Privacy Control, which "Do Not
/// Sell" laws recognise, or by Do Not Track, which some browsers still send.
fn is_refused_by_browser(headers: &HeaderMap) -> bool {
    ["sec-gpc", "dnt"]
        .iter()
        .any(|name| headers.get(*name).is_some_and(|value| value == "1"))
}

/// Returns the choice if it is still valid.
fn current(question: &ThirdPartyConsent, choice: &ThirdPartyChoice) -> Option<Consent> {
    if !choice.is_allowed? {
        return Some(Consent::Needed);
    }
    (choice.wording == question.wording).then_some(Consent::All)
}

fn answer(question: &ThirdPartyConsent, choice: &ThirdPartyChoice) -> Response {
    let consent = current(question, choice);
    let answer = AccountConsent {
        choice: consent,
        date_chosen: consent.and_then(|_| time::text(choice.at.as_ref())),
    };
    personal(StatusCode::OK, &answer)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn is_allowed(body: &str, headers: &[(&'static str, &str)]) -> Option<bool> {
        let question = ThirdPartyConsent::new("Guide", None);
        let body = body.replace("CURRENT", &question.version);
        let body: ConsentChoice = serde_json::from_str(&body).expect("a choice");
        let headers = headers
            .iter()
            .map(|(name, value)| {
                (
                    name.parse().expect("a name"),
                    value.parse().expect("a value"),
                )
            })
            .collect();
        body.is_allowed(&question, &headers).ok()
    }

    #[test]
    fn a_yes_needs_the_words_that_are_shown_and_a_no_needs_none() {
        let yes = r#"{"choice": "all", "version": "CURRENT"}"#;
        assert_eq!(is_allowed(yes, &[]), Some(true));
        assert_eq!(is_allowed(r#"{"choice": "all"}"#, &[]), None);
        assert_eq!(
            is_allowed(r#"{"choice": "all", "version": "old"}"#, &[]),
            None
        );
        assert_eq!(is_allowed(r#"{"choice": "needed"}"#, &[]), Some(false));
        assert_eq!(is_allowed("{}", &[]), None);
    }

    #[test]
    fn a_browser_that_asks_for_privacy_can_only_refuse() {
        let yes = r#"{"choice": "all", "version": "CURRENT"}"#;
        for signal in [("sec-gpc", "1"), ("dnt", "1")] {
            assert_eq!(is_allowed(yes, &[signal]), None);
            assert_eq!(
                is_allowed(r#"{"choice": "needed"}"#, &[signal]),
                Some(false)
            );
        }
        for none in [("sec-gpc", "0"), ("sec-gpc", "true"), ("dnt", "0")] {
            assert_eq!(is_allowed(yes, &[none]), Some(true), "{none:?}");
        }
    }

    #[test]
    fn consent_to_other_words_than_those_that_are_shown_is_none() {
        let question = ThirdPartyConsent::new("Guide", None);
        let choice = |is_allowed: bool, wording: &str| {
            let choice = ThirdPartyChoice {
                is_allowed: Some(is_allowed),
                wording: wording.to_owned(),
                at: None,
            };
            current(&question, &choice)
        };
        assert_eq!(choice(true, &question.wording), Some(Consent::All));
        assert_eq!(choice(true, "Maps."), None);
        assert_eq!(choice(false, ""), Some(Consent::Needed));
    }
}
