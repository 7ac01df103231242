//! The mails about accounts. They do not contain the reader's name: anyone can sign up with another person's address
//! and use an advertisement as the name.

use std::ops::Deref;

use chassis::mail::{self, Mail, Note};

use super::mailed_link::Purpose;

/// The site that sends the mails.
#[derive(Debug, Clone)]
pub(crate) struct Site(pub(crate) mail::Site);

impl Deref for Site {
    type Target = mail::Site;

    fn deref(&self) -> &mail::Site {
        &self.0
    }
}

impl Site {
    /// Asks the owner of an address to confirm it. `None`, here and below, if the address is not valid for mail.
    pub(crate) fn confirm_email(&self, to: &str, secret: &str) -> Option<Mail> {
        let name = &self.name;
        self.write(
            to,
            Note {
                about: "confirm-email",
                subject: format!("Confirm your email address for {name}"),
                before: vec![format!(
                    "Someone, probably you, gave this address to {name}. Please confirm that it is yours."
                )],
                button: (
                    "Confirm this address",
                    self.link(Purpose::ConfirmEmail, secret),
                ),
                after: vec![
                    "The link works for three days, and once.".to_owned(),
                    "If it was not you, there is nothing to do.".to_owned(),
                ],
                ..Note::default()
            },
        )
    }

    /// Notifies the owner of an address that it already has an account, after someone tried to use it for another
    /// account.
    pub(crate) fn has_account(&self, to: &str) -> Option<Mail> {
        let name = &self.name;
        self.write(
            to,
            Note {
                about: "has-account",
                subject: format!("You already have an account at {name}"),
                before: vec![format!(
                    "Someone, probably you, wanted to use this address for another account at {name}. It belongs to \
                     an account already, so nothing has changed."
                )],
                button: ("Go to the site", self.page("/accounts/login")),
                after: vec![
                    "If it was not you, there is nothing to do.".to_owned(),
                    self.how_to_reset(),
                ],
                ..Note::default()
            },
        )
    }

    /// Notifies the old address that a new address is awaiting confirmation.
    pub(crate) fn email_will_change(&self, to: &str, new: &str) -> Option<Mail> {
        let name = &self.name;
        self.write(
            to,
            Note {
                about: "email-will-change",
                subject: format!("Your email address at {name} is about to change"),
                before: vec![
                    format!(
                        "Someone, probably you, asked {name} to use {new} instead of this address. It changes once \
                         that address is confirmed."
                    ),
                    "If it was not you, set a new password now: that stops the change, and signs everyone out."
                        .to_owned(),
                ],
                button: (
                    "Set a new password",
                    self.page(Purpose::ResetPassword.page()),
                ),
                after: Vec::new(),
                ..Note::default()
            },
        )
    }

    /// Notifies the former address that another address has replaced it, with a link that undoes the change.
    pub(crate) fn email_changed(&self, to: &str, secret: &str) -> Option<Mail> {
        let name = &self.name;
        self.write(
            to,
            Note {
                about: "email-changed",
                subject: format!("Your email address at {name} was changed"),
                before: vec![
                    format!("Your account at {name} now has another address than this one."),
                    "If it was not you, undo the change: this address is restored, you set a new password, and \
                     everyone else is signed out."
                        .to_owned(),
                ],
                button: ("Undo the change", self.link(Purpose::UndoEmail, secret)),
                after: vec![
                    "The link works for seven days, and once.".to_owned(),
                    "If it was you, there is nothing to do.".to_owned(),
                ],
                ..Note::default()
            },
        )
    }

    /// Notifies a reader that the site may now write to a calendar.
    pub(crate) fn calendar_connected(&self, to: &str) -> Option<Mail> {
        let name = &self.name;
        self.write(
            to,
            Note {
                about: "calendar-connected",
                subject: format!("Your account at {name} is connected with a calendar"),
                before: vec![
                    format!("Events that you save at {name} are now written to a calendar at Google."),
                    "If it was not you, disconnect the calendar in your profile and set a new password."
                        .to_owned(),
                ],
                button: ("See your profile", self.page("/accounts/dashboard")),
                after: Vec::new(),
                ..Note::default()
            },
        )
    }

    /// Links to the page that sets a new password.
    pub(crate) fn reset_password(&self, to: &str, secret: &str) -> Option<Mail> {
        let name = &self.name;
        self.write(
            to,
            Note {
                about: "reset-password",
                subject: format!("Set a new password for {name}"),
                before: vec![format!(
                    "Someone, probably you, asked for a new password at {name}."
                )],
                button: (
                    "Set a new password",
                    self.link(Purpose::ResetPassword, secret),
                ),
                after: vec![
                    "The link works for one hour, and once.".to_owned(),
                    "If it was not you, there is nothing to do: your password stays as it is."
                        .to_owned(),
                ],
                ..Note::default()
            },
        )
    }

    /// Notifies a reader that the password was changed, and lists everything else that still gives access to the
    /// account.
    pub(crate) fn password_changed(&self, to: &str, others: &[String]) -> Option<Mail> {
        let name = &self.name;
        let others = (!others.is_empty()).then(|| {
            let others = others.join(", ");
            format!(
                "Still connected to your account: {others}. If you do not know one of them, remove it in your profile."
            )
        });
        let changed = format!(
            "The password of your account at {name} was changed, and other devices were signed out."
        );
        let warning = "If it was not you, set a new password now.".to_owned();
        self.write(
            to,
            Note {
                about: "password-changed",
                subject: format!("Your password at {name} was changed"),
                before: [Some(changed), others, Some(warning)]
                    .into_iter()
                    .flatten()
                    .collect(),
                button: (
                    "Set a new password",
                    self.page(Purpose::ResetPassword.page()),
                ),
                after: Vec::new(),
                ..Note::default()
            },
        )
    }

    /// Notifies a reader that a passkey was added to the account.
    pub(crate) fn passkey_added(&self, to: &str) -> Option<Mail> {
        let name = &self.name;
        self.write(
            to,
            Note {
                about: "passkey-added",
                subject: format!("A passkey was added to your account at {name}"),
                before: vec![
                    format!(
                        "Your account at {name} can now be signed in to with one more passkey."
                    ),
                    "If it was not you, remove the passkey in your profile and set a new password."
                        .to_owned(),
                ],
                button: ("See your passkeys", self.page("/accounts/dashboard")),
                after: Vec::new(),
                ..Note::default()
            },
        )
    }

    /// Notifies a reader that a Facebook account was connected to the account.
    pub(crate) fn facebook_connected(&self, to: &str) -> Option<Mail> {
        let name = &self.name;
        self.write(
            to,
            Note {
                about: "facebook-connected",
                subject: format!("Your account at {name} is connected with Facebook"),
                before: vec![
                    format!("Your account at {name} can now be signed in to with Facebook."),
                    "If it was not you, disconnect Facebook in your profile and set a new password."
                        .to_owned(),
                ],
                button: ("See your profile", self.page("/accounts/dashboard")),
                after: Vec::new(),
                ..Note::default()
            },
        )
    }

    /// Notifies a reader that a photo was refused, with the reason.
    pub(crate) fn photo_refused(&self, to: &str, listing: &str, reason: &str) -> Option<Mail> {
        let name = &self.name;
        self.write(
            to,
            Note {
                about: "photo-refused",
                subject: format!("Your photo is not published at {name}"),
                before: vec![
                    format!(
                        "You uploaded a photo of {listing}. It is not published, for this reason:"
                    ),
                    reason.to_owned(),
                ],
                button: (
                    "See your photos",
                    format!("{}#/photos/", self.page("/accounts/dashboard")),
                ),
                after: vec!["You are welcome to upload another one.".to_owned()],
                ..Note::default()
            },
        )
    }

    /// Links to the receipt of an erasure.
    pub(crate) fn receipt(&self, to: &str, secret: &str) -> Option<Mail> {
        let name = &self.name;
        self.write(
            to,
            Note {
                about: "receipt",
                subject: format!("Your account at {name} is erased"),
                before: vec![format!(
                    "As you asked, your account at {name} and everything that belonged to it are erased. A signed \
                     receipt says what was erased, counted by kind."
                )],
                button: (
                    "See the receipt",
                    // As with the other links, browsers do not send the part after `#`.
                    format!("{}#{secret}", self.page("/accounts/receipt")),
                ),
                after: vec![
                    "You can read and download it there for 30 days.".to_owned(),
                    "This is the last mail to this address from this account.".to_owned(),
                ],
                ..Note::default()
            },
        )
    }

    fn how_to_reset(&self) -> String {
        let page = self.page(Purpose::ResetPassword.page());
        format!("If you have forgotten your password, you can set a new one: {page}")
    }

    fn link(&self, purpose: Purpose, secret: &str) -> String {
        format!("{}#{secret}", self.page(purpose.page()))
    }
}

#[cfg(test)]
mod tests {
    use chassis::origin::Origin;

    use super::*;

    fn site() -> Site {
        Site(mail::Site {
            name: "City & Guide".to_owned(),
            origin: Origin::parse("https://guide.example").expect("an origin"),
            color: "#b3201f",
        })
    }

    #[test]
    fn an_address_that_is_told_cannot_bring_markup_along() {
        let mail = site().email_will_change("ada@example.com", "a&b<i>@example.com");
        let html = mail.and_then(|mail| mail.html).expect("HTML");
        assert!(html.contains("a&amp;b&lt;i&gt;@example.com"), "{html}");
    }
}
