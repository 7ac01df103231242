//! Readers' consent to third-party content.

use chassis::{error::Fault, form};
use chrono::{DateTime, TimeDelta, Utc};

use super::{Act, choice::MAX_WORDING};

/// Subject of these entries in the ledger, used like a newsletter kind.
pub(crate) const THIRD_PARTIES: &str = "third_parties";

/// Within this time, a repeated choice with the same wording counts as a repetition, for example of a call or a button
/// press. A later choice is recorded as a confirmation.
const REPEATED: TimeDelta = TimeDelta::days(1);

/// A reader's response.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum ThirdPartyAnswer {
    /// Consent to the displayed wording.
    Allowed { wording: String },
    /// Refusal: only necessary content.
    Refused,
}

impl ThirdPartyAnswer {
    /// Parses a response. Consent needs the displayed wording as evidence; a refusal does not.
    pub(crate) fn parse(is_allowed: bool, wording: &str) -> Result<Self, Fault> {
        if !is_allowed {
            return Ok(Self::Refused);
        }
        let wording = form::lines(wording, MAX_WORDING);
        let wording = wording.map_err(|message| Fault::invalid_field("wording", message))?;
        Ok(Self::Allowed { wording })
    }

    /// Returns the act that follows from the reader's previous choice.
    pub(crate) fn act(&self, before: Option<&ThirdPartyChoice>) -> Act {
        let was_allowed = before.is_some_and(|before| before.wording.is_some());
        match self {
            Self::Allowed { .. } => Act::Given,
            Self::Refused if was_allowed => Act::Withdrawn,
            Self::Refused => Act::Refused,
        }
    }
}

/// A reader's last choice.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct ThirdPartyChoice {
    /// The displayed wording; `None` for a refusal.
    pub(crate) wording: Option<String>,
    pub(crate) at: DateTime<Utc>,
}

impl ThirdPartyChoice {
    /// Whether a response at this time repeats the choice.
    pub(crate) fn is_repeated_by(&self, answer: &ThirdPartyAnswer, now: DateTime<Utc>) -> bool {
        let is_same = match (answer, &self.wording) {
            (ThirdPartyAnswer::Allowed { wording }, Some(before)) => wording == before,
            (ThirdPartyAnswer::Refused, None) => true,
            _ => false,
        };
        is_same && now - self.at < REPEATED
    }
}

#[cfg(test)]
mod tests {
    use vocabulary::newsletters::Kind;

    use super::*;

    fn allowed(wording: &str) -> ThirdPartyAnswer {
        ThirdPartyAnswer::parse(true, wording).expect("valid")
    }

    fn choice(wording: Option<&str>) -> ThirdPartyChoice {
        ThirdPartyChoice {
            wording: wording.map(str::to_owned),
            at: DateTime::UNIX_EPOCH,
        }
    }

    #[test]
    fn no_newsletter_has_the_name_of_third_parties_in_the_ledger() {
        assert!(Kind::named(THIRD_PARTIES).is_none());
    }

    #[test]
    fn a_yes_needs_its_words_and_a_no_needs_none() {
        assert!(ThirdPartyAnswer::parse(true, " ").is_err());
        assert!(ThirdPartyAnswer::parse(true, &"a".repeat(MAX_WORDING + 1)).is_err());
        let refused = ThirdPartyAnswer::parse(false, "");
        assert_eq!(refused.expect("valid"), ThirdPartyAnswer::Refused);
    }

    #[test]
    fn a_no_withdraws_a_yes_and_is_a_refusal_otherwise() {
        let no = ThirdPartyAnswer::Refused;
        assert_eq!(no.act(None), Act::Refused);
        assert_eq!(no.act(Some(&choice(None))), Act::Refused);
        assert_eq!(no.act(Some(&choice(Some("Maps.")))), Act::Withdrawn);
        assert_eq!(allowed("Maps.").act(Some(&choice(None))), Act::Given);
    }

    #[test]
    fn an_answer_is_a_repeat_for_a_day_and_with_the_same_words() {
        let hour = DateTime::UNIX_EPOCH + TimeDelta::hours(1);
        let day = DateTime::UNIX_EPOCH + TimeDelta::days(1);
        let before = choice(Some("Maps."));
        assert!(before.is_repeated_by(&allowed("Maps."), hour));
        assert!(!before.is_repeated_by(&allowed("Maps."), day));
        assert!(!before.is_repeated_by(&allowed("Maps and videos."), hour));
        assert!(!before.is_repeated_by(&ThirdPartyAnswer::Refused, hour));
        assert!(choice(None).is_repeated_by(&ThirdPartyAnswer::Refused, hour));
    }
}
