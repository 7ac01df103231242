//! The intent of a login: the control that prompted it, carried out once when the reader is in. It
//! means "ensure it is on", never "toggle", and a bad one never fails the login.

use bookmarks_proto::v1::CreateBookmarkRequest;
use chassis::{call::Caller, error::Fault};
use identity_proto::v1::SessionStarted;
use places_proto::v1::RateRequest;
use serde::{Deserialize, Deserializer, Serialize};
use serde_json::Value;
use utoipa::ToSchema;
use vocabulary::saved::Kind;

use super::saved::ratings::origin;
use crate::{
    edge::{id, redirect},
    state::AppState,
};

/// The optional fields of a login form besides its own.
#[derive(Debug, Clone, Default, Serialize, Deserialize, ToSchema)]
#[serde(default)]
pub(crate) struct Intent {
    /// The page to go to afterwards: a path of this site.
    #[serde(deserialize_with = "lenient_text")]
    pub(crate) next: Option<String>,
    /// `favourite`, `todo`, `article-bookmark`, `event-bookmark`, `video-bookmark` or `rating`.
    #[serde(deserialize_with = "lenient_text")]
    pub(crate) post_authenticate_action: Option<String>,
    /// The action's object: the id of a listing, article, event or video.
    #[serde(deserialize_with = "lenient_text")]
    #[schema(value_type = Option<i64>)]
    pub(crate) object_id: Option<String>,
    /// For a rating, the stars: 1 to 5.
    #[serde(deserialize_with = "lenient_text")]
    #[schema(value_type = Option<i64>)]
    pub(crate) rating: Option<String>,
}

/// Text or a number as text; anything else counts as absent, because a bad intent never fails the login.
fn lenient_text<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<String>, D::Error> {
    Ok(match Value::deserialize(deserializer)? {
        Value::String(text) => Some(text),
        Value::Number(number) => Some(number.to_string()),
        _ => None,
    })
}

impl Intent {
    /// The page that the browser goes to, with the intent appended so that the page can restore its view.
    pub(crate) fn redirect_url(&self) -> String {
        let next = redirect::own_path(self.next.as_deref());
        let pairs: Vec<_> = [
            (
                "post_authenticate_action",
                self.post_authenticate_action.clone(),
            ),
            ("object_id", self.object_id.clone()),
            ("rating", self.rating.clone()),
        ]
        .into_iter()
        .filter_map(|(key, value)| value.map(|value| (key, value)))
        .collect();
        redirect::with_query(next, &pairs)
    }

    /// Carries it out on behalf of the reader who has just signed in, from a network.
    pub(crate) async fn carry_out(&self, edge: &AppState, started: &SessionStarted, network: &str) {
        let Some(action) = self.post_authenticate_action.as_deref() else {
            return;
        };
        let object = self.object_id.as_deref().and_then(id::parse);
        let (Some(kind), Some(object)) = (Kind::from_intent(action), object) else {
            tracing::info!("a login carried an intent that means nothing");
            return;
        };
        let call = edge.services.call(Caller::Reader(started.profile_id));
        let carried_out = if kind == Kind::Ratings {
            let rating = self.rating.as_deref().and_then(|text| text.parse().ok());
            let request = call.request(RateRequest {
                listing_id: object,
                // The service refuses 0.
                rating: rating.unwrap_or_default(),
                origin: Some(origin(network, started.account_created)),
            });
            edge.services.ratings().rate(request).await.map(drop)
        } else {
            let request = call.request(CreateBookmarkRequest {
                kind: kind.name().to_owned(),
                target_id: object,
                add_to_calendar: false,
            });
            let created = edge.services.bookmarks().create_bookmark(request).await;
            created.map(drop)
        };
        if let Err(status) = carried_out {
            let error = Fault::from(status);
            tracing::warn!(action, %error, "the intent of a login could not be carried out");
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_bad_intent_is_no_error_and_the_redirect_stays_on_the_site() {
        let intent: Intent = serde_json::from_str(
            r#"{"next": "//evil.example", "post_authenticate_action": ["x"], "object_id": {"a": 1}}"#,
        )
        .expect("lenient");
        assert_eq!(intent.redirect_url(), "/");
        let intent: Intent = serde_json::from_str(
            r#"{"next": "/places/", "post_authenticate_action": "favourite", "object_id": 7}"#,
        )
        .expect("lenient");
        assert_eq!(
            intent.redirect_url(),
            "/places/?post_authenticate_action=favourite&object_id=7"
        );
        let intent: Intent = serde_json::from_str(
            r#"{"next": "/places/", "post_authenticate_action": "rating", "object_id": 7, "rating": 4}"#,
        )
        .expect("lenient");
        assert_eq!(
            intent.redirect_url(),
            "/places/?post_authenticate_action=rating&object_id=7&rating=4"
        );
    }
}
