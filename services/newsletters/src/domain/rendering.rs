//! Issues as letters: HTML that programs for mail show alike, made from MJML, and the same as text.

use chassis::{mail::Mail, markup, newsletters::Kind};
use maud::{Markup, PreEscaped, html};
use mrml::prelude::{parser::ParserOptions, render::RenderOptions};

use super::{
    Site,
    issue::{Content, Item, Section},
};

/// Gmail cuts what comes after 102 kB of a letter.
const MOST_BYTES: usize = 100_000;
/// The page of all issues.
const ARCHIVE: &str = "/newsletters/issues/";
/// What MJML calls a letter, for programs that read aloud.
const LETTER_ROLE: &str = "aria-roledescription=\"email\" class=\"Page\" role=\"article\"";
const FONTS: &str = "system-ui, -apple-system, 'Segoe UI', Roboto, Helvetica, Arial, sans-serif";
/// Programs with a dark palette show dark letters, where they know style sheets; others do as they like.
const DARK: &str = "
    :root { color-scheme: light dark; supported-color-schemes: light dark; }
    a { color: #1f5fbf; }
    @media (prefers-color-scheme: dark) {
        body, .Page, .Page div, .Page table { background-color: #101418 !important; }
        .Page * { color: #e8eaed !important; }
        .Page .Quiet, .Page .Quiet * { color: #aab2bd !important; }
        .Page a { color: #8ab4f8 !important; }
        .Page .Rule p { border-top-color: #3c4450 !important; }
    }";

/// An issue that is ready to be sent to anybody.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Rendered {
    kind: Kind,
    pub(crate) subject: String,
    html: String,
    text: String,
    /// The site's host, for the list's id (RFC 2919).
    host: String,
    /// Where anybody can unsubscribe, with the mark in place of the token.
    unsubscribe: String,
    /// Stands for the recipient's token until the letter is written.
    mark: String,
}

/// Who gets a letter.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Recipient<'a> {
    pub(crate) email: &'a str,
    /// In the links of their mails.
    pub(crate) token: &'a str,
}

impl Rendered {
    /// Renders an issue; `id` is that of its page, which it has once it is being sent.
    ///
    /// # Errors
    /// What is wrong with it: its markup, or its size.
    pub(crate) fn new(
        site: &Site,
        kind: Kind,
        id: Option<i64>,
        content: &Content,
    ) -> Result<Self, String> {
        let links = Links::new(site, kind, id);
        let html = html_of(site, kind, content, &footer(site, kind, &links))?;
        if html.len() > MOST_BYTES {
            let bytes = html.len();
            return Err(format!(
                "The letter has {bytes} bytes, more than {MOST_BYTES}."
            ));
        }
        Ok(Self {
            kind,
            subject: content.subject.clone(),
            html,
            text: text(site, kind, content, &links),
            host: site.origin.host().to_owned(),
            unsubscribe: links.unsubscribe,
            mark: site.mark.clone(),
        })
    }

    /// The letter to a recipient; `None` if no mail server takes the address.
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
                // RFC 8058.
                header(
                    "List-Unsubscribe-Post",
                    "List-Unsubscribe=One-Click".to_owned(),
                ),
                header("Precedence", "bulk".to_owned()),
                // Holiday notes and the like shall not answer (RFC 3834, 5).
                header("Auto-Submitted", "auto-generated".to_owned()),
            ],
        })
    }
}

/// The page of an issue, for everybody.
///
/// # Errors
/// As for a letter.
pub(crate) fn page(site: &Site, kind: Kind, content: &Content) -> Result<String, String> {
    let links = html! {
        p style="margin:0 0 8px" {
            a href=(site.page("/newsletters/")) { "Get " (kind.title()) " by email" }
            " · "
            a href=(site.page(ARCHIVE)) { "Earlier issues" }
        }
        p style="margin:0" { (sender(site)) }
    };
    let html = html_of(site, kind, content, &links)?;
    // A letter is an article within a program that shows mail; here it is the page's own matter.
    Ok(html.replacen(LETTER_ROLE, "class=\"Page\" role=\"main\"", 1))
}

fn html_of(site: &Site, kind: Kind, content: &Content, footer: &Markup) -> Result<String, String> {
    let mjml = mjml(site, kind, content, footer).into_string();
    // Nothing is included: no loader reads files or calls servers.
    let parsed = mrml::parse_with_options(&mjml, &ParserOptions::default())
        .map_err(|error| error.to_string())?;
    let options = RenderOptions {
        disable_comments: true,
        // A font from elsewhere would tell its server who opens the letter.
        fonts: std::collections::HashMap::default(),
        ..RenderOptions::default()
    };
    let html = parsed.element.render(&options);
    html.map_err(|error| error.to_string())
}

struct Links {
    unsubscribe: String,
    preferences: String,
    /// The issue's page.
    page: Option<String>,
}

impl Links {
    fn new(site: &Site, kind: Kind, id: Option<i64>) -> Self {
        let at = |path: String| format!("{}{path}", site.origin.as_str());
        let mark = &site.mark;
        Self {
            unsubscribe: at(format!(
                "/newsletters/unsubscribe/{mark}/?kind={}",
                kind.name()
            )),
            preferences: at(format!("/newsletters/preferences/{mark}/")),
            page: id.map(|id| at(format!("{ARCHIVE}{id}/"))),
        }
    }
}

fn mjml(site: &Site, kind: Kind, content: &Content, footer: &Markup) -> Markup {
    html! {
        mjml lang="en" {
            mj-head {
                mj-title { (content.subject) }
                mj-preview { (content.preheader) }
                mj-attributes {
                    mj-all font-family=(FONTS) {}
                    mj-text font-size="16px" line-height="1.5" color="#202124" padding="8px 24px" {}
                    mj-section padding="0" {}
                    mj-column padding="0" {}
                    mj-image padding="16px 24px 0" border-radius="8px" {}
                    mj-divider border-width="1px" border-color="#dfe1e5" padding="16px 24px 8px" {}
                }
                mj-raw {
                    meta name="color-scheme" content="light dark";
                    meta name="supported-color-schemes" content="light dark";
                }
                mj-style { (PreEscaped(DARK)) }
            }
            mj-body background-color="#ffffff" width="600px" css-class="Page" {
                (masthead(site, kind))
                @if !content.text_markdown.is_empty() {
                    mj-section { mj-column {
                        mj-text { (PreEscaped(markup::render(&content.text_markdown))) }
                    } }
                }
                @for section in &content.sections { (things(site, section)) }
                mj-section { mj-column {
                    mj-divider css-class="Rule" {}
                    mj-text font-size="13px" color="#5f6368" padding="8px 24px 32px" css-class="Quiet" { (footer) }
                } }
            }
        }
    }
}

fn masthead(site: &Site, kind: Kind) -> Markup {
    html! {
        mj-section { mj-column {
            mj-text font-size="14px" padding="24px 24px 0" css-class="Quiet" color="#5f6368" {
                a href=(site.origin.as_str()) style="color:#5f6368;text-decoration:none" { (site.name) }
            }
            mj-text font-size="28px" line-height="1.2" padding="0 24px 8px" {
                h1 style="margin:0;font-size:28px;font-weight:700" { (kind.title()) }
            }
        } }
    }
}

fn things(site: &Site, section: &Section) -> Markup {
    html! {
        @if !section.heading.is_empty() {
            mj-section { mj-column {
                mj-text padding="24px 24px 0" {
                    h2 style="margin:0;font-size:20px;line-height:1.3" { (section.heading) }
                }
            } }
        }
        @for item in &section.items { (thing(site, item, section.heading.is_empty())) }
    }
}

fn thing(site: &Site, item: &Item, is_below_title: bool) -> Markup {
    let address = site.page(&item.path);
    let style = "margin:0;font-size:18px;line-height:1.35";
    let title = html! {
        a href=(address) style="color:#1f5fbf;text-decoration:none" { (item.title) }
    };
    html! {
        mj-section { mj-column {
            @if let Some(image) = &item.image {
                mj-image href=(address) src=(absolute(site, image)) alt=(item.title) width="552px" {}
            }
            mj-text {
                @if !item.label.is_empty() {
                    p class="Quiet" style="margin:0;font-size:13px;color:#5f6368" { (item.label) }
                }
                @if is_below_title { h2 style=(style) { (title) } } @else { h3 style=(style) { (title) } }
                @if !item.text.is_empty() { p style="margin:4px 0 0" { (item.text) } }
            }
        } }
    }
}

fn footer(site: &Site, kind: Kind, links: &Links) -> Markup {
    html! {
        p style="margin:0 0 8px" { (reason(site, kind)) }
        p style="margin:0 0 8px" {
            a href=(links.unsubscribe) { "Unsubscribe" }
            " · "
            a href=(links.preferences) { "Choose what you get" }
            @if let Some(page) = &links.page {
                " · "
                a href=(page) { "View in a browser" }
            }
        }
        p style="margin:0" { (sender(site)) }
    }
}

/// Why somebody gets it, which the law asks for, as it does for the sender's postal address.
fn reason(site: &Site, kind: Kind) -> String {
    format!(
        "You get {} because you have asked {} for it.",
        kind.title(),
        site.name
    )
}

fn sender(site: &Site) -> String {
    if site.postal_address.is_empty() {
        site.name.clone()
    } else {
        format!("{}, {}", site.name, site.postal_address)
    }
}

fn absolute(site: &Site, image: &str) -> String {
    if image.starts_with('/') {
        site.page(image)
    } else {
        image.to_owned()
    }
}

fn text(site: &Site, kind: Kind, content: &Content, links: &Links) -> String {
    let mut paragraphs = vec![format!("{} · {}", kind.title(), site.name)];
    if !content.text_markdown.is_empty() {
        paragraphs.push(content.text_markdown.trim().to_owned());
    }
    for section in &content.sections {
        if !section.heading.is_empty() {
            paragraphs.push(section.heading.to_uppercase());
        }
        for item in &section.items {
            let address = site.page(&item.path);
            let told = [&item.label, &item.title, &item.text, &address].map(String::as_str);
            let told: Vec<_> = told.into_iter().filter(|line| !line.is_empty()).collect();
            paragraphs.push(told.join("\n"));
        }
    }
    let Links {
        unsubscribe,
        preferences,
        page,
    } = links;
    let page = page.as_ref();
    let page = page.map(|page| format!("View in a browser: {page}\n"));
    paragraphs.push(format!(
        "-- \n{}\nUnsubscribe: {unsubscribe}\nChoose what you get: {preferences}\n{}{}",
        reason(site, kind),
        page.unwrap_or_default(),
        sender(site),
    ));
    paragraphs.join("\n\n") + "\n"
}

#[cfg(test)]
mod tests {
    use chassis::origin::Origin;

    use super::*;

    const MARK: &str = "m4rk";

    fn site() -> Site {
        Site {
            name: "City & Guide".to_owned(),
            origin: Origin::parse("https://guide.example").expect("an origin"),
            postal_address: "1 Queen Street, Toronto".to_owned(),
            mark: MARK.to_owned(),
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
        let rendered = Rendered::new(&site(), Kind::News, Some(12), content).expect("renders");
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
        let most = content(super::super::composing::MOST_ITEMS, &longest);
        let mail = mail(&most);
        assert!(mail.html.is_some());
        let more = Content {
            text_markdown: "word ".repeat(MOST_BYTES / 5),
            ..most
        };
        let refused = Rendered::new(&site(), Kind::News, None, &more).expect_err("too large");
        assert!(refused.contains("more than 100000"), "{refused}");
    }
}
