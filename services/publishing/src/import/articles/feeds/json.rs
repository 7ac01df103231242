//! JSON Feed 1.1 and 1.0.

use std::io::Read;

use serde_json::Value;
use struson::reader::JsonReader as _;

use super::{
    super::super::json::{Json, expect, position},
    entry::{Entry, Part, Text},
};

/// Version URL of all JSON feeds, without http or https.
const VERSION: &str = "//jsonfeed.org/version/1";

/// Passes every part of a feed to `take`.
pub(super) fn parts(
    file: impl Read,
    take: &mut impl FnMut(Part) -> Result<(), String>,
) -> Result<(), String> {
    let mut json = Json::new(file);
    let mut is_feed = false;
    expect(json.reader.begin_object(), "an object")?;
    while expect(json.reader.has_next(), "a name")? {
        json.begin();
        let name = expect(json.reader.next_name_owned(), "a name")?;
        match name.as_str() {
            "version" => {
                is_feed = string(&json.value()?).contains(VERSION);
            }
            "home_page_url" => take(Part::Site(string(&json.value()?)))?,
            "authors" | "author" => {
                for name in names(&json.value()?) {
                    take(Part::Author(name))?;
                }
            }
            "items" => items(&mut json, take)?,
            _ => {
                json.value()?;
            }
        }
    }
    expect(json.reader.end_object(), "the end of the object")?;
    json.end()?;
    if is_feed {
        Ok(())
    } else {
        Err(format!(
            "it is no JSON Feed: its version is not https:{VERSION}"
        ))
    }
}

fn items(
    json: &mut Json<impl Read>,
    take: &mut impl FnMut(Part) -> Result<(), String>,
) -> Result<(), String> {
    expect(json.reader.begin_array(), "a list of items")?;
    while expect(json.reader.has_next(), "an item")? {
        let at = position(&json.reader);
        let item = json.value()?;
        take(Part::Entry(at, Box::new(entry(&item))))?;
    }
    expect(json.reader.end_array(), "the end of the items")
}

fn entry(item: &Value) -> Entry {
    let of = |name: &str| string(&item[name]);
    let html = of("content_html");
    let mut entry = Entry {
        // Ids are strings in version 1.1, and strings or numbers in version 1.0.
        id: of("id").trim().to_owned(),
        link: of("url").trim().to_owned(),
        title: plain(of("title")),
        content: if html.trim().is_empty() {
            plain(of("content_text"))
        } else {
            Text::Html(html)
        },
        summary: plain(of("summary")),
        published: of("date_published"),
        updated: of("date_modified"),
        ..Entry::default()
    };
    for name in names(&item["authors"]).chain(names(&item["author"])) {
        entry.add_author(&name);
    }
    for tag in list(&item["tags"]) {
        entry.add_category(&string(tag), "");
    }
    for picture in [&item["image"], &item["banner_image"]] {
        entry.add_file(string(picture).trim(), "", "image");
    }
    for file in list(&item["attachments"]) {
        let of = |name: &str| string(&file[name]);
        entry.add_file(of("url").trim(), &of("mime_type"), "");
    }
    if entry.content.is_empty() {
        entry.content = std::mem::take(&mut entry.summary);
    }
    entry
}

fn plain(text: String) -> Text {
    if text.is_empty() {
        Text::None
    } else {
        Text::Plain(text)
    }
}

/// Converts a scalar value to text.
fn string(value: &Value) -> String {
    match value {
        Value::String(text) => text.clone(),
        Value::Number(number) => number.to_string(),
        _ => String::new(),
    }
}

fn list(value: &Value) -> &[Value] {
    value.as_array().map_or(&[], Vec::as_slice)
}

/// Returns the names of one author (1.0) or several authors.
fn names(value: &Value) -> impl Iterator<Item = String> {
    let authors = match value {
        Value::Array(authors) => authors.as_slice(),
        author => std::slice::from_ref(author),
    };
    let names = authors.iter().map(|author| string(&author["name"]));
    names.filter(|name| !name.is_empty())
}
