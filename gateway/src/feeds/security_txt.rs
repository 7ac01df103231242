//! `security.txt` (RFC 9116): contacts for vulnerability reports.

use std::sync::Arc;

use axum::{extract::State, response::Response};
use chrono::{DateTime, SecondsFormat, SubsecRound, TimeDelta, Utc};
use site::SecuritySettings;

use crate::{
    catalogue::Catalogue,
    edge::{
        error::ApiError,
        public::{CacheKey, Content, Freshness, PublicRequest},
    },
};

pub(super) const PATH: &str = "/.well-known/security.txt";

/// Seconds for which the text does not change, so that it can be cached.
const WEEK: i64 = 7 * 24 * 60 * 60;
/// Time from the end of a week to the text's expiry, which must be less than a year away (section 2.5.5).
const VALIDITY: TimeDelta = TimeDelta::days(180);

/// GET `/.well-known/security.txt`.
pub(super) async fn security_txt(
    State(catalogue): State<Arc<Catalogue>>,
    request: PublicRequest,
) -> Result<Response, ApiError> {
    let Some(security) = catalogue.site.security.clone() else {
        return Err(ApiError::not_found());
    };
    let key = CacheKey::list(PATH, &request.params(&[]), &[]);
    catalogue
        .serve(&request, key, Freshness::Usual, async move |catalogue| {
            let week = end_of_week(catalogue.clock.now());
            let text = text(&security, catalogue.origin.as_str(), week + VALIDITY);
            Ok(Content::document("text/plain; charset=utf-8", text).until(Some(week)))
        })
        .await
}

/// Returns the end of a time's week. Weeks are counted from the epoch, so that all gateways agree.
fn end_of_week(instant: DateTime<Utc>) -> DateTime<Utc> {
    let rest = WEEK - instant.timestamp().rem_euclid(WEEK);
    instant.trunc_subsecs(0) + TimeDelta::seconds(rest)
}

fn text(security: &SecuritySettings, origin: &str, expires: DateTime<Utc>) -> String {
    let SecuritySettings {
        contacts,
        policy,
        languages,
    } = security;
    let contacts = contacts.iter().map(|contact| format!("Contact: {contact}"));
    let mut lines: Vec<_> = contacts.collect();
    let expires = expires.to_rfc3339_opts(SecondsFormat::Secs, true);
    lines.push(format!("Expires: {expires}"));
    if !languages.is_empty() {
        lines.push(format!("Preferred-Languages: {}", languages.join(", ")));
    }
    lines.push(format!("Canonical: {origin}{PATH}"));
    if let Some(policy) = policy {
        let site = if policy.starts_with('/') { origin } else { "" };
        lines.push(format!("Policy: {site}{policy}"));
    }
    lines.push(String::new());
    lines.join("\n")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn it_always_expires_within_the_next_year_and_is_the_same_for_a_week() {
        let start: DateTime<Utc> = DateTime::UNIX_EPOCH + TimeDelta::days(20_000);
        let mut texts = std::collections::BTreeSet::new();
        for hour in 0..52 * 7 * 24 {
            let now = start + TimeDelta::hours(hour) + TimeDelta::milliseconds(7);
            let week = end_of_week(now);
            assert!(week > now && week - now <= TimeDelta::weeks(1), "{now}");
            let expires = week + VALIDITY;
            assert!(expires - now < TimeDelta::days(365), "{now}");
            texts.insert(expires);
        }
        assert_eq!(texts.len(), 53, "a new one each week, beginning within one");
    }

    #[test]
    fn only_what_the_site_names_is_in_it() {
        let mut security = SecuritySettings {
            contacts: vec!["mailto:a@b.example".to_owned(), "tel:+1".to_owned()],
            policy: None,
            languages: Vec::new(),
        };
        let expires = DateTime::UNIX_EPOCH;
        assert_eq!(
            text(&security, "https://guide.example", expires),
            "Contact: mailto:a@b.example\nContact: tel:+1\nExpires: 1970-01-01T00:00:00Z\n\
             Canonical: https://guide.example/.well-known/security.txt\n"
        );
        security.policy = Some("https://b.example/policy".to_owned());
        security.languages = vec!["en".to_owned(), "fr".to_owned()];
        let full = text(&security, "https://guide.example", expires);
        assert!(full.contains("\nPreferred-Languages: en, fr\n"), "{full}");
        assert!(
            full.ends_with("\nPolicy: https://b.example/policy\n"),
            "{full}"
        );
    }
}
