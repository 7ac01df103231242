//! Newsletter choices and their origin.

use std::collections::BTreeMap;

use chassis::{error::Fault, form};
use vocabulary::newsletters::Kind;

/// Maximum lengths of a stored wording and page, in characters.
pub(super) const MAX_WORDING: usize = 1_000;
const MAX_PAGE: usize = 500;

/// Whether a newsletter is switched on, and if so the wording shown beside its control.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Choice {
    On { wording: String },
    Off,
}

/// Choices by kind; the last choice for a kind counts.
pub(crate) type Choices = BTreeMap<Kind, Choice>;

impl Choice {
    /// Parses choices. A newsletter that is switched on needs the displayed wording as evidence of the consent.
    pub(crate) fn parse_all<'a>(
        choices: impl IntoIterator<Item = (&'a str, bool, &'a str)>,
    ) -> Result<Choices, Fault> {
        let mut all = Choices::new();
        for (name, is_on, wording) in choices {
            let kind = Kind::named(name).ok_or_else(|| Fault::unknown_choice("type", name))?;
            let choice = if is_on {
                let wording = form::lines(wording, MAX_WORDING);
                let wording =
                    wording.map_err(|message| Fault::invalid_field("wording", message))?;
                Self::On { wording }
            } else {
                Self::Off
            };
            all.insert(kind, choice);
        }
        Ok(all)
    }
}

/// The way in which a choice was made.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Way {
    /// A form for guests.
    Form,
    /// The settings of a signed-in reader.
    Settings,
    /// The registration form.
    Registration,
    /// The page linked from emails.
    Preferences,
    /// A mail program's unsubscribe button (RFC 8058).
    OneClick,
    /// The erasure of an account.
    Erasure,
    /// A complaint to the mailbox provider.
    Complaint,
}

impl Way {
    /// Returns the way's name in calls and in the ledger.
    pub(crate) const fn as_str(self) -> &'static str {
        match self {
            Self::Form => "form",
            Self::Settings => "settings",
            Self::Registration => "registration",
            Self::Preferences => "preferences",
            Self::OneClick => "one-click",
            Self::Erasure => "erasure",
            Self::Complaint => "complaint",
        }
    }
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Origin {
    /// Path of the page; empty if unknown.
    pub(crate) page: String,
    pub(crate) way: Way,
}

impl Origin {
    /// Parses an origin. The page is sent by the client: an invalid or too long path counts as unknown.
    pub(crate) fn parse(page: &str, way: &str) -> Result<Self, Fault> {
        let ways = [
            Way::Form,
            Way::Settings,
            Way::Registration,
            Way::Preferences,
            Way::OneClick,
        ];
        let way = ways.into_iter().find(|known| known.as_str() == way);
        let way = way.ok_or_else(|| Fault::invalid_field("way", "Unknown way."))?;
        let is_path = page.starts_with('/')
            && page.chars().count() <= MAX_PAGE
            && !page.chars().any(char::is_control);
        let page = if is_path { page } else { "" };
        Ok(Self {
            page: page.to_owned(),
            way,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_newsletter_is_switched_on_with_its_wording_alone() {
        let all = Choice::parse_all([("news", true, "Send it."), ("foods", false, "")]);
        let all = all.expect("valid");
        assert_eq!(all[&Kind::Foods], Choice::Off);
        let wording = "Send it.".to_owned();
        assert_eq!(all[&Kind::News], Choice::On { wording });
        for wrong in [("news", true, " "), ("weather", true, "Send it.")] {
            assert!(Choice::parse_all([wrong]).is_err(), "{wrong:?}");
        }
    }

    #[test]
    fn a_page_that_is_no_path_counts_as_unknown() {
        let page = |text: &str| Origin::parse(text, "form").expect("valid").page;
        assert_eq!(page("/foods/pai/"), "/foods/pai/");
        for text in [
            "https://evil.example/",
            "/a\nb",
            &format!("/{}", "a".repeat(MAX_PAGE)),
        ] {
            assert_eq!(page(text), "", "{text}");
        }
        assert!(Origin::parse("/", "erasure").is_err());
    }
}
