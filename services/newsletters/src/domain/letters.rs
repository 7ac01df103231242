//! Emails of this service except newsletters. They do not address the recipient by name, because anyone can enter
//! another person's address in a form.

use std::ops::Deref;

use chassis::mail::{self, Mail, Note};
use vocabulary::newsletters::Kind;

/// The site that sends the newsletters.
#[derive(Debug, Clone)]
pub(crate) struct Site {
    pub(crate) sender: mail::Site,
    /// Publisher's postal address; empty if not configured.
    pub(crate) postal_address: String,
    /// Placeholder for a recipient's token in an issue rendered for all recipients. It is unknown to authors of issues,
    /// so that they cannot insert tokens elsewhere.
    pub(crate) mark: String,
    /// Whether clicks on links of issues are counted.
    pub(crate) counts_clicks: bool,
}

impl Deref for Site {
    type Target = mail::Site;

    fn deref(&self) -> &mail::Site {
        &self.sender
    }
}

impl Site {
    /// Builds the email that asks the owner of an address to confirm newsletters. This and the following methods return
    /// `None` if the address is not a valid mail address.
    pub(crate) fn confirm(&self, to: &str, secret: &str, kinds: &[Kind]) -> Option<Mail> {
        let (name, titles) = (&self.name, titles(kinds));
        let note = Note {
            about: "confirm-newsletters",
            subject: format!("Confirm your subscription to {titles}"),
            before: vec![
                format!("Someone, probably you, asked {name} to send {titles} to this address."),
                "Nothing is sent until you confirm that you want it.".to_owned(),
            ],
            button: (
                "Confirm my subscription",
                self.page(&format!("/newsletters/confirm/{secret}/")),
            ),
            after: vec![
                "The link works for three days, and once.".to_owned(),
                "If it was not you, there is nothing to do. The page that the link leads to can also see to it that \
                 you are not asked again."
                    .to_owned(),
            ],
            ..Note::default()
        };
        self.write(to, note)
    }

    /// Builds the email that welcomes a subscriber to newsletters.
    pub(crate) fn welcome(&self, to: &str, token: &str, kinds: &[Kind]) -> Option<Mail> {
        let (name, titles) = (&self.name, titles(kinds));
        let unsubscribe = self.page(&match kinds {
            [kind] => format!("/newsletters/unsubscribe/{token}/?kind={}", kind.name()),
            _ => format!("/newsletters/unsubscribe/{token}/"),
        });
        let mut before = vec![format!(
            "You have subscribed to {titles} from {name}. Here is what to expect:"
        )];
        before.extend(kinds.iter().map(|kind| {
            let (title, schedule) = (kind.title(), kind.schedule().words());
            format!(
                "{title} ({}): {}",
                schedule.to_lowercase(),
                kind.description()
            )
        }));
        let note = Note {
            about: "welcome-to-newsletters",
            subject: format!("Welcome to {titles}"),
            before,
            button: (
                "Choose what you get",
                self.page(&format!("/newsletters/preferences/{token}/")),
            ),
            after: Vec::new(),
            links: vec![("Unsubscribe", unsubscribe.clone())],
            headers: vec![
                ("List-Unsubscribe".to_owned(), format!("<{unsubscribe}>")),
                (
                    "List-Unsubscribe-Post".to_owned(),
                    "List-Unsubscribe=One-Click".to_owned(),
                ),
            ],
        };
        self.write(to, note)
    }
}

/// Joins titles: "Top Stories", "Top Stories and Dished", "Top Stories, Travel and Dished".
fn titles(kinds: &[Kind]) -> String {
    let titles: Vec<_> = kinds.iter().map(|kind| kind.title()).collect();
    match titles.as_slice() {
        [] => String::new(),
        [one] => (*one).to_owned(),
        [first @ .., last] => format!("{} and {last}", first.join(", ")),
    }
}

#[cfg(test)]
mod tests {
    use chassis::origin::Origin;

    use super::*;

    fn site() -> Site {
        Site {
            sender: mail::Site {
                name: "City Guide".to_owned(),
                origin: Origin::parse("https://guide.example").expect("an origin"),
                color: "#b3201f",
            },
            postal_address: String::new(),
            mark: String::new(),
            counts_clicks: false,
        }
    }

    #[test]
    fn a_request_names_what_is_confirmed_and_brings_its_link() {
        let kinds = [Kind::News, Kind::Travel, Kind::Foods];
        let mail = site().confirm("ada@example.com", "s3cret", &kinds);
        let mail = mail.expect("an address that servers take");
        assert_eq!(
            mail.subject,
            "Confirm your subscription to Top Stories, Travel and Dished"
        );
        let link = "https://guide.example/newsletters/confirm/s3cret/";
        assert!(mail.text.contains(link), "{}", mail.text);
    }

    #[test]
    fn a_welcome_ends_its_own_newsletter_with_one_click() {
        let header = |kinds: &[Kind]| {
            let mail = site()
                .welcome("ada@example.com", "t0ken", kinds)
                .expect("a mail");
            let named = |wanted: &str| {
                let mut headers = mail.headers.iter();
                headers
                    .find(|(name, _)| name == wanted)
                    .map(|(_, value)| value.clone())
            };
            let post = named("List-Unsubscribe-Post");
            assert_eq!(post.as_deref(), Some("List-Unsubscribe=One-Click"));
            named("List-Unsubscribe").expect("a header")
        };
        assert_eq!(
            header(&[Kind::Foods]),
            "<https://guide.example/newsletters/unsubscribe/t0ken/?kind=foods>"
        );
        assert_eq!(
            header(&[Kind::Foods, Kind::News]),
            "<https://guide.example/newsletters/unsubscribe/t0ken/>"
        );
    }
}
