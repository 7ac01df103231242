//! The mails of accounts, each in text and in HTML from the same words. None of them names the reader: anybody can sign
//! up with another's address, and would choose the name as an advertisement.

use chassis::{mail::Mail, origin::Origin};
use maud::{DOCTYPE, html};

use super::mailed_link::Purpose;

/// The site that writes.
#[derive(Debug, Clone)]
pub(crate) struct Site {
    /// Its name, for readers.
    pub(crate) name: String,
    pub(crate) origin: Origin,
}

/// What a mail says.
struct Words {
    about: &'static str,
    subject: String,
    before: Vec<String>,
    /// The label and the address.
    button: (&'static str, String),
    after: Vec<String>,
}

impl Site {
    /// Asks the owner of an address to confirm it. `None`, here and below, if no mail server takes the address.
    pub(crate) fn confirm_email(&self, to: &str, secret: &str) -> Option<Mail> {
        let name = &self.name;
        self.write(
            to,
            Words {
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
            },
        )
    }

    /// Tells the owner of an address that it has an account already, after someone asked to use it for another one.
    pub(crate) fn has_account(&self, to: &str) -> Option<Mail> {
        let name = &self.name;
        self.write(
            to,
            Words {
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
            },
        )
    }

    /// Tells the old address that a new one waits to be confirmed.
    pub(crate) fn email_will_change(&self, to: &str, new: &str) -> Option<Mail> {
        let name = &self.name;
        self.write(
            to,
            Words {
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
            },
        )
    }

    /// Brings the link that sets a new password.
    pub(crate) fn reset_password(&self, to: &str, secret: &str) -> Option<Mail> {
        let name = &self.name;
        self.write(
            to,
            Words {
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
            },
        )
    }

    /// Tells a reader that the password is another one now.
    pub(crate) fn password_changed(&self, to: &str) -> Option<Mail> {
        let name = &self.name;
        self.write(
            to,
            Words {
                about: "password-changed",
                subject: format!("Your password at {name} was changed"),
                before: vec![
                    format!(
                        "The password of your account at {name} was changed, and other devices were signed out."
                    ),
                    "If it was not you, set a new password now.".to_owned(),
                ],
                button: (
                    "Set a new password",
                    self.page(Purpose::ResetPassword.page()),
                ),
                after: Vec::new(),
            },
        )
    }

    /// Tells a reader that another passkey signs in to the account.
    pub(crate) fn passkey_added(&self, to: &str) -> Option<Mail> {
        let name = &self.name;
        self.write(
            to,
            Words {
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
            },
        )
    }

    /// Tells a reader that a Facebook account signs in to the account.
    pub(crate) fn facebook_connected(&self, to: &str) -> Option<Mail> {
        let name = &self.name;
        self.write(
            to,
            Words {
                about: "facebook-connected",
                subject: format!("Your account at {name} is connected with Facebook"),
                before: vec![
                    format!("Your account at {name} can now be signed in to with Facebook."),
                    "If it was not you, disconnect Facebook in your profile and set a new password."
                        .to_owned(),
                ],
                button: ("See your profile", self.page("/accounts/dashboard")),
                after: Vec::new(),
            },
        )
    }

    /// Tells a reader that a photo is not published, and why.
    pub(crate) fn photo_refused(&self, to: &str, listing: &str, reason: &str) -> Option<Mail> {
        let name = &self.name;
        self.write(
            to,
            Words {
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
            },
        )
    }

    /// Brings the receipt of an erasure.
    pub(crate) fn receipt(&self, to: &str, secret: &str) -> Option<Mail> {
        let name = &self.name;
        self.write(
            to,
            Words {
                about: "receipt",
                subject: format!("Your account at {name} is erased"),
                before: vec![format!(
                    "As you asked, your account at {name} and everything that belonged to it are erased. A signed \
                     receipt says what was erased, counted by kind."
                )],
                button: (
                    "See the receipt",
                    // As with the other links, browsers keep what follows `#` to themselves.
                    format!("{}#{secret}", self.page("/accounts/receipt")),
                ),
                after: vec![
                    "You can read and download it there for 30 days.".to_owned(),
                    "This is the last mail to this address from this account.".to_owned(),
                ],
            },
        )
    }

    fn how_to_reset(&self) -> String {
        let page = self.page(Purpose::ResetPassword.page());
        format!("If you have forgotten your password, you can set a new one: {page}")
    }

    fn page(&self, path: &str) -> String {
        format!("{}{path}", self.origin.as_str())
    }

    fn link(&self, purpose: Purpose, secret: &str) -> String {
        format!("{}#{secret}", self.page(purpose.page()))
    }

    fn write(&self, to: &str, words: Words) -> Option<Mail> {
        let to = to.parse().ok()?;
        Some(Mail {
            about: words.about.to_owned(),
            to,
            reply_to: None,
            text: self.text(&words),
            html: Some(self.html(&words)),
            subject: words.subject,
            // Holiday notes and the like shall not answer (RFC 3834, 5).
            headers: vec![("Auto-Submitted".to_owned(), "auto-generated".to_owned())],
        })
    }

    fn text(&self, words: &Words) -> String {
        let (label, address) = &words.button;
        let mut paragraphs = words.before.clone();
        paragraphs.push(format!("{label}:\n{address}"));
        paragraphs.extend(words.after.iter().cloned());
        paragraphs.push(format!("-- \n{}\n{}", self.name, self.origin.as_str()));
        paragraphs.join("\n\n") + "\n"
    }

    /// Programs that show mail know no style sheets, so that each element has its own style.
    fn html(&self, words: &Words) -> String {
        let (label, address) = &words.button;
        html! {
            (DOCTYPE)
            html lang="en" {
                head {
                    meta charset="utf-8";
                    meta name="viewport" content="width=device-width, initial-scale=1";
                    meta name="color-scheme" content="light dark";
                    title { (words.subject) }
                }
                body style="margin:0;padding:24px;font:16px/1.5 system-ui,-apple-system,Segoe UI,sans-serif" {
                    div style="max-width:560px;margin:0 auto" {
                        p style="margin:0 0 24px;font-weight:700" { (self.name) }
                        h1 style="margin:0 0 16px;font-size:24px;line-height:1.25" { (words.subject) }
                        @for line in &words.before { p style="margin:0 0 16px" { (line) } }
                        p style="margin:24px 0" {
                            a href=(address) style="display:inline-block;padding:12px 20px;border-radius:8px;background:#1f5fbf;color:#ffffff;text-decoration:none;font-weight:600" { (label) }
                        }
                        p style="margin:0 0 16px;font-size:14px;word-break:break-all" {
                            "If the button does not work, open this address: "
                            a href=(address) { (address) }
                        }
                        @for line in &words.after { p style="margin:0 0 16px" { (line) } }
                        p style="margin:32px 0 0;padding-top:16px;border-top:1px solid #8888;font-size:14px" {
                            a href=(self.origin.as_str()) { (self.name) }
                        }
                    }
                }
            }
        }
        .into_string()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn site() -> Site {
        Site {
            name: "City & Guide".to_owned(),
            origin: Origin::parse("https://guide.example").expect("an origin"),
        }
    }

    #[test]
    fn text_and_html_bring_the_same_link_with_its_secret_after_the_hash() {
        let mail = site().reset_password("ada@example.com", "s3cret");
        let mail = mail.expect("an address that servers take");
        let link = "https://guide.example/accounts/reset-password#s3cret";
        let html = mail.html.expect("HTML");
        assert!(mail.text.contains(&format!("\n{link}\n")), "{}", mail.text);
        assert!(html.contains(&format!("href=\"{link}\"")), "{html}");
        for line in ["works for one hour", "City & Guide\n"] {
            assert!(mail.text.contains(line), "{line}");
        }
        assert!(html.contains("City &amp; Guide"), "{html}");
    }

    #[test]
    fn an_address_that_is_told_cannot_bring_markup_along() {
        let mail = site().email_will_change("ada@example.com", "a&b<i>@example.com");
        let html = mail.and_then(|mail| mail.html).expect("HTML");
        assert!(html.contains("a&amp;b&lt;i&gt;@example.com"), "{html}");
    }

    #[test]
    fn an_address_that_no_server_takes_gets_no_mail() {
        let long = format!("{}@example.com", "a".repeat(200));
        assert!(site().password_changed(&long).is_none());
    }
}
