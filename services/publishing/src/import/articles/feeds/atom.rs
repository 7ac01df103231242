//! Atom feeds (RFC 4287) of blogs, and Blogger's backups.

use std::io::BufRead;

use super::{
    super::elements::{Attributes, Elements, attribute},
    entry::{Entry, EntryKind, Part, Text},
    media,
};

/// Category scheme with which Blogger marks the kind of an entry.
const KIND: &str = "http://schemas.google.com/g/2005#kind";

/// Reads a feed from its root element and passes every part to `take`.
pub(super) fn parts<R: BufRead>(
    feed: &mut Elements<R>,
    take: &mut impl FnMut(Part) -> Result<(), String>,
) -> Result<(), String> {
    while let Some((name, attributes)) = feed.child()? {
        match name.as_str() {
            "atom:link" => {
                if is_page(&attributes) {
                    take(Part::Site(attribute(&attributes, "href").to_owned()))?;
                }
                feed.skip()?;
            }
            "atom:author" => take(Part::Author(person(feed)?))?,
            "atom:entry" => {
                let position = feed.position();
                let entry = entry(feed)?;
                take(Part::Entry(position, Box::new(entry)))?;
            }
            _ => feed.skip()?,
        }
    }
    Ok(())
}

fn entry<R: BufRead>(feed: &mut Elements<R>) -> Result<Entry, String> {
    let mut entry = Entry::default();
    while let Some((name, attributes)) = feed.child()? {
        match name.as_str() {
            "atom:id" => feed.text()?.trim().clone_into(&mut entry.id),
            "atom:title" => entry.title = text(feed, &attributes)?,
            "atom:summary" => entry.summary = text(feed, &attributes)?,
            "atom:content" => entry.content = text(feed, &attributes)?,
            "atom:published" => entry.published = feed.text()?,
            "atom:updated" => entry.updated = feed.text()?,
            "atom:author" => entry.add_author(&person(feed)?),
            "atom:category" => {
                category(&mut entry, &attributes);
                feed.skip()?;
            }
            "atom:link" => {
                link(&mut entry, &attributes);
                feed.skip()?;
            }
            "app:control" => entry.is_draft |= is_draft(feed)?,
            "blogger:status" => entry.is_draft |= feed.text()?.trim() != "LIVE",
            "blogger:type" => entry.kind = kind(&feed.text()?),
            _ => media::read(&mut entry, feed, &name, &attributes)?,
        }
    }
    if entry.content.is_empty() {
        entry.content = std::mem::take(&mut entry.summary);
    }
    Ok(entry)
}

/// Reads a text according to its type. External content, and types other than text and HTML, are ignored.
fn text<R: BufRead>(feed: &mut Elements<R>, attributes: &Attributes) -> Result<Text, String> {
    Ok(match attribute(attributes, "type") {
        "" | "text" | "text/plain" => Text::Plain(feed.text()?),
        "html" | "text/html" => Text::Html(feed.text()?),
        "xhtml" | "application/xhtml+xml" => Text::Html(feed.markup()?),
        _ => {
            feed.skip()?;
            Text::None
        }
    })
}

fn person<R: BufRead>(feed: &mut Elements<R>) -> Result<String, String> {
    let mut person = String::new();
    while let Some((name, _)) = feed.child()? {
        match name.as_str() {
            "atom:name" => person = feed.text()?,
            _ => feed.skip()?,
        }
    }
    Ok(person)
}

fn is_draft<R: BufRead>(feed: &mut Elements<R>) -> Result<bool, String> {
    let mut is_draft = false;
    while let Some((name, _)) = feed.child()? {
        match name.as_str() {
            "app:draft" => is_draft = feed.text()?.trim() == "yes",
            _ => feed.skip()?,
        }
    }
    Ok(is_draft)
}

fn category(entry: &mut Entry, attributes: &Attributes) {
    let term = attribute(attributes, "term");
    if attribute(attributes, "scheme") == KIND {
        entry.kind = kind(term.rsplit('#').next().unwrap_or_default());
    } else {
        entry.add_category(term, attribute(attributes, "label"));
    }
}

fn kind(name: &str) -> EntryKind {
    match name.trim().to_ascii_lowercase().as_str() {
        "post" => EntryKind::Post,
        "page" => EntryKind::Page,
        other => EntryKind::Other(other.to_owned()),
    }
}

/// Whether a link points to the HTML page of the entry.
fn is_page(attributes: &Attributes) -> bool {
    let kind = attribute(attributes, "type");
    matches!(attribute(attributes, "rel"), "" | "alternate")
        && matches!(kind, "" | "text/html" | "application/xhtml+xml")
}

fn link(entry: &mut Entry, attributes: &Attributes) {
    let address = attribute(attributes, "href");
    if attribute(attributes, "rel") == "enclosure" {
        entry.add_file(address, attribute(attributes, "type"), "");
    } else if is_page(attributes) && entry.link.is_empty() {
        address.clone_into(&mut entry.link);
    }
}
