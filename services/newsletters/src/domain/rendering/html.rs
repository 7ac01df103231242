//! Renders emails as HTML from MJML.

use chassis::markup;
use maud::{Markup, PreEscaped, html};
use mrml::prelude::{parser::ParserOptions, render::RenderOptions};
use vocabulary::newsletters::Kind;

use super::{
    super::{Site, issue::Item},
    things::{Links, Things, reason, sender},
};

const FONTS: &str = "system-ui, -apple-system, 'Segoe UI', Roboto, Helvetica, Arial, sans-serif";
/// Adapts colours to dark mode in mail programs that support style sheets. Alternative texts of blocked pictures use
/// the same fonts as other texts.
const STYLE: &str = "
    :root { color-scheme: light dark; supported-color-schemes: light dark; }
    a { color: {color}; }
    img { font-family: {fonts}; }
    @media (prefers-color-scheme: dark) {
        body, .Page, .Page div, .Page table { background-color: #101418 !important; }
        .Page * { color: #e8eaed !important; }
        .Page .Quiet, .Page .Quiet * { color: #aab2bd !important; }
        .Page a { color: #8ab4f8 !important; }
        .Page .Rule p { border-top-color: #3c4450 !important; }
    }";

/// Renders a complete document, with the footer below the content.
///
/// # Errors
/// Invalid markup.
pub(super) fn html_of(kind: Kind, things: &Things<'_>, footer: &Markup) -> Result<String, String> {
    let mjml = mjml(kind, things, footer).into_string();
    // Without a loader, MJML cannot include files or URLs.
    let parsed = mrml::parse_with_options(&mjml, &ParserOptions::default())
        .map_err(|error| error.to_string())?;
    let options = RenderOptions {
        disable_comments: true,
        // Web fonts would disclose to their server that the email was opened.
        fonts: std::collections::HashMap::default(),
        ..RenderOptions::default()
    };
    let html = parsed.element.render(&options);
    html.map_err(|error| error.to_string())
}

fn mjml(kind: Kind, all: &Things<'_>, footer: &Markup) -> Markup {
    let Things { site, content, .. } = *all;
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
                mj-style { (PreEscaped(STYLE.replace("{fonts}", FONTS).replace("{color}", site.color))) }
            }
            mj-body background-color="#ffffff" width="600px" css-class="Page" {
                (masthead(site, kind))
                @if !content.text_markdown.is_empty() {
                    mj-section { mj-column {
                        mj-text { (PreEscaped(markup::render(&content.text_markdown))) }
                    } }
                }
                @for (heading, items) in all.sections() { (things(site, heading, &items)) }
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

fn things(site: &Site, heading: &str, items: &[(String, &Item)]) -> Markup {
    html! {
        @if !heading.is_empty() {
            mj-section { mj-column {
                mj-text padding="24px 24px 0" {
                    h2 style="margin:0;font-size:20px;line-height:1.3" { (heading) }
                }
            } }
        }
        @for (address, item) in items { (thing(site, address, item, heading.is_empty())) }
    }
}

fn thing(site: &Site, address: &str, item: &Item, is_below_title: bool) -> Markup {
    let style = "margin:0;font-size:18px;line-height:1.35";
    let link = format!("color:{};text-decoration:none", site.color);
    let title = html! { a href=(address) style=(link) { (item.title) } };
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

/// The footer of each email.
pub(super) fn footer(site: &Site, kind: Kind, links: &Links) -> Markup {
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

fn absolute(site: &Site, image: &str) -> String {
    if image.starts_with('/') {
        site.page(image)
    } else {
        image.to_owned()
    }
}
