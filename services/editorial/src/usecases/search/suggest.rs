//! What a query that is still being typed may become.

use chassis::error::Fault;
use chrono_tz::Tz;

use super::find::{check_text, meaning_of};
use crate::{
    context::Context,
    domain::search::{Field, Lexicon, folded},
    store::search::find::{self, Suggested},
};

/// Suggestions in one answer (HTTP API).
const MOST: usize = 8;
/// Types and neighbourhoods among them.
const MOST_NAMES: usize = 2;

/// One suggestion.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Suggestion {
    /// A kind of document, "type", "neighbourhood" or "query".
    pub(crate) kind: String,
    pub(crate) text: String,
    /// Empty: a query.
    pub(crate) path: String,
}

/// At most eight suggestions: types and neighbourhoods, things, and if there are none, the query as it was probably meant.
pub(crate) async fn suggest(context: &Context, text: &str) -> Result<Vec<Suggestion>, Fault> {
    check_text(text)?;
    let words = folded(text);
    let lexicon = context
        .lexicons
        .current(&context.pool, &context.clock)
        .await?;
    let mut suggestions: Vec<Suggestion> = Vec::new();
    for named in lexicon.names_from(&words) {
        let (path, text) = match named.field {
            Field::Type => (format!("/{}/", named.slug), lexicon.type_name(&named.slug)),
            Field::Neighbourhood => {
                let path = format!("/neighbourhoods/{}/", named.slug);
                (path, named.name.as_str())
            }
            Field::Author => continue,
        };
        let is_known = suggestions.iter().any(|one| one.path == path);
        if suggestions.len() < MOST_NAMES && !is_known {
            suggestions.push(Suggestion {
                kind: named.field.as_str().to_owned(),
                text: text.to_owned(),
                path,
            });
        }
    }
    suggestions.extend(lexicon.type_in_area(&words).map(|(kind, area)| Suggestion {
        kind: "type".to_owned(),
        text: format!("{} in {}", lexicon.type_name(&kind.slug), area.name),
        path: format!("/{}/?neighbourhood={}", kind.slug, area.slug),
    }));
    let limit = i64::try_from(MOST - suggestions.len()).unwrap_or(0);
    let mut found = if lexicon.is_frequent(&words) {
        find::suggested_best(&context.pool, &words, limit).await?
    } else {
        Vec::new()
    };
    if found.is_empty() {
        found = find::suggested(&context.pool, &words, limit).await?;
    }
    suggestions.extend(found.into_iter().map(thing));
    if suggestions.is_empty() {
        suggestions.extend(corrected(context, text, &words, &lexicon).await?);
    }
    Ok(suggestions)
}

fn thing(found: Suggested) -> Suggestion {
    Suggestion {
        kind: found.kind,
        text: found.name,
        path: found.path,
    }
}

/// The query as it was probably meant, and what has its words in the name.
async fn corrected(
    context: &Context,
    text: &str,
    words: &[String],
    lexicon: &Lexicon,
) -> Result<Vec<Suggestion>, Fault> {
    if words.is_empty() {
        return Ok(Vec::new());
    }
    // Times are not suggested, so the zone does not matter.
    let meaning = meaning_of(context, text, lexicon, Tz::UTC).await?;
    let Some(corrected) = meaning.query.corrected else {
        return Ok(Vec::new());
    };
    let limit = i64::try_from(MOST - 1).unwrap_or(0);
    let found = find::suggested(&context.pool, &folded(&corrected), limit).await?;
    let query = Suggestion {
        kind: "query".to_owned(),
        text: corrected,
        path: String::new(),
    };
    Ok(std::iter::once(query)
        .chain(found.into_iter().map(thing))
        .collect())
}
