//! Trust: whose photos are published at once, and which ones an operator looks at first.

use super::photo::named;

/// The rules of trust, from the settings.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Trust {
    /// Photos that were accepted one after the other before further ones are published at once.
    pub(crate) after: u32,
    /// Photos within an hour that are published at once.
    pub(crate) per_hour: u32,
    /// Reports by different readers that hide a photo.
    pub(crate) reports_to_hide: u32,
}

/// What is known of a reader who uploads.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) struct Uploader {
    /// Photos accepted since the last refusal.
    pub(crate) accepted: i32,
    pub(crate) is_banned: bool,
    /// Photos of the last hour, this one included.
    pub(crate) within_hour: i64,
}

named! {
    /// Why a photo waits for an operator.
    Suspicion {
        /// Too few of the reader's photos have been accepted.
        NewReader = "new-reader",
        /// Many photos within an hour.
        ManyAtOnce = "many-at-once",
        /// The text advertises an address.
        LinkInText = "link-in-text",
        /// Readers have reported it.
        Reported = "reported",
    }
}

impl Trust {
    /// Why a new photo waits; `None` if it is published at once.
    pub(crate) fn suspicion(
        self,
        uploader: Uploader,
        [description, credit]: [&str; 2],
    ) -> Option<Suspicion> {
        if i64::from(uploader.accepted) < i64::from(self.after) {
            Some(Suspicion::NewReader)
        } else if uploader.within_hour > i64::from(self.per_hour) {
            Some(Suspicion::ManyAtOnce)
        } else if has_link(description) || has_link(credit) {
            Some(Suspicion::LinkInText)
        } else {
            None
        }
    }
}

/// Whether a text has an address of the web or of mail.
fn has_link(text: &str) -> bool {
    let text = text.to_lowercase();
    text.contains("://") || text.contains("www.") || text.contains('@')
}

#[cfg(test)]
mod tests {
    use super::*;

    const TRUST: Trust = Trust {
        after: 3,
        per_hour: 20,
        reports_to_hide: 3,
    };

    #[test]
    fn trust_grows_with_accepted_photos_and_has_bounds() {
        let known = Uploader {
            accepted: 3,
            is_banned: false,
            within_hour: 20,
        };
        let texts = ["The patio at noon", "Ada"];
        assert_eq!(TRUST.suspicion(known, texts), None);
        let newer = Uploader {
            accepted: 2,
            ..known
        };
        assert_eq!(TRUST.suspicion(newer, texts), Some(Suspicion::NewReader));
        let busy = Uploader {
            within_hour: 21,
            ..known
        };
        assert_eq!(TRUST.suspicion(busy, texts), Some(Suspicion::ManyAtOnce));
        for link in ["see https://a.test", "WWW.A.TEST", "@ada"] {
            let found = TRUST.suspicion(known, [link, ""]);
            assert_eq!(found, Some(Suspicion::LinkInText), "{link}");
            let found = TRUST.suspicion(known, ["", link]);
            assert_eq!(found, Some(Suspicion::LinkInText), "{link}");
        }
    }
}
