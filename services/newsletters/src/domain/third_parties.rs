//! Whether a reader lets pages load what belongs to other companies.

use chassis::{error::Fault, form};
use chrono::{DateTime, TimeDelta, Utc};

use super::{Act, choice::MAX_WORDING};

/// What the entries are about, as the ledger names it beside the kinds of newsletters.
pub(crate) const THIRD_PARTIES: &str = "third_parties";

/// A choice that is made again within this time, with the same words, is a repeat: of a call that was sent twice, or of a
/// reader who presses a button again. After it, the reader has confirmed the choice.
const REPEATED: TimeDelta = TimeDelta::days(1);

/// A reader's answer.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum ThirdPartyAnswer {
    /// Yes, to what was shown.
    Allowed { wording: String },
    /// No: only what is needed.
    Refused,
}

impl ThirdPartyAnswer {
    /// Reads an answer. Consent is worth nothing without what it was given to, and a refusal needs no words.
    pub(crate) fn parse(is_allowed: bool, wording: &str) -> Result<Self, Fault> {
        if !is_allowed {
            return Ok(Self::Refused);
        }
        let wording = form::lines(wording, MAX_WORDING);
        let wording = wording.map_err(|message| Fault::invalid_field("wording", message))?;
        Ok(Self::Allowed { wording })
    }

    /// The act after what the reader has said before.
    pub(crate) fn act(&self, before: Option<&ThirdPartyChoice>) -> Act {
        let was_allowed = before.is_some_and(|before| before.wording.is_some());
        match self {
            Self::Allowed { .. } => Act::Given,
            Self::Refused if was_allowed => Act::Withdrawn,
            Self::Refused => Act::Refused,
        }
    }
}

/// The last answer of a reader.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct ThirdPartyChoice {
    /// What was shown; `None` if the reader has refused.
    pub(crate) wording: Option<String>,
    pub(crate) at: DateTime<Utc>,
}

impl ThirdPartyChoice {
    /// Whether an answer at an instant says nothing new.
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
