//! Reads the parts of an export one at a time.

use std::io::BufRead;

use chrono::{DateTime, NaiveDateTime, Utc};
use url::Url;

use super::super::super::xml::{Token, Xml};

pub(super) enum Part {
    /// The element that marks the file as an export.
    Version,
    /// An address of the site.
    Site(String),
    Author {
        login: String,
        name: String,
    },
    Item(Box<Item>),
}

/// A post, page, picture or other object of the former site.
#[derive(Debug, Default)]
pub(super) struct Item {
    pub(super) id: u64,
    pub(super) kind: String,
    pub(super) status: String,
    pub(super) title: String,
    pub(super) link: String,
    pub(super) slug: String,
    pub(super) author: String,
    pub(super) content: String,
    pub(super) excerpt: String,
    pub(super) parent: u64,
    pub(super) has_password: bool,
    /// GMT; empty or zeros if it was never published.
    date_gmt: String,
    /// Local time of the site.
    pub(super) date: String,
    pub(super) attachment_address: String,
    /// Alternative text of a picture.
    pub(super) alternative: String,
    /// Id of the picture on the item's card.
    pub(super) thumbnail: Option<u64>,
    /// Slugs and names of categories.
    pub(super) categories: Vec<[String; 2]>,
    pub(super) tags: Vec<String>,
}

/// Maximum number of terms of an item.
const MAX_TERMS: usize = 200;

impl Item {
    /// Returns the publication time in GMT.
    pub(super) fn published_at(&self) -> Option<DateTime<Utc>> {
        time(&self.date_gmt).map(|at| at.and_utc())
    }

    /// Returns the item's former addresses: the path, and the numeric address if the site has the whole host.
    pub(super) fn addresses(&self, is_whole_host: bool) -> Vec<String> {
        let mut addresses = Vec::new();
        if is_whole_host {
            addresses.push(format!("/?p={}", self.id));
        }
        if let Ok(url) = Url::parse(&self.link)
            && url.query().is_none()
        {
            let parts = url.path().split('/').filter(|part| !part.is_empty());
            let path: Vec<&str> = parts.collect();
            if !path.is_empty() {
                addresses.push(format!("/{}/", path.join("/")));
            }
        }
        addresses
    }
}

/// Parses a time in WordPress's format; `None` for zeros.
pub(super) fn time(text: &str) -> Option<NaiveDateTime> {
    NaiveDateTime::parse_from_str(text.trim(), "%Y-%m-%d %H:%M:%S").ok()
}

/// Passes every part with its position to `take`.
pub(super) fn parts(
    file: impl BufRead,
    mut take: impl FnMut(String, Part) -> Result<(), String>,
) -> Result<(), String> {
    let mut xml = Xml::new(file);
    while let Some(token) = xml.next()? {
        let Token::Start(name, _) = token else {
            continue;
        };
        let at = xml.position();
        match name.as_str() {
            "rss" | "channel" => {}
            "item" => {
                let item = item(&mut xml)?;
                take(at, Part::Item(Box::new(item)))?;
            }
            "wp:author" => {
                let (login, name) = author(&mut xml)?;
                take(at, Part::Author { login, name })?;
            }
            "wp:wxr_version" => {
                xml.text()?;
                take(at, Part::Version)?;
            }
            "link" | "wp:base_blog_url" => {
                let address = xml.text()?;
                take(at, Part::Site(address))?;
            }
            _ => skip(&mut xml)?,
        }
    }
    Ok(())
}

/// Skips the current element.
fn skip(xml: &mut Xml<impl BufRead>) -> Result<(), String> {
    each_child(xml, |xml, _, _| skip(xml))
}

/// Passes each child of the current element, by its name and attributes, to a function that reads it to its end.
fn each_child<R: BufRead>(
    xml: &mut Xml<R>,
    mut read: impl FnMut(&mut Xml<R>, &str, &[[String; 2]]) -> Result<(), String>,
) -> Result<(), String> {
    while let Some(token) = xml.next()? {
        match token {
            Token::Start(name, attributes) => read(xml, &name, &attributes)?,
            Token::End => break,
            Token::Text(_) => {}
        }
    }
    Ok(())
}

fn author(xml: &mut Xml<impl BufRead>) -> Result<(String, String), String> {
    let (mut login, mut name) = (String::new(), String::new());
    each_child(xml, |xml, child, _| {
        match child {
            "wp:author_login" => login = xml.text()?,
            "wp:author_display_name" => name = xml.text()?,
            _ => skip(xml)?,
        }
        Ok(())
    })?;
    Ok((login.trim().to_owned(), name.trim().to_owned()))
}

fn item(xml: &mut Xml<impl BufRead>) -> Result<Item, String> {
    let mut item = Item::default();
    each_child(xml, |xml, name, attributes| {
        let number = |text: String| text.trim().parse().unwrap_or_default();
        let word = |text: String| text.trim().to_owned();
        match name {
            "title" => item.title = xml.text()?,
            "link" => item.link = word(xml.text()?),
            "dc:creator" => item.author = word(xml.text()?),
            "content:encoded" => item.content = xml.text()?,
            "excerpt:encoded" => item.excerpt = xml.text()?,
            "category" => {
                let text = xml.text()?;
                item.add_term(attributes, &text);
            }
            "wp:post_id" => item.id = number(xml.text()?),
            "wp:post_parent" => item.parent = number(xml.text()?),
            "wp:post_type" => item.kind = word(xml.text()?),
            "wp:status" => item.status = word(xml.text()?),
            "wp:post_name" => item.slug = word(xml.text()?),
            "wp:post_date" => item.date = word(xml.text()?),
            "wp:post_date_gmt" => item.date_gmt = word(xml.text()?),
            "wp:post_password" => item.has_password = !xml.text()?.trim().is_empty(),
            "wp:attachment_url" => item.attachment_address = word(xml.text()?),
            "wp:postmeta" => item.add_meta(&meta(xml)?),
            _ => skip(xml)?,
        }
        Ok(())
    })?;
    Ok(item)
}

fn meta(xml: &mut Xml<impl BufRead>) -> Result<[String; 2], String> {
    let mut meta = [String::new(), String::new()];
    each_child(xml, |xml, name, _| {
        match name {
            "wp:meta_key" => meta[0] = xml.text()?,
            "wp:meta_value" => meta[1] = xml.text()?,
            _ => skip(xml)?,
        }
        Ok(())
    })?;
    Ok(meta)
}

impl Item {
    fn add_meta(&mut self, [key, value]: &[String; 2]) {
        match key.trim() {
            "_thumbnail_id" => self.thumbnail = value.trim().parse().ok(),
            "_wp_attachment_image_alt" => value.trim().clone_into(&mut self.alternative),
            _ => {}
        }
    }

    fn add_term(&mut self, attributes: &[[String; 2]], name: &str) {
        let attribute = |wanted: &str| {
            let found = attributes.iter().find(|[key, _]| key == wanted);
            found.map_or("", |[_, value]| value.as_str())
        };
        let is_full = self.categories.len() + self.tags.len() >= MAX_TERMS;
        match attribute("domain") {
            _ if is_full => {}
            "category" => {
                let slug = attribute("nicename").to_owned();
                self.categories.push([slug, name.trim().to_owned()]);
            }
            "post_tag" => self.tags.push(name.trim().to_owned()),
            _ => {}
        }
    }
}
