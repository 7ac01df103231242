//! Entries to contests.

use chassis::{
    email::Email,
    error::FieldError,
    form,
    mail::{Mail, Note, Site},
};
use chrono::{DateTime, Utc};

use super::Contest;

/// Maximum length of a name in characters, the same as for accounts.
const MAX_NAME: usize = 255;
/// Maximum length of an answer in characters.
const MAX_ANSWER: usize = 1_000;

#[derive(Debug)]
pub(crate) struct Entry {
    pub(crate) full_name: String,
    pub(crate) email: Email,
    /// Empty if the contest has no question.
    pub(crate) answer: String,
}

impl Entry {
    /// Validates an entry and reports every invalid field.
    pub(crate) fn parse(
        contest: &Contest,
        full_name: &str,
        email: &str,
        answer: &str,
        accepts_rules: bool,
    ) -> Result<Self, Vec<FieldError>> {
        let mut errors = Vec::new();
        let mut refuse =
            |field: &str, message: String| errors.push(FieldError::new(field, message));
        let full_name = form::line(full_name, MAX_NAME)
            .map_err(|message| refuse("full_name", message))
            .ok();
        let email = Email::parse(email)
            .map_err(|message| refuse("email", message))
            .ok();
        let asks_nothing = contest.question.is_empty();
        let answer = if asks_nothing && answer.trim().is_empty() {
            Some(String::new())
        } else {
            form::lines(answer, MAX_ANSWER)
                .map_err(|message| refuse("answer", message))
                .ok()
        };
        if !accepts_rules {
            let message = "You must accept the rules to enter.".to_owned();
            refuse("accepts_rules", message);
        }
        match (full_name, email, answer) {
            (Some(full_name), Some(email), Some(answer)) if errors.is_empty() => Ok(Self {
                full_name,
                email,
                answer,
            }),
            _ => Err(errors),
        }
    }

    /// The mail to the address of a new entry, or of an entry that was made again; `None` if the address is not valid
    /// for mail. Anyone can enter another person's address, so the mail does not contain the name or the answer.
    pub(crate) fn confirmation(
        &self,
        site: &Site,
        contest: (&str, &str),
        is_new: bool,
    ) -> Option<Mail> {
        let (name, path) = contest;
        let site_name = &site.name;
        let entered = if is_new {
            format!("Someone, probably you, entered this address in {name} at {site_name}.")
        } else {
            format!(
                "Someone, probably you, entered this address in {name} at {site_name} again. The first entry counts: \
                 an address can enter a contest once."
            )
        };
        let note = Note {
            about: "contest-entry",
            subject: format!("Your entry: {name}"),
            before: vec![entered, "If you win, we write to this address.".to_owned()],
            button: ("See the contest", site.page(path)),
            after: vec!["If it was not you, there is nothing to do.".to_owned()],
            ..Note::default()
        };
        site.write(self.email.as_str(), note)
    }

    /// Checks that a contest accepts entries at this time; the error is for the reader.
    pub(crate) fn check_time(contest: &Contest, now: DateTime<Utc>) -> Result<(), Vec<FieldError>> {
        let message = if contest.has_closed(now) {
            "This contest has closed."
        } else if !contest.has_opened(now) {
            "This contest has not opened yet."
        } else {
            return Ok(());
        };
        Err(vec![FieldError::new("non_field_errors", message)])
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn contest(question: &str) -> Contest {
        let at = |text: &str| text.parse().expect("an instant");
        Contest {
            opens_at: at("2026-11-01T04:00:00Z"),
            closes_at: at("2026-11-02T05:00:00Z"),
            question: question.to_owned(),
            rules: String::new(),
        }
    }

    #[test]
    fn every_field_at_fault_is_named() {
        let fields = |question, name, email, answer, accepts| {
            let errors = Entry::parse(&contest(question), name, email, answer, accepts);
            let errors = errors.err().unwrap_or_default().into_iter();
            errors.map(|error| error.field).collect::<Vec<_>>()
        };
        let (ada, email) = ("Ada King", "ada@example.com");
        assert_eq!(fields("Which?", ada, email, "The Don", true), [""; 0]);
        assert_eq!(
            fields("Which?", " ", "nobody", " ", false),
            ["full_name", "email", "answer", "accepts_rules"]
        );
        assert_eq!(fields("", ada, email, " ", true), [""; 0]);
        let long = "a".repeat(1_001);
        assert_eq!(fields("", ada, email, &long, true), ["answer"]);
        assert_eq!(fields("", &long[..256], email, "", true), ["full_name"]);
        assert_eq!(fields("", "Ada\r\nBcc: x", email, "", true), ["full_name"]);
    }

    #[test]
    fn a_contest_takes_entries_from_its_opening_until_its_closing() {
        let open = |at: &str| Entry::check_time(&contest(""), at.parse().expect("an instant"));
        for (at, is_open) in [
            ("2026-11-01T03:59:59.999Z", false),
            ("2026-11-01T04:00:00Z", true),
            ("2026-11-02T04:59:59.999Z", true),
            ("2026-11-02T05:00:00Z", false),
        ] {
            assert_eq!(open(at).is_ok(), is_open, "{at}");
        }
    }
}
