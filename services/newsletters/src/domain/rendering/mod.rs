//! Renders issues as emails: MJML-based HTML that looks the same in all mail programs, and plain text.

mod html;
mod text;
mod things;

use chassis::mail::Mail;
use maud::html;
use vocabulary::newsletters::Kind;

use self::{
    html::{footer, html_of},
    text::text,
    things::{ARCHIVE, Links, Things, sender},
};
use super::{
    Site,
    issue::{Content, Section},
};

/// Gmail truncates emails after 102 kB.
const MAX_BYTES: usize = 100_000;
/// Accessibility attributes of an MJML email, for screen readers.
const LETTER_ROLE: &str = "aria-roledescription=\"email\" class=\"Page\" role=\"article\"";
/// An issue rendered for all recipients.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Rendered {
    kind: Kind,
    pub(crate) subject: String,
    html: String,
    text: String,
    /// Host of the site, for the list's id (RFC 2919).
    host: String,
    /// Address for unsubscribing, with the placeholder instead of the token.
    unsubscribe: String,
    /// Placeholder for the recipient's token.
    mark: String,
}

#[derive(Debug, Clone, Copy)]
pub(crate) struct Recipient<'a> {
    pub(crate) email: &'a str,
    /// Token in the links of the recipient's emails.
    pub(crate) token: &'a str,
}

impl Rendered {
    /// Renders an issue. `id` identifies the issue's page, which exists once sending has begun. `own` is a personal
    /// section for some readers.
    ///
    /// # Errors
    /// Invalid markup, or an email that is too large.
    pub(crate) fn new(
        site: &Site,
        kind: Kind,
        id: Option<i64>,
        content: &Content,
        own: Option<&Section>,
    ) -> Result<Self, String> {
        let links = Links::new(site, kind, id);
        let things = Things {
            site,
            content,
            own,
            counted: links.counted.as_deref(),
        };
        let html = html_of(kind, &things, &footer(site, kind, &links))?;
        if html.len() > MAX_BYTES {
            let bytes = html.len();
            return Err(format!(
                "The letter has {bytes} bytes, more than {MAX_BYTES}."
            ));
        }
        Ok(Self {
            kind,
            subject: content.subject.clone(),
            html,
            text: text(kind, &things, &links),
            host: site.origin.host().to_owned(),
            unsubscribe: links.unsubscribe,
            mark: site.mark.clone(),
        })
    }

    /// Builds the email to a recipient; `None` if the address is not a valid mail address.
    pub(crate) fn mail(&self, to: Recipient<'_>) -> Option<Mail> {
        let own = |text: &str| text.replace(&self.mark, to.token);
        let header = |name: &str, value: String| (name.to_owned(), value);
        Some(Mail {
            about: format!("newsletter-{}", self.kind.name()),
            to: to.email.parse().ok()?,
            reply_to: None,
            return_path: None,
            subject: self.subject.clone(),
            text: own(&self.text),
            html: Some(own(&self.html)),
            headers: vec![
                header(
                    "List-ID",
                    format!("{} <{}.{}>", self.kind.title(), self.kind.name(), self.host),
                ),
                header("List-Unsubscribe", format!("<{}>", own(&self.unsubscribe))),
                // One-click unsubscription (RFC 8058).
                header(
                    "List-Unsubscribe-Post",
                    "List-Unsubscribe=One-Click".to_owned(),
                ),
                header("Precedence", "bulk".to_owned()),
                // Suppresses automatic replies (RFC 3834, section 5).
                header("Auto-Submitted", "auto-generated".to_owned()),
            ],
        })
    }
}

/// Renders the public page of an issue.
///
/// # Errors
/// Fails in the same cases as the rendering of an email.
pub(crate) fn page(site: &Site, kind: Kind, content: &Content) -> Result<String, String> {
    let links = html! {
        p style="margin:0 0 8px" {
            a href=(site.page("/newsletters/")) { "Get " (kind.title()) " by email" }
            " · "
            a href=(site.page(ARCHIVE)) { "Earlier issues" }
        }
        p style="margin:0" { (sender(site)) }
    };
    let things = Things {
        site,
        content,
        own: None,
        counted: None,
    };
    let html = html_of(kind, &things, &links)?;
    // An email is an article within a mail program; here it is the page's main content.
    Ok(html.replacen(LETTER_ROLE, "class=\"Page\" role=\"main\"", 1))
}

#[cfg(test)]
mod tests {
    use chassis::{mail, origin::Origin};

    use super::{super::issue::Item, *};

    const MARK: &str = "m4rk";

    fn site() -> Site {
        Site {
            sender: mail::Site {
                name: "City & Guide".to_owned(),
                origin: Origin::parse("https://guide.example").expect("an origin"),
                color: "#b3201f",
            },
            postal_address: "1 Queen Street, Toronto".to_owned(),
            mark: MARK.to_owned(),
            counts_clicks: false,
        }
    }

    fn item(number: usize, text: &str) -> Item {
        Item {
            reference: format!("article/{number}"),
            label: "Culture".to_owned(),
            title: format!("<b>Number</b> {number}"),
            text: text.to_owned(),
            path: format!("/culture/number-{number}/"),
            image: Some(format!("/media/{number}.jpg")),
        }
    }

    fn content(items: usize, text: &str) -> Content {
        Content {
            subject: "One & two".to_owned(),
            preheader: "Also: two".to_owned(),
            text_markdown: "Good *day*.".to_owned(),
            sections: vec![Section {
                heading: "New <this> week".to_owned(),
                items: (0..items).map(|number| item(number, text)).collect(),
            }],
        }
    }

    fn mail(content: &Content) -> Mail {
        let rendered =
            Rendered::new(&site(), Kind::News, Some(12), content, None).expect("renders");
        let to = Recipient {
            email: "ada@example.com",
            token: "t0ken",
        };
        rendered.mail(to).expect("an address that servers take")
    }

    #[test]
    fn html_and_text_bring_the_same_things_and_each_recipients_own_links() {
        let mail = mail(&content(2, "Words & more."));
        let html = mail.html.expect("HTML");
        let unsubscribe = "https://guide.example/newsletters/unsubscribe/t0ken/?kind=news";
        for link in [
            "https://guide.example/culture/number-1/",
            "https://guide.example/newsletters/preferences/t0ken/",
            "https://guide.example/newsletters/issues/12/",
            unsubscribe,
        ] {
            assert!(mail.text.contains(link), "{link}: {}", mail.text);
            assert!(html.contains(&format!("href=\"{link}\"")), "{link}: {html}");
        }
        assert!(
            html.contains("src=\"https://guide.example/media/1.jpg\""),
            "{html}"
        );
        assert!(html.contains("Good <em>day</em>."), "{html}");
        for words in [
            "1 Queen Street, Toronto",
            "Words &amp; more.",
            "City &amp; Guide",
        ] {
            assert!(html.contains(words), "{words}: {html}");
        }
        assert!(mail.text.contains("1 Queen Street, Toronto") && mail.text.contains("Good *day*."));
        assert!(!html.contains(MARK) && !mail.text.contains(MARK));
        let header = |name: &str| {
            let mut headers = mail.headers.iter();
            headers
                .find(|(known, _)| known == name)
                .map(|(_, value)| value.as_str())
        };
        assert_eq!(
            header("List-Unsubscribe"),
            Some(format!("<{unsubscribe}>").as_str())
        );
        assert_eq!(
            header("List-Unsubscribe-Post"),
            Some("List-Unsubscribe=One-Click")
        );
        assert_eq!(header("List-ID"), Some("Top Stories <news.guide.example>"));
    }

    #[test]
    fn links_are_counted_only_where_the_site_says_so_and_never_what_a_reader_alone_gets() {
        let counting = Site {
            counts_clicks: true,
            ..site()
        };
        let own = Section {
            heading: "You saved".to_owned(),
            items: vec![item(9, "Words.")],
        };
        let content = content(2, "Words.");
        let rendered = Rendered::new(&counting, Kind::News, Some(12), &content, Some(&own));
        let rendered = rendered.expect("renders");
        for (text, is_there) in [
            ("https://guide.example/newsletters/issues/12/1/", true),
            ("https://guide.example/newsletters/issues/12/2/", true),
            ("https://guide.example/newsletters/issues/12/3/", false),
            ("https://guide.example/culture/number-1/", false),
            ("https://guide.example/culture/number-9/", true),
        ] {
            assert_eq!(rendered.html.contains(text), is_there, "{text}");
            assert_eq!(rendered.text.contains(text), is_there, "{text}");
        }
        // A preview has no issue id, and clicks on a page are not counted.
        let preview = Rendered::new(&counting, Kind::News, None, &content, None).expect("renders");
        assert!(
            preview
                .html
                .contains("https://guide.example/culture/number-1/")
        );
        let page = page(&counting, Kind::News, &content).expect("renders");
        assert!(
            page.contains("https://guide.example/culture/number-1/"),
            "{page}"
        );
    }

    #[test]
    fn the_page_of_an_issue_has_nobodys_links() {
        let page = page(&site(), Kind::News, &content(2, "Words.")).expect("renders");
        assert!(
            page.contains("role=\"main\"") && !page.contains("role=\"article\""),
            "{page}"
        );
        assert!(
            page.contains("https://guide.example/culture/number-1/"),
            "{page}"
        );
        assert!(
            page.contains("href=\"https://guide.example/newsletters/\""),
            "{page}"
        );
        assert!(
            !page.contains(MARK) && !page.contains("unsubscribe"),
            "{page}"
        );
    }

    #[test]
    fn what_publishers_write_is_text_and_never_markup() {
        let html = mail(&content(1, "</mj-text><mj-include path='/etc/passwd'/>")).html;
        let html = html.expect("HTML");
        assert!(html.contains("&lt;b&gt;Number&lt;/b&gt; 0"), "{html}");
        assert!(html.contains("New &lt;this&gt; week"), "{html}");
        assert!(html.contains("&lt;mj-include"), "{html}");
    }

    #[test]
    fn a_letter_loads_nothing_from_elsewhere() {
        let html = mail(&content(3, "Words.")).html.expect("HTML");
        for foreign in ["fonts.googleapis", "@import", "<script", "<link"] {
            assert!(!html.contains(foreign), "{foreign}: {html}");
        }
        let sources = html.split("src=\"").skip(1);
        assert!(
            sources
                .into_iter()
                .all(|rest| rest.starts_with("https://guide.example/"))
        );
    }

    #[test]
    fn the_largest_issue_is_shown_whole() {
        let longest = "word ".repeat(super::super::composing::TEXT / 5);
        let most = content(super::super::composing::MAX_ITEMS, &longest);
        let mail = mail(&most);
        assert!(mail.html.is_some());
        let more = Content {
            text_markdown: "word ".repeat(MAX_BYTES / 5),
            ..most
        };
        let refused = Rendered::new(&site(), Kind::News, None, &more, None).expect_err("too large");
        assert!(refused.contains("more than 100000"), "{refused}");
    }
}
