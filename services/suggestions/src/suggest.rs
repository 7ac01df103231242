//! Suggestions for a query that is being typed.

use crate::{DocumentKind, Field, Labels, Names, Suggested, folded};

/// The maximum number of suggestions in a response.
const MAX: usize = 8;
/// The maximum number of types and neighbourhoods among the suggestions.
const MAX_NAMES: usize = 2;

/// The target of a suggestion.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Target {
    /// A document's page.
    Document(DocumentKind),
    /// A type's page, which may include a neighbourhood.
    Type,
    /// A neighbourhood's page.
    Neighbourhood,
    /// The results of a search query.
    Query,
}

/// A suggestion.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Suggestion {
    /// The page or search that the suggestion leads to.
    pub target: Target,
    /// The displayed text.
    pub text: String,
    /// The page's path, as provided by the places or editorial service; empty for a query.
    pub path: String,
}

/// At most eight suggestions for folded words, the last of which may be incomplete: types and neighbourhoods first,
/// then documents.
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

/// The suggestions for a corrected query: the query itself, and documents whose names contain its words.
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
