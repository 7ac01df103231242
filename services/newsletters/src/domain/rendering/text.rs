//! Renders emails as plain text.

use vocabulary::newsletters::Kind;

use super::things::{Links, Things, reason, sender};

/// Renders the same items as the HTML, with their addresses.
pub(super) fn text(kind: Kind, all: &Things<'_>, links: &Links) -> String {
    let Things { site, content, .. } = *all;
    let mut paragraphs = vec![format!("{} · {}", kind.title(), site.name)];
    if !content.text_markdown.is_empty() {
        paragraphs.push(content.text_markdown.trim().to_owned());
    }
    for (heading, items) in all.sections() {
        if !heading.is_empty() {
            paragraphs.push(heading.to_uppercase());
        }
        for (address, item) in items {
            let parts = [&item.label, &item.title, &item.text, &address];
            let parts = parts.into_iter().filter(|text| !text.is_empty());
            paragraphs.push(parts.map(String::as_str).collect::<Vec<_>>().join("\n"));
        }
    }
    let Links {
        unsubscribe,
        preferences,
        page,
        ..
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
