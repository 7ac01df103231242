//! POST `profiles/guest-newsletters/`: subscribe to newsletters without an account.

use std::{collections::BTreeSet, sync::Arc};

use axum::{extract::State, response::Response};
use chassis::{call::Caller, origin::Origin};
use http::{HeaderMap, StatusCode};
use newsletters_proto::v1::SubscribeRequest;
use serde::Deserialize;
use utoipa::ToSchema;
use vocabulary::newsletters::Kind;

use super::{
    choosing::{choice, origin, way},
    settings::{NewsletterChanges, NewsletterSettings},
};
use crate::{
    catalogue::Catalogue,
    edge::{
        answer::personal,
        body::Body,
        error::{ApiError, ErrorBody},
        limits::{Client, GUEST_NEWSLETTERS, Limits, TooMany},
    },
    services::Clients,
};

/// A guest's subscription request: a newsletter in `type`, `all` newsletters except promotions, or each newsletter by
/// its name.
#[derive(Debug, Default, Deserialize, ToSchema)]
#[serde(default)]
pub(crate) struct GuestNewsletters {
    email: String,
    /// The newsletter that the form is for.
    #[serde(rename = "type")]
    #[schema(value_type = Option<String>, example = "foods")]
    kind: Option<String>,
    /// Alias of `promotions`.
    promotional: Option<bool>,
    /// All newsletters except promotions.
    all: Option<bool>,
    #[serde(flatten)]
    flags: NewsletterChanges,
}

impl GuestNewsletters {
    /// Returns the requested newsletters.
    fn kinds(&self) -> Result<BTreeSet<Kind>, ApiError> {
        let mut kinds = BTreeSet::new();
        if let Some(name) = self.kind.as_deref().filter(|name| !name.is_empty()) {
            let unknown = || ApiError::field("type", format!("\"{name}\" is not a valid choice."));
            kinds.insert(Kind::named(name).ok_or_else(unknown)?);
        }
        for kind in Kind::ALL {
            let is_of_all = self.all == Some(true) && !kind.is_advertising();
            if is_of_all || self.flags.of(kind) == Some(true) {
                kinds.insert(kind);
            }
        }
        match (self.promotional, self.flags.of(Kind::Promotions)) {
            (Some(one), Some(other)) if one != other => {
                let why = "\"promotional\" and \"promotions\" differ.";
                return Err(ApiError::field("promotions", why));
            }
            (Some(true), _) => {
                kinds.insert(Kind::Promotions);
            }
            _ => {}
        }
        if kinds.is_empty() {
            return Err(ApiError::field("type", "Choose a newsletter."));
        }
        Ok(kinds)
    }
}

/// Sends an email that asks the owner of an address to confirm the newsletters. Newsletters are not sent before the
/// confirmation, and the response is the same for every address.
#[utoipa::path(post, path = "/api/v2/profiles/guest-newsletters/", operation_id = "guest_newsletters", tag = "newsletters",
    request_body = GuestNewsletters,
    responses((status = 200, body = NewsletterSettings, description = "What was asked for."),
        (status = 400, body = ErrorBody), (status = 403, body = ErrorBody), (status = 413, body = ErrorBody),
        (status = 415, body = ErrorBody), TooMany, (status = 503, body = ErrorBody)))]
pub(crate) async fn subscribe(
    State(services): State<Clients>,
    State(limits): State<Limits>,
    State(site): State<Origin>,
    State(catalogue): State<Arc<Catalogue>>,
    client: Client,
    headers: HeaderMap,
    Body(form): Body<GuestNewsletters>,
) -> Result<Response, ApiError> {
    let subscription = async {
        let kinds = form.kinds()?;
        let name = &catalogue.site.name;
        let request = SubscribeRequest {
            email: form.email,
            choices: kinds.iter().map(|kind| choice(name, *kind, true)).collect(),
            origin: Some(origin(&site, &headers, way::FORM)),
        };
        let call = services.call(Caller::Guest);
        services
            .newsletters()
            .subscribe(call.request(request))
            .await?;
        Ok(personal(StatusCode::OK, &NewsletterSettings::on(kinds)))
    };
    client
        .count_if_valid(&limits, GUEST_NEWSLETTERS, subscription)
        .await
}

#[cfg(test)]
mod tests {
    use super::*;

    fn kinds(form: &str) -> Option<Vec<&'static str>> {
        let form: GuestNewsletters = serde_json::from_str(form).expect("a form");
        let kinds = form.kinds().ok()?;
        Some(kinds.into_iter().map(Kind::name).collect())
    }

    #[test]
    fn a_form_asks_by_its_type_by_names_or_for_all_but_promotions() {
        assert_eq!(kinds(r#"{"type": "foods"}"#), Some(vec!["foods"]));
        assert_eq!(
            kinds(r#"{"type": "foods", "news": true, "travel": false, "promotional": true}"#),
            Some(vec!["news", "foods", "promotions"])
        );
        let all = kinds(r#"{"all": true}"#).expect("valid");
        assert_eq!(all.len(), Kind::ALL.len() - 1);
        assert!(!all.contains(&"promotions"));
        for refused in [
            r#"{"type": "weather"}"#,
            r#"{"all": false}"#,
            r#"{"email": "a@b.ca"}"#,
        ] {
            assert_eq!(kinds(refused), None, "{refused}");
        }
    }

    #[test]
    fn promotions_have_two_names() {
        for form in [
            r#"{"promotions": true}"#,
            r#"{"promotional": true}"#,
            r#"{"promotional": true, "promotions": true}"#,
        ] {
            assert_eq!(kinds(form), Some(vec!["promotions"]), "{form}");
        }
        for differing in [
            r#"{"news": true, "promotional": true, "promotions": false}"#,
            r#"{"news": true, "promotional": false, "promotions": true}"#,
        ] {
            let form: GuestNewsletters = serde_json::from_str(differing).expect("a form");
            let refusal = form.kinds().expect_err("they differ");
            assert!(refusal.is_about("promotions"), "{differing}");
        }
        // The API's complete form: every flag, and both names of promotions.
        let whole = r#"{"email": "a@b.ca", "type": "foods", "promotional": false, "all": false, "news": true, "events": false,
            "foods": true, "contests": false, "real_estate": false, "travel": false, "photo_challenge_alerts": false,
            "promotions": false}"#;
        assert_eq!(kinds(whole), Some(vec!["news", "foods"]));
    }
}
