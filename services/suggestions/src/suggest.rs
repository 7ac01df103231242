//! What a query that is still being typed may become.

use crate::{DocumentKind, Field, Labels, Names, Suggested, folded};

/// Suggestions in one answer (HTTP API).
const MAX: usize = 8;
/// Types and neighbourhoods among them.
const MAX_NAMES: usize = 2;

/// What a suggestion leads to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Target {
    /// The page of a thing.
    Document(DocumentKind),
    /// The page of a type, perhaps with a neighbourhood.
    Type,
    /// The page of a neighbourhood.
    Neighbourhood,
    /// The results of a query.
    Query,
}

/// One suggestion.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Suggestion {
    /// What it leads to.
    pub target: Target,
    /// What readers see.
    pub text: String,
    /// The page's path, as the service of places or editorial knows it. Empty: a query.
    pub path: String,
}

/// At most eight suggestions for folded words, the last of which may be unfinished: types and neighbourhoods, then things.
#[must_use]
pub fn suggestions(words: &[String], labels: &Labels, names: Option<&Names>) -> Vec<Suggestion> {
    let mut found: Vec<Suggestion> = Vec::new();
    for named in labels.names_from(words) {
        let suggestion = match named.field {
            Field::Type => Suggestion {
                target: Target::Type,
                text: labels.type_name(&named.slug).to_owned(),
                path: format!("/{}/", named.slug),
            },
            Field::Neighbourhood => Suggestion {
                target: Target::Neighbourhood,
                text: named.name.clone(),
                path: format!("/neighbourhoods/{}/", named.slug),
            },
            Field::Author => continue,
        };
        let is_known = found.iter().any(|one| one.path == suggestion.path);
        if found.len() < MAX_NAMES && !is_known {
            found.push(suggestion);
        }
    }
    found.extend(labels.type_in_area(words).map(|(kind, area)| Suggestion {
        target: Target::Type,
        text: format!("{} in {}", labels.type_name(&kind.slug), area.name),
        path: format!("/{}/?neighbourhood={}", kind.slug, area.slug),
    }));
    if let Some(names) = names {
        found.extend(things(names, words, MAX - found.len()));
    }
    found
}

/// A query as it was probably meant, and what has its words in the name.
#[must_use]
pub fn corrected(query: String, names: &Names) -> Vec<Suggestion> {
    let words = folded(&query);
    let found = things(names, &words, MAX - 1);
    let query = Suggestion {
        target: Target::Query,
        text: query,
        path: String::new(),
    };
    std::iter::once(query).chain(found).collect()
}

fn things(names: &Names, words: &[String], most: usize) -> impl Iterator<Item = Suggestion> {
    let found = names.best(words, most).into_iter();
    found.map(|Suggested { kind, name, path }| Suggestion {
        target: Target::Document(kind),
        text: name,
        path,
    })
}
