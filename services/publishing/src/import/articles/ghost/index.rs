//! First pass over an export: indexes the tags, authors, their posts and the addresses of posts. No texts are stored.

use std::{
    collections::{HashMap, HashSet},
    io::BufRead,
};

use super::rows::{Id, Row, rows};

/// Maximum number of indexed rows.
const MAX_KNOWN: usize = 2_000_000;
/// Maximum number of tags and authors of a post.
const MAX_OF_POST: usize = 200;
/// Maximum length of a stored name or slug, in characters.
const MAX_TEXT: usize = 300;

/// Objects that belong to a post, with their position.
type Belonging = HashMap<Id, Vec<(i64, Id)>>;

#[derive(Debug, Default)]
pub(super) struct Index {
    /// Slugs and names of tags, without internal tags.
    tags: HashMap<Id, [String; 2]>,
    authors: HashMap<Id, String>,
    tags_of: Belonging,
    authors_of: Belonging,
    /// Paths of posts and pages.
    pub(super) paths: HashSet<String>,
}

/// Returns the path of a post on its site.
pub(super) fn path(slug: &str) -> Option<String> {
    let slug = slug.trim_matches('/');
    (!slug.is_empty()).then(|| format!("/{slug}/"))
}

fn short(text: &str) -> String {
    text.trim().chars().take(MAX_TEXT).collect()
}

impl Index {
    /// Reads a complete export. An error contains the position of the defect.
    pub(super) fn read(file: impl BufRead) -> Result<Self, String> {
        let mut index = Self::default();
        let mut known = 0_usize;
        rows(file, |_, row| {
            known += 1;
            if known > MAX_KNOWN {
                return Err(format!("it has more than {MAX_KNOWN} rows"));
            }
            // Invalid rows are reported when the posts are read.
            match row {
                Ok(Row::Tag(tag)) if !tag.is_internal() => {
                    let named = [short(&tag.slug.0), short(&tag.name.0)];
                    index.tags.insert(tag.id, named);
                }
                Ok(Row::User(user)) => {
                    index.authors.insert(user.id, short(&user.name.0));
                }
                Ok(Row::PostTag(one)) => {
                    add(&mut index.tags_of, one.post_id, one.sort_order, one.tag_id);
                }
                Ok(Row::PostAuthor(one)) => {
                    let of = &mut index.authors_of;
                    add(of, one.post_id, one.sort_order, one.author_id);
                }
                Ok(Row::Post(post)) => index.paths.extend(path(&short(&post.slug.0))),
                Ok(Row::Tag(_)) | Err(_) => {}
            }
            Ok(())
        })?;
        for of_post in index
            .tags_of
            .values_mut()
            .chain(index.authors_of.values_mut())
        {
            of_post.sort_by_key(|(place, _)| *place);
        }
        Ok(index)
    }

    /// Returns the slugs and names of a post's tags, in order.
    pub(super) fn tags(&self, post: &Id) -> Vec<[String; 2]> {
        let tags = self.tags_of.get(post).into_iter().flatten();
        let tags = tags.filter_map(|(_, tag)| self.tags.get(tag));
        tags.cloned().collect()
    }

    /// Returns the names of a post's authors; `alone` is the author in the post's own row.
    pub(super) fn authors(&self, post: &Id, alone: &Id) -> Vec<String> {
        let belonging = self.authors_of.get(post).into_iter().flatten();
        let mut ids: Vec<&Id> = belonging.map(|(_, author)| author).collect();
        if ids.is_empty() {
            ids.push(alone);
        }
        let names = ids
            .into_iter()
            .filter_map(|author| self.authors.get(author));
        names.cloned().collect()
    }
}

fn add(to: &mut Belonging, post: Id, place: Option<i64>, one: Id) {
    let of_post = to.entry(post).or_default();
    if of_post.len() < MAX_OF_POST {
        of_post.push((place.unwrap_or_default(), one));
    }
}
