//! What a query that is still being typed may become.

use chassis::error::Fault;
use chrono_tz::Tz;

use super::{
    find::{check_text, meaning_of},
    parts::{current_lexicon, current_names},
};
use crate::{
    context::Context,
    domain::search::{Field, Lexicon, Names, Suggested, folded},
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
    let lexicon = current_lexicon(&context.lexicon).await?;
    let names = current_names(&context.names).await?;
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
    let Some(names) = names else {
        return Ok(suggestions);
    };
    let found = names.best(&words, MOST - suggestions.len());
    suggestions.extend(found.into_iter().map(thing));
    if suggestions.is_empty() {
        suggestions.extend(corrected(context, text, &lexicon, &names).await?);
    }
    Ok(suggestions)
}

fn thing(found: Suggested) -> Suggestion {
    Suggestion {
        kind: found.kind.as_str().to_owned(),
        text: found.name,
        path: found.path,
    }
}

/// The query as it was probably meant, and what has its words in the name.
async fn corrected(
    context: &Context,
    text: &str,
    lexicon: &Lexicon,
    names: &Names,
) -> Result<Vec<Suggestion>, Fault> {
    if folded(text).is_empty() {
        return Ok(Vec::new());
    }
    // Times are not suggested, so the zone does not matter.
    let meaning = meaning_of(context, text, lexicon, Tz::UTC).await?;
    let Some(corrected) = meaning.query.corrected else {
        return Ok(Vec::new());
    };
    let found = names.best(&folded(&corrected), MOST - 1);
    let query = Suggestion {
        kind: "query".to_owned(),
        text: corrected,
        path: String::new(),
    };
    Ok(std::iter::once(query)
        .chain(found.into_iter().map(thing))
        .collect())
}
