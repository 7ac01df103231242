//! RSS 2.0 and its common extensions.

use std::io::BufRead;

use super::{
    super::elements::{Attributes, Elements, attribute},
    entry::{Entry, Part, Text},
    media,
};

/// Reads a feed from its root element and passes every part to `take`.
pub(super) fn parts<R: BufRead>(
    feed: &mut Elements<R>,
    take: &mut impl FnMut(Part) -> Result<(), String>,
) -> Result<(), String> {
    while let Some((name, _)) = feed.child()? {
        match name.as_str() {
            "channel" => channel(feed, take)?,
            _ => feed.skip()?,
        }
    }
    Ok(())
}

fn channel<R: BufRead>(
    feed: &mut Elements<R>,
    take: &mut impl FnMut(Part) -> Result<(), String>,
) -> Result<(), String> {
    loop {
        let Some((name, _)) = feed.child()? else {
            return Ok(());
        };
        match name.as_str() {
            "link" => take(Part::Site(feed.text()?))?,
            "item" => {
                let position = feed.position();
                let entry = item(feed)?;
                take(Part::Entry(position, Box::new(entry)))?;
            }
            _ => feed.skip()?,
        }
    }
}

fn item<R: BufRead>(feed: &mut Elements<R>) -> Result<Entry, String> {
    let mut entry = Entry::default();
    let mut is_permalink = false;
    let mut description = String::new();
    let mut encoded = String::new();
    while let Some((name, attributes)) = feed.child()? {
        match name.as_str() {
            "guid" => {
                is_permalink = attribute(&attributes, "isPermaLink") != "false";
                entry.id = word(feed)?;
            }
            "link" => entry.link = word(feed)?,
            "title" => entry.title = Text::Either(feed.text()?),
            "description" => description = feed.text()?,
            "content:encoded" => encoded = feed.text()?,
            "dc:creator" => entry.add_author(&feed.text()?),
            "author" => {
                let author = feed.text()?;
                entry.add_author(named(&author));
            }
            "category" | "dc:subject" => {
                let category = feed.text()?;
                entry.add_category(&category, "");
            }
            "pubDate" => entry.published = feed.text()?,
            "dc:date" if entry.published.is_empty() => entry.published = feed.text()?,
            "atom:updated" => entry.updated = feed.text()?,
            "enclosure" => enclosure(&mut entry, feed, &attributes)?,
            _ => media::read(&mut entry, feed, &name, &attributes)?,
        }
    }
    if entry.link.is_empty() && is_permalink && entry.id.starts_with("http") {
        entry.link.clone_from(&entry.id);
    }
    if encoded.trim().is_empty() {
        // An empty description does not replace a video's media description.
        if !description.trim().is_empty() {
            entry.content = Text::Either(description);
        }
    } else {
        entry.content = Text::Html(encoded);
        entry.summary = Text::Either(description);
    }
    Ok(entry)
}

fn word<R: BufRead>(feed: &mut Elements<R>) -> Result<String, String> {
    Ok(feed.text()?.trim().to_owned())
}

/// Returns an author's name, which RSS writes as "mail@example.com (Name)"; empty for an email address alone, as it
/// must not be published.
fn named(author: &str) -> &str {
    let in_parentheses = author
        .split_once('(')
        .and_then(|(_, rest)| rest.rsplit_once(')'));
    match in_parentheses {
        Some((name, _)) => name,
        None if author.contains('@') => "",
        None => author,
    }
}

fn enclosure<R: BufRead>(
    entry: &mut Entry,
    feed: &mut Elements<R>,
    attributes: &Attributes,
) -> Result<(), String> {
    entry.add_file(
        attribute(attributes, "url"),
        attribute(attributes, "type"),
        "",
    );
    feed.skip()
}
