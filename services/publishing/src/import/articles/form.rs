//! Formats of article files.

use std::io::{BufRead, Read as _};

use struson::reader::JsonReader as _;

use super::{super::json::Json, elements::Elements, feeds::FeedForm};
use crate::text_files;

/// Number of initial bytes that are searched for the first character.
const HEAD: u64 = 4096;
/// Prefix of the namespaces of `WordPress` exports, without http or https, as both occur.
const EXPORT: &str = "wordpress.org/export/";
/// Error for a file in another format.
const NEITHER: &str =
    "it is neither an export of WordPress or Ghost nor a feed (RSS 2.0, Atom, JSON Feed)";

/// The format of a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Form {
    WordPress,
    Ghost,
    Feed(FeedForm),
}

impl Form {
    /// Detects the format of a file, which `open` may open several times; fails for an unknown format.
    pub(super) fn of<R: BufRead>(open: impl Fn() -> Result<R, String>) -> Result<Self, String> {
        let mut head = Vec::new();
        let read = open()?.take(HEAD).read_to_end(&mut head);
        read.map_err(|error| error.to_string())?;
        if text_files::is_utf_16(&head) {
            return Err("its encoding is UTF-16, and only UTF-8 is read".to_owned());
        }
        match head.trim_ascii_start().first() {
            Some(b'<') => xml(&mut Elements::new(open()?)),
            Some(b'{') => Ok(json(open()?)),
            _ => Err(NEITHER.to_owned()),
        }
    }
}

/// Detects the format of a JSON file by its first key. An unreadable file counts as a feed, whose reader reports the
/// error.
fn json(file: impl BufRead) -> Form {
    let mut json = Json::new(file);
    let first = json.reader.begin_object();
    let first = first.and_then(|()| json.reader.next_name_owned());
    match first.as_deref() {
        Ok("db" | "meta" | "data") => Form::Ghost,
        _ => Form::Feed(FeedForm::Json),
    }
}

/// Detects the format of an XML file. An export identifies itself before its first item.
fn xml(file: &mut Elements<impl BufRead>) -> Result<Form, String> {
    let Some((root, attributes)) = file.child()? else {
        return Err(NEITHER.to_owned());
    };
    let is_export = attributes.iter().any(|[name, value]| {
        let after = |scheme| value.strip_prefix(scheme);
        let namespace = after("http://").or_else(|| after("https://"));
        name.starts_with("xmlns") && namespace.is_some_and(|rest| rest.starts_with(EXPORT))
    });
    match root.as_str() {
        "atom:feed" => return Ok(Form::Feed(FeedForm::Atom)),
        "rss" if is_export => return Ok(Form::WordPress),
        "rss" => {}
        _ => return Err(format!("{NEITHER}: it begins with <{root}>")),
    }
    while let Some((name, _)) = file.child()? {
        if name != "channel" {
            file.skip()?;
            continue;
        }
        while let Some((name, _)) = file.child()? {
            match name.as_str() {
                "wp:wxr_version" => return Ok(Form::WordPress),
                "item" => return Ok(Form::Feed(FeedForm::Rss)),
                _ => file.skip()?,
            }
        }
    }
    Ok(Form::Feed(FeedForm::Rss))
}
