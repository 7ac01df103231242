//! Personal sections of an issue, for readers with saved objects.

use std::collections::{BTreeSet, HashMap, HashSet};

use chassis::error::Fault;
use vocabulary::newsletters::Kind;
use vocabulary::saved::Kind as SavedKind;

use super::compose::AHEAD;
use crate::{
    context::Context,
    domain::{
        issue::{Content, Issue, Section},
        personal::{favourite, places_in, saved_events},
    },
    store::deliveries::Reader,
};

/// Returns the personal sections by subscriber. If a service is unavailable, they are omitted: timely news is more
/// important.
pub(super) async fn for_readers(
    context: &Context,
    issue: &Issue,
    contents: &Content,
    readers: &[Reader],
) -> HashMap<i64, Section> {
    if readers.is_empty() || issue.draft.is_some() {
        return HashMap::new();
    }
    let found = match issue.kind {
        Kind::Events => events(context, issue, contents, readers).await,
        Kind::Foods => places(context, issue, contents, readers).await,
        _ => return HashMap::new(),
    };
    found.unwrap_or_else(|error| {
        tracing::warn!(%error, issue = issue.id, "personal sections are unavailable; the issue is sent without them");
        metrics::counter!("newsletter_plain_letters_total")
            .increment(u64::try_from(readers.len()).unwrap_or_default());
        HashMap::new()
    })
}

/// Returns the saved events of each reader that take place in the issue's period.
async fn events(
    context: &Context,
    issue: &Issue,
    contents: &Content,
    readers: &[Reader],
) -> Result<HashMap<i64, Section>, Fault> {
    let (saved, ids) = saved(context, SavedKind::EventBookmarks, readers).await?;
    let (from, to) = (issue.until, issue.until + AHEAD);
    let events = context.editorial.events_of(&ids, from, to).await?;
    let brought: HashSet<_> = contents.references().collect();
    let sections = readers.iter().filter_map(|reader| {
        let saved = saved.get(&reader.profile_id)?;
        let mut own: Vec<_> = saved.iter().filter_map(|id| events.get(id)).collect();
        own.sort_by_key(|(at, _)| *at);
        let own = own.into_iter().map(|(_, item)| item.clone()).collect();
        Some((reader.subscriber_id, saved_events(own, &brought)?))
    });
    Ok(sections.collect())
}

/// Returns places to eat in the neighbourhood with most of each reader's saved places.
async fn places(
    context: &Context,
    issue: &Issue,
    contents: &Content,
    readers: &[Reader],
) -> Result<HashMap<i64, Section>, Fault> {
    let (saved, ids) = saved(context, SavedKind::Favourites, readers).await?;
    let of_places = context.editorial.neighbourhoods_of(&ids).await?;
    let favourites = readers.iter().filter_map(|reader| {
        let saved = saved.get(&reader.profile_id)?;
        Some((reader, saved, favourite(saved, &of_places)?))
    });
    let favourites: Vec<_> = favourites.collect();
    let mut places = HashMap::new();
    for (_, _, neighbourhood) in &favourites {
        if !places.contains_key(*neighbourhood) {
            let found = context.editorial.places_in(&neighbourhood.slug).await?;
            places.insert((*neighbourhood).clone(), found);
        }
    }
    let brought: HashSet<_> = contents.references().collect();
    let sections = favourites
        .into_iter()
        .filter_map(|(reader, saved, neighbourhood)| {
            let places = places.get(neighbourhood)?;
            let section = places_in(neighbourhood, places, saved, (issue.id, &brought))?;
            Some((reader.subscriber_id, section))
        });
    Ok(sections.collect())
}

/// Returns the saved objects of a kind by reader, and the ids of all these objects.
async fn saved(
    context: &Context,
    kind: SavedKind,
    readers: &[Reader],
) -> Result<(HashMap<i64, Vec<i64>>, Vec<i64>), Fault> {
    let readers: Vec<_> = readers.iter().map(|reader| reader.profile_id).collect();
    let saved = context.editorial.saved(kind, &readers).await?;
    let ids: BTreeSet<_> = saved.values().flatten().copied().collect();
    Ok((saved, ids.into_iter().collect()))
}
