//! Previews: links that show a creative before its campaign begins or while it is paused. They are signed and expire,
//! and their views are not counted.

use chassis::keys::Keys;
use chrono::{DateTime, TimeDelta, Utc};

use crate::sealed;

/// How long a link is valid.
const GOOD_FOR: TimeDelta = TimeDelta::hours(24);
/// The number of bytes before the campaign: the version, the creative and the expiry time.
const FIXED: usize = 1 + 2 * 8;
/// The version of the preview format.
const FORM: u8 = 1;
/// The maximum length of a campaign's slug, in bytes.
const MAX_CAMPAIGN: usize = 200;

/// A creative shown to anyone with the link.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Preview {
    /// The campaign's slug.
    pub campaign: String,
    /// The creative's id.
    pub creative_id: i64,
    /// When the preview expires, to the second.
    pub expires_at: DateTime<Utc>,
}

impl Preview {
    /// A preview valid from now.
    #[must_use]
    pub fn at(now: DateTime<Utc>, campaign: &str, creative_id: i64) -> Self {
        Self {
            campaign: campaign.to_owned(),
            creative_id,
            expires_at: now + GOOD_FOR,
        }
    }
}

/// Signs and verifies previews.
#[derive(Debug, Clone)]
pub struct Previews(Keys);

impl Previews {
    /// Creates previews with the system's keys.
    #[must_use]
    pub fn new(keys: &Keys) -> Self {
        Self(keys.derive("ad previews"))
    }

    /// The signed text of a preview.
    #[must_use]
    pub fn sign(&self, preview: &Preview) -> String {
        let mut bytes = Vec::with_capacity(FIXED + preview.campaign.len());
        bytes.push(FORM);
        bytes.extend(preview.creative_id.to_be_bytes());
        bytes.extend(preview.expires_at.timestamp().to_be_bytes());
        bytes.extend(preview.campaign.as_bytes());
        sealed::seal(&self.0, bytes)
    }

    /// The preview in a text; `None` if it was not signed by this site, was changed, or has expired at `now`.
    #[must_use]
    pub fn verify(&self, text: &str, now: DateTime<Utc>) -> Option<Preview> {
        let preview = self.read(text)?;
        (now < preview.expires_at).then_some(preview)
    }

    fn read(&self, text: &str) -> Option<Preview> {
        let bytes = sealed::open(&self.0, text, FIXED + MAX_CAMPAIGN)?;
        let (form, rest) = bytes.split_first()?;
        let (creative, rest) = rest.split_first_chunk::<8>()?;
        let (at, campaign) = rest.split_first_chunk::<8>()?;
        (*form == FORM).then_some(())?;
        Some(Preview {
            campaign: String::from_utf8(campaign.to_vec()).ok()?,
            creative_id: i64::from_be_bytes(*creative),
            expires_at: DateTime::from_timestamp(i64::from_be_bytes(*at), 0)?,
        })
    }
}

#[cfg(test)]
mod tests {
    use uuid::Uuid;

    use super::*;
    use crate::ticket::{Ticket, Tickets};

    fn keys() -> Keys {
        Keys::one(b"a secret of a test, long enough.")
    }

    fn now() -> DateTime<Utc> {
        "2026-12-01T12:00:00Z".parse().expect("an instant")
    }

    #[test]
    fn a_preview_is_read_as_it_was_signed_for_a_day() {
        let preview = Preview::at(now(), "kayaks", 7);
        let text = Previews::new(&keys()).sign(&preview);
        let after = |time| Previews::new(&keys()).verify(&text, now() + time);
        assert_eq!(after(TimeDelta::zero()), Some(preview.clone()));
        assert_eq!(after(TimeDelta::seconds(86_399)), Some(preview));
        assert_eq!(after(TimeDelta::hours(24)), None);
    }

    #[test]
    fn what_this_site_has_not_signed_as_a_preview_is_none() {
        let previews = Previews::new(&keys());
        let text = previews.sign(&Preview::at(now(), "kayaks", 7));
        for at in 0..text.len() {
            let mut bytes = text.clone().into_bytes();
            bytes[at] = if bytes[at] == b'A' { b'B' } else { b'A' };
            let changed = String::from_utf8(bytes).expect("ASCII");
            assert_eq!(previews.verify(&changed, now()), None, "{at}");
        }
        let other = Previews::new(&Keys::one(b"a secret of another site, longer"));
        assert_eq!(other.verify(&text, now()), None);
        let ticket = Tickets::new(&keys()).sign(&Ticket {
            opportunity: Uuid::nil(),
            line_item_id: 1,
            creative_id: 7,
            served_at: now(),
            position: "lead".to_owned(),
        });
        for text in ["", "none", &ticket, &"a".repeat(1 << 20)] {
            assert_eq!(previews.verify(text, now()), None);
        }
    }
}
