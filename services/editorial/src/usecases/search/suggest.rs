//! Suggestions while a query is typed.

use chassis::error::Fault;
use chrono_tz::Tz;
use suggestions::{Suggestion, corrected, folded, suggestions};

use super::{
    find::{check_text, meaning_of},
    parts::{current_lexicon, current_names},
};
use crate::context::Context;

/// Returns suggestions: types, neighbourhoods and objects, or else the corrected query.
pub(crate) async fn suggest(context: &Context, text: &str) -> Result<Vec<Suggestion>, Fault> {
    check_text(text)?;
    let words = folded(text);
    let lexicon = current_lexicon(&context.lexicon).await?;
    let names = current_names(&context.names).await?;
    let names = names.as_deref().map(|names| &**names);
    let found = suggestions(&words, lexicon.labels(), names);
    let (true, false, Some(names)) = (found.is_empty(), words.is_empty(), names) else {
        return Ok(found);
    };
    // Times are not suggested, so the zone does not matter.
    let meaning = meaning_of(context, text, &lexicon, Tz::UTC).await?;
    let query = meaning.query.corrected;
    Ok(query.map_or_else(Vec::new, |query| corrected(query, names)))
}
