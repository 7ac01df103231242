//! The forms in which articles come.

use std::io::{BufRead, Read as _};

use struson::reader::JsonReader as _;

use super::{super::json::Json, elements::Elements, feeds::FeedForm};
use crate::text_files;

/// The beginning of a file in which its first sign is looked for, in bytes.
const HEAD: u64 = 4096;
/// The beginning of the namespaces of `WordPress`'s exports, after their scheme: there are exports with either.
const EXPORT: &str = "wordpress.org/export/";
/// What is said of a file of another form.
const NEITHER: &str =
    "it is neither an export of WordPress or Ghost nor a feed (RSS 2.0, Atom, JSON Feed)";

/// What a file is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Form {
    WordPress,
    Ghost,
    Feed(FeedForm),
}

impl Form {
    /// The form of a file that is opened as often as it is read; or why it has none.
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

/// The form of a file of JSON, which the first name in it tells. What cannot be read is a feed, whose reader says why.
fn json(file: impl BufRead) -> Form {
    let mut json = Json::new(file);
    let first = json.reader.begin_object();
    let first = first.and_then(|()| json.reader.next_name_owned());
    match first.as_deref() {
        Ok("db" | "meta" | "data") => Form::Ghost,
        _ => Form::Feed(FeedForm::Json),
    }
}

/// The form of a file of XML. A file that says that it is an export says so before its first item.
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
