//! The intent of a log-in: the control that prompted it, executed once after the log-in. An intent always switches
//! something on and never toggles it. An invalid intent never fails the log-in.

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

/// Optional fields of all log-in forms.
#[derive(Debug, Clone, Default, Serialize, Deserialize, ToSchema)]
#[serde(default)]
pub(crate) struct Intent {
    /// Path of the page to open after the log-in, on this site.
    #[serde(deserialize_with = "lenient_text")]
    pub(crate) next: Option<String>,
    /// Action to perform after the log-in: `favourite`, `todo`, `article-bookmark`, `event-bookmark`, `video-bookmark`
    /// or `rating`.
    #[serde(deserialize_with = "lenient_text")]
    pub(crate) post_authenticate_action: Option<String>,
    /// Object of the action: the id of a listing, article, event or video.
    #[serde(deserialize_with = "lenient_text")]
    #[schema(value_type = Option<i64>)]
    pub(crate) object_id: Option<String>,
    /// Stars of a rating: 1 to 5.
    #[serde(deserialize_with = "lenient_text")]
    #[schema(value_type = Option<i64>)]
    pub(crate) rating: Option<String>,
}

/// Reads a string, or a number as a string. Any other value counts as absent, because an invalid intent must not fail
/// the log-in.
fn lenient_text<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<String>, D::Error> {
    Ok(match Value::deserialize(deserializer)? {
        Value::String(text) => Some(text),
        Value::Number(number) => Some(number.to_string()),
        _ => None,
    })
}

impl Intent {
    /// Returns the page to open, with the intent appended so that the page can restore its view.
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

    /// Executes the intent on behalf of the newly signed-in reader, for a client in this network.
    pub(crate) async fn carry_out(&self, edge: &AppState, started: &SessionStarted, network: &str) {
        let Some(action) = self.post_authenticate_action.as_deref() else {
            return;
        };
        let object = self.object_id.as_deref().and_then(id::parse);
        let (Some(kind), Some(object)) = (Kind::from_intent(action), object) else {
            tracing::info!("a log-in had an invalid intent");
            return;
        };
        let call = edge.services.call(Caller::Reader(started.profile_id));
        let carried_out = if kind == Kind::Ratings {
            let rating = self.rating.as_deref().and_then(|text| text.parse().ok());
            let request = call.request(RateRequest {
                listing_id: object,
                // The service rejects 0.
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
            tracing::warn!(action, %error, "the intent of a log-in could not be executed");
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
