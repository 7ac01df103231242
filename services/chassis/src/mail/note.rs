//! A short mail about one topic, with the same content as text and as HTML.

use maud::{DOCTYPE, html};

use super::{content::Mail, site::Site};

/// The content of a note.
#[derive(Debug, Clone, Default)]
pub struct Note {
    /// The topic, for operators and traces: `reset-password`.
    pub about: &'static str,
    /// The subject, on one line.
    pub subject: String,
    /// Paragraphs above the button.
    pub before: Vec<String>,
    /// The button's label and address.
    pub button: (&'static str, String),
    /// Paragraphs below the button.
    pub after: Vec<String>,
    /// Labels and addresses of links at the end, such as the unsubscribe link.
    pub links: Vec<(&'static str, String)>,
    /// Further headers.
    pub headers: Vec<(String, String)>,
}

impl Site {
    /// The mail with this content to an address; `None` if the address is not valid for mail.
    #[must_use]
    pub fn write(&self, to: &str, note: Note) -> Option<Mail> {
        note.mail(self, to)
    }
}

impl Note {
    fn mail(self, site: &Site, to: &str) -> Option<Mail> {
        let to = to.parse().ok()?;
        let text = self.text(site);
        let html = self.html(site);
        // Prevents automatic replies, such as holiday notices (RFC 3834, section 5).
        let mut headers = vec![("Auto-Submitted".to_owned(), "auto-generated".to_owned())];
        headers.extend(self.headers);
        Some(Mail {
            about: self.about.to_owned(),
            to,
            reply_to: None,
            return_path: None,
            subject: self.subject,
            text,
            html: Some(html),
            headers,
        })
    }

    fn text(&self, site: &Site) -> String {
        let (label, address) = &self.button;
        let mut paragraphs = self.before.clone();
        paragraphs.push(format!("{label}:\n{address}"));
        paragraphs.extend(self.after.iter().cloned());
        let links = self.links.iter();
        paragraphs.extend(links.map(|(label, address)| format!("{label}: {address}")));
        paragraphs.push(format!("-- \n{}\n{}", site.name, site.origin.as_str()));
        paragraphs.join("\n\n") + "\n"
    }

    /// Mail programs do not support style sheets, so each element has an inline style.
    fn html(&self, site: &Site) -> String {
        let (label, address) = &self.button;
        let button = format!(
            "display:inline-block;padding:12px 20px;border-radius:8px;background:{};color:#ffffff;text-decoration:none;\
             font-weight:600",
            site.color,
        );
        html! {
            (DOCTYPE)
            html lang="en" {
                head {
                    meta charset="utf-8";
                    meta name="viewport" content="width=device-width, initial-scale=1";
                    meta name="color-scheme" content="light dark";
                    title { (self.subject) }
                }
                body style="margin:0;padding:24px;font:16px/1.5 system-ui,-apple-system,Segoe UI,sans-serif" {
                    div style="max-width:560px;margin:0 auto" {
                        p style="margin:0 0 24px;font-weight:700" { (site.name) }
                        h1 style="margin:0 0 16px;font-size:24px;line-height:1.25" { (self.subject) }
                        @for line in &self.before { p style="margin:0 0 16px" { (line) } }
                        p style="margin:24px 0" {
                            a href=(address) style=(button) { (label) }
                        }
                        p style="margin:0 0 16px;font-size:14px;overflow-wrap:anywhere" {
                            "If the button does not work, open this address: "
                            a href=(address) { (address) }
                        }
                        @for line in &self.after { p style="margin:0 0 16px" { (line) } }
                        @for (label, address) in &self.links {
                            p style="margin:0 0 8px;font-size:14px" { a href=(address) { (label) } }
                        }
                        p style="margin:32px 0 0;padding-top:16px;border-top:1px solid #8888;font-size:14px" {
                            a href=(site.origin.as_str()) { (site.name) }
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
    use crate::origin::Origin;

    fn mail(to: &str) -> Option<Mail> {
        let note = Note {
            about: "reset-password",
            subject: "Set a new password".to_owned(),
            before: vec!["Someone asked for it <b>at once</b>.".to_owned()],
            button: ("Set it", "https://guide.example/reset#s3cret".to_owned()),
            after: vec!["The link works for one hour.".to_owned()],
            links: vec![("Unsubscribe", "https://guide.example/stop/".to_owned())],
            ..Note::default()
        };
        let site = Site {
            name: "City & Guide".to_owned(),
            origin: Origin::parse("https://guide.example").expect("an origin"),
            color: "#b3201f",
        };
        note.mail(&site, to)
    }

    #[test]
    fn text_and_html_say_the_same_and_bring_the_same_links() {
        let mail = mail("ada@example.com").expect("an address that servers take");
        let html = mail.html.expect("HTML");
        for link in [
            "https://guide.example/reset#s3cret",
            "https://guide.example/stop/",
        ] {
            assert!(mail.text.contains(&format!("{link}\n")), "{}", mail.text);
            assert!(html.contains(&format!("href=\"{link}\"")), "{html}");
        }
        for line in ["works for one hour", "City & Guide\n"] {
            assert!(mail.text.contains(line), "{line}");
        }
        assert!(html.contains("City &amp; Guide"), "{html}");
        assert!(html.contains("background:#b3201f"), "{html}");
        assert!(html.contains("&lt;b&gt;at once"), "{html}");
    }

    #[test]
    fn an_address_that_no_server_takes_gets_no_mail() {
        let long = format!("{}@example.com", "a".repeat(200));
        assert_eq!(mail(&long), None);
    }
}
