//! Known devices. A browser that has signed in to an account stores a signed cookie that proves it, so that distributed
//! password guessing does not lock the reader out.

use axum::response::Response;
use base64::{Engine, prelude::BASE64_URL_SAFE_NO_PAD};
use chassis::{
    clock::SharedClock,
    entropy::{self, SharedEntropy},
    keys::Keys,
    origin::Origin,
};
use chrono::{DateTime, Utc};
use cookie::time::Duration;
use http::HeaderMap;

use super::session::{base_cookie, cookies, put};

/// How long a device remains known after its last sign-in.
const LIFETIME: Duration = Duration::days(365);

fn cookie_name(site: &Origin) -> &'static str {
    if site.is_https() {
        "__Host-device"
    } else {
        "device"
    }
}

/// Builds the cookie's value: `<device>.<seconds since the epoch>.<code>`. Only the code depends on the account, so the
/// cookie does not reveal it.
fn seal(keys: &Keys, account: &str, device: &str, expires: i64) -> String {
    let tag = keys.tag(&[account, device, &expires.to_string()]);
    format!("{device}.{expires}.{}", BASE64_URL_SAFE_NO_PAD.encode(tag))
}

/// Returns the device's id if the cookie belongs to this account and has not expired.
fn open(keys: &Keys, account: &str, cookie: &str, now: DateTime<Utc>) -> Option<String> {
    let (device, rest) = cookie.split_once('.')?;
    let (expires, tag) = rest.split_once('.')?;
    let tag = BASE64_URL_SAFE_NO_PAD.decode(tag).ok()?;
    if !keys.is_tag_of(&tag, &[account, device, expires]) {
        return None;
    }
    let is_over = expires.parse::<i64>().ok()? <= now.timestamp();
    (!is_over).then(|| device.to_owned())
}

/// Recognises devices by their cookies.
#[derive(Clone)]
pub(crate) struct KnownDevices {
    /// Signs the cookies.
    pub(crate) keys: Keys,
    pub(crate) origin: Origin,
    pub(crate) clock: SharedClock,
    pub(crate) entropy: SharedEntropy,
}

impl KnownDevices {
    /// Returns the id of the requesting device if it has signed in to the account before.
    pub(super) fn find(&self, headers: &HeaderMap, account: &str) -> Option<String> {
        let name = cookie_name(&self.origin);
        let cookie = cookies(headers).find(|cookie| cookie.name() == name)?;
        open(&self.keys, account, cookie.value(), self.clock.now())
    }

    /// Makes the device known to the account that it has just signed in to. A device is known to one
    /// account only: the last.
    pub(super) fn remember(&self, response: &mut Response, account: &str, known: Option<String>) {
        let device = known.unwrap_or_else(|| entropy::uuid(self.entropy.as_ref()).to_string());
        let expires = self.clock.now().timestamp() + LIFETIME.whole_seconds();
        let value = seal(&self.keys, account, &device, expires);
        let cookie = base_cookie(&self.origin, cookie_name(&self.origin), &value);
        put(response, cookie.http_only(true).max_age(LIFETIME));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_cookie_is_good_for_its_account_its_key_and_its_time_alone() {
        let keys = Keys::one(&[7; 32]);
        let at = |seconds| DateTime::from_timestamp(seconds, 0).expect("an instant");
        let cookie = seal(&keys, "ada@example.com", "d1", 1_000);
        let open_as = |account: &str, cookie: &str, now| open(&keys, account, cookie, at(now));
        assert_eq!(
            open_as("ada@example.com", &cookie, 999).as_deref(),
            Some("d1")
        );
        assert_eq!(open_as("ada@example.com", &cookie, 1_000), None);
        assert_eq!(open_as("bob@example.com", &cookie, 999), None);
        assert_eq!(
            open(&Keys::one(&[8; 32]), "ada@example.com", &cookie, at(999)),
            None
        );
        assert!(!cookie.contains("ada"));
        let longer = cookie.replace("1000", "9000");
        let other = cookie.replace("d1", "d2");
        for forged in [
            longer.as_str(),
            &other,
            "",
            "d1",
            "d1.1000",
            "d1.1000.",
            "d1.1000.AAAA",
            "..",
        ] {
            assert_eq!(open_as("ada@example.com", forged, 1), None, "{forged}");
        }
    }
}
