//! Trust: determines whether a photo is published immediately or reviewed by an operator first.

use super::photo::named;

/// The configured trust rules.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Trust {
    /// The number of consecutively accepted photos after which further photos are published immediately.
    pub(crate) after: u32,
    /// The maximum number of photos per hour that are published immediately.
    pub(crate) per_hour: u32,
    /// The number of reports by different readers that hides a photo.
    pub(crate) reports_to_hide: u32,
}

/// The upload history of a reader.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) struct Uploader {
    /// Photos accepted since the last refusal.
    pub(crate) accepted: i32,
    pub(crate) is_banned: bool,
    /// The number of photos in the last hour, including this one.
    pub(crate) within_hour: i64,
}

named! {
    /// The reason that a photo awaits review.
    Suspicion {
        /// Too few of the reader's photos have been accepted.
        NewReader = "new-reader",
        /// The reader has uploaded many photos within an hour.
        ManyAtOnce = "many-at-once",
        /// The text contains an address.
        LinkInText = "link-in-text",
        /// Readers have reported the photo.
        Reported = "reported",
    }
}

impl Trust {
    /// The reason that a new photo awaits review; `None` if it is published immediately.
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

/// Whether a text contains a web or email address.
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
