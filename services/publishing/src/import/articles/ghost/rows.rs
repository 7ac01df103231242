//! Reads the rows of an export one at a time. An export is a database dump: tables by name, in any order, each with a
//! list of rows.

use std::io::Read;

use serde::{Deserialize, Deserializer, de::IgnoredAny};
use struson::reader::{JsonReader as _, ValueType};

use super::super::super::json::{Json, expect, position};

/// A row of a supported table.
pub(super) enum Row {
    Post(Box<Post>),
    Tag(Tag),
    User(User),
    PostTag(PostTag),
    PostAuthor(PostAuthor),
}

/// An id: a string, or a number before version 1.
#[derive(Debug, Clone, Default, PartialEq, Eq, Hash)]
pub(super) struct Id(pub(super) String);

impl<'de> Deserialize<'de> for Id {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        #[derive(Deserialize)]
        #[serde(untagged)]
        enum Raw {
            Number(u64),
            Text(String),
            Other(IgnoredAny),
        }
        Ok(Self(match Raw::deserialize(deserializer)? {
            Raw::Number(number) => number.to_string(),
            Raw::Text(text) => text.trim().to_owned(),
            Raw::Other(_) => String::new(),
        }))
    }
}

/// A text; empty for null and for other types.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct Text(pub(super) String);

impl<'de> Deserialize<'de> for Text {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        #[derive(Deserialize)]
        #[serde(untagged)]
        enum Raw {
            Text(String),
            Other(IgnoredAny),
        }
        Ok(Self(match Raw::deserialize(deserializer)? {
            Raw::Text(text) => text,
            Raw::Other(_) => String::new(),
        }))
    }
}

/// A boolean, or 0 and 1.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) struct Flag(pub(super) bool);

impl<'de> Deserialize<'de> for Flag {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        #[derive(Deserialize)]
        #[serde(untagged)]
        enum Raw {
            Truth(bool),
            Number(u64),
            Other(IgnoredAny),
        }
        Ok(Self(match Raw::deserialize(deserializer)? {
            Raw::Truth(truth) => truth,
            Raw::Number(number) => number == 1,
            Raw::Other(_) => false,
        }))
    }
}

/// A time: a string, or milliseconds before version 1; empty if missing.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct Time(pub(super) String);

impl<'de> Deserialize<'de> for Time {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        Id::deserialize(deserializer).map(|Id(text)| Self(text))
    }
}

/// A post or a page.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(super) struct Post {
    pub(super) id: Id,
    pub(super) title: Text,
    pub(super) slug: Text,
    pub(super) html: Text,
    /// Source of the text in Ghost's editors, from which Ghost generates the HTML.
    pub(super) lexical: Text,
    pub(super) mobiledoc: Text,
    /// Source of the text before version 1.
    pub(super) markdown: Text,
    pub(super) feature_image: Text,
    /// Picture before version 1.
    pub(super) image: Text,
    /// "post" or "page".
    pub(super) r#type: Text,
    /// Whether the post is a page, before version 3.
    pub(super) page: Flag,
    pub(super) status: Text,
    pub(super) visibility: Text,
    pub(super) published_at: Time,
    pub(super) created_at: Time,
    pub(super) custom_excerpt: Text,
    /// The only author before version 1.22.
    pub(super) author_id: Id,
}

impl Post {
    pub(super) fn is_page(&self) -> bool {
        self.r#type.0 == "page" || self.page.0
    }
}

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(super) struct Tag {
    pub(super) id: Id,
    pub(super) name: Text,
    pub(super) slug: Text,
    pub(super) visibility: Text,
}

impl Tag {
    /// Whether the tag is internal, which Ghost marks with a #.
    pub(super) fn is_internal(&self) -> bool {
        self.visibility.0 == "internal" || self.name.0.starts_with('#')
    }
}

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(super) struct User {
    pub(super) id: Id,
    pub(super) name: Text,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(super) struct PostTag {
    pub(super) post_id: Id,
    pub(super) tag_id: Id,
    pub(super) sort_order: Option<i64>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(super) struct PostAuthor {
    pub(super) post_id: Id,
    pub(super) author_id: Id,
    pub(super) sort_order: Option<i64>,
}

/// Passes every row of the supported tables to `take` with its position; an invalid row is passed with the reason. An
/// error contains the position at which the file is broken.
pub(super) fn rows(
    file: impl Read,
    mut take: impl FnMut(String, Result<Row, String>) -> Result<(), String>,
) -> Result<(), String> {
    let mut json = Json::new(file);
    let mut has_posts = false;
    expect(json.reader.begin_object(), "an object")?;
    while expect(json.reader.has_next(), "a name")? {
        json.begin();
        let name = expect(json.reader.next_name_owned(), "a name")?;
        match (name.as_str(), expect(json.reader.peek(), "a value")?) {
            ("db", ValueType::Array) => {
                expect(json.reader.begin_array(), "the list of databases")?;
                while expect(json.reader.has_next(), "a database")? {
                    database(&mut json, &mut has_posts, &mut take)?;
                }
                expect(json.reader.end_array(), "the end of the databases")?;
            }
            ("data", ValueType::Object) => tables(&mut json, &mut has_posts, &mut take)?,
            _ => skip(&mut json)?,
        }
    }
    expect(json.reader.end_object(), "the end of the file")?;
    json.end()?;
    if has_posts {
        Ok(())
    } else {
        Err("it is no export of Ghost: it has no table of posts".to_owned())
    }
}

fn database<R: Read>(
    json: &mut Json<R>,
    has_posts: &mut bool,
    take: &mut impl FnMut(String, Result<Row, String>) -> Result<(), String>,
) -> Result<(), String> {
    expect(json.reader.begin_object(), "a database")?;
    while expect(json.reader.has_next(), "a name")? {
        json.begin();
        let name = expect(json.reader.next_name_owned(), "a name")?;
        if name == "data" {
            tables(json, has_posts, take)?;
        } else {
            skip(json)?;
        }
    }
    expect(json.reader.end_object(), "the end of the database")
}

fn tables<R: Read>(
    json: &mut Json<R>,
    has_posts: &mut bool,
    take: &mut impl FnMut(String, Result<Row, String>) -> Result<(), String>,
) -> Result<(), String> {
    expect(json.reader.begin_object(), "the tables")?;
    while expect(json.reader.has_next(), "a table")? {
        json.begin();
        let name = expect(json.reader.next_name_owned(), "the name of a table")?;
        let read: fn(serde_json::Value) -> serde_json::Result<Row> = match name.as_str() {
            "posts" => |row| serde_json::from_value(row).map(|post| Row::Post(Box::new(post))),
            "tags" => |row| serde_json::from_value(row).map(Row::Tag),
            "users" => |row| serde_json::from_value(row).map(Row::User),
            "posts_tags" => |row| serde_json::from_value(row).map(Row::PostTag),
            "posts_authors" => |row| serde_json::from_value(row).map(Row::PostAuthor),
            _ => {
                skip(json)?;
                continue;
            }
        };
        *has_posts |= name == "posts";
        expect(json.reader.begin_array(), "the rows of a table")?;
        while expect(json.reader.has_next(), "a row")? {
            json.begin();
            let at = position(&json.reader);
            let row = read(json.value()?);
            let row = row.map_err(|error| format!("it is no row of {name}: {error}"));
            take(at, row)?;
        }
        expect(json.reader.end_array(), "the end of a table")?;
    }
    expect(json.reader.end_object(), "the end of the tables")
}

/// Skips a value of any size, such as an unsupported table.
fn skip<R: Read>(json: &mut Json<R>) -> Result<(), String> {
    match expect(json.reader.peek(), "a value")? {
        ValueType::Array => {
            expect(json.reader.begin_array(), "a list")?;
            while expect(json.reader.has_next(), "a value")? {
                json.begin();
                expect(json.reader.skip_value(), "a value")?;
            }
            expect(json.reader.end_array(), "the end of a list")
        }
        _ => expect(json.reader.skip_value(), "a value"),
    }
}
