//! Documents of places and best-of lists from the places service.

use std::{collections::HashMap, time::Duration};

use chassis::{
    call::{Call, Caller},
    error::Fault,
    instant,
    markup::plain,
};
use cityguide_proto::paging::v1::PageRequest;
use places_proto::v1::{
    BestOfList, GetListingsRequest, ListBestOfRequest, ListNeighbourhoodsRequest, ListTextsRequest,
    ListTypesRequest, Listing,
};
use vocabulary::position::Coordinates;

use suggestions::{DocumentKind, Field, Named};

use crate::{context::Context, domain::search::Source};

/// Timeout of a call.
const ASKING: Duration = Duration::from_secs(5);
/// Number of best-of lists per page.
const PAGE: u32 = 100;

fn call() -> Call {
    Call::new(Caller::Operator, ASKING)
}

/// Returns the published places among at most 100 ids.
pub(super) async fn listings(context: &Context, ids: &[i64]) -> Result<Vec<Source>, Fault> {
    if ids.is_empty() {
        return Ok(Vec::new());
    }
    let mut places = context.places.clone();
    let request = call().request(GetListingsRequest { ids: ids.to_vec() });
    let found = places.get_listings(request).await?.into_inner().listings;
    let request = call().request(ListTextsRequest { ids: ids.to_vec() });
    let mut texts: HashMap<i64, Vec<String>> = HashMap::new();
    for text in places.list_texts(request).await?.into_inner().texts {
        let of_listing = texts.entry(text.listing_id).or_default();
        of_listing.push(plain(&text.body_html));
    }
    let sources = found.into_iter().map(|found| {
        let texts = texts.remove(&found.id).unwrap_or_default();
        listing(found, texts)
    });
    Ok(sources.collect())
}

pub(super) async fn best_of_lists(context: &Context) -> Result<Vec<Source>, Fault> {
    let (mut sources, mut after) = (Vec::new(), String::new());
    loop {
        let page = PageRequest {
            limit: PAGE,
            after,
            ..PageRequest::default()
        };
        let request = call().request(ListBestOfRequest {
            page: Some(page),
            ids: Vec::new(),
        });
        let answer = context
            .places
            .clone()
            .list_best_of(request)
            .await?
            .into_inner();
        sources.extend(answer.lists.into_iter().map(best_of_list));
        match answer.page.and_then(|page| page.next_after) {
            Some(next) => after = next,
            None => return Ok(sources),
        }
    }
}

/// Returns the names of types, in the plural and singular, and of neighbourhoods.
pub(super) async fn areas(context: &Context) -> Result<Vec<Named>, Fault> {
    let mut places = context.places.clone();
    let types = places
        .list_types(call().request(ListTypesRequest {}))
        .await?;
    let areas = places
        .list_neighbourhoods(call().request(ListNeighbourhoodsRequest {}))
        .await?;
    let named = |field, slug: &str, name: &str| Named {
        field,
        slug: slug.to_owned(),
        name: name.to_owned(),
    };
    let types = types.into_inner().types;
    let types = types.iter().flat_map(|kind| {
        [&kind.name, &kind.name_singular].map(|name| named(Field::Type, &kind.slug, name))
    });
    let areas = areas.into_inner().neighbourhoods;
    let areas = areas
        .iter()
        .map(|area| named(Field::Neighbourhood, &area.slug, &area.name));
    Ok(types.chain(areas).collect())
}

fn listing(listing: Listing, texts: Vec<String>) -> Source {
    let kind = listing.r#type.unwrap_or_default();
    let quality = quality(listing.rating, listing.voters, !listing.rankings.is_empty());
    let path = format!("/{}/{}/", kind.slug, listing.slug);
    let mut labels = vec![kind.name, kind.name_singular];
    labels.extend(listing.sub_type.map(|sub_type| sub_type.name));
    let (neighbourhood, area) = listing
        .neighbourhood
        .map(|area| (area.slug, area.name))
        .unzip();
    labels.extend(area);
    Source {
        kind: DocumentKind::Listing,
        id: listing.id,
        name: listing.name,
        path,
        labels,
        excerpt: listing.address.unwrap_or_default(),
        text: texts
            .into_iter()
            .chain(listing.rankings.into_iter().map(|list| list.name))
            .collect::<Vec<_>>()
            .join("\n"),
        type_slug: Some(kind.slug),
        neighbourhood,
        is_closed: listing.is_closed,
        is_free: false,
        position: listing.coordinates.map(|at| Coordinates {
            latitude: at.latitude,
            longitude: at.longitude,
        }),
        published_at: listing
            .date_published
            .as_ref()
            .and_then(instant::from_proto)
            .unwrap_or_default(),
        quality,
    }
}

/// Returns the quality from 0 to 1: the mean of readers' votes with ten additional votes of 3, and a bonus for ranked
/// places.
fn quality(rating: Option<f64>, voters: i64, is_ranked: bool) -> f32 {
    #[expect(clippy::cast_precision_loss, reason = "nobody has as many voters")]
    let voters = voters.max(0) as f64;
    let mean = (rating.unwrap_or(0.0) * voters + 30.0) / (voters + 10.0);
    let ranked = if is_ranked { 0.3 } else { 0.0 };
    #[expect(clippy::cast_possible_truncation, reason = "a few digits are enough")]
    let quality = ((mean - 1.0) / 4.0 * 0.7 + ranked) as f32;
    quality.clamp(0.0, 1.0)
}

fn best_of_list(list: BestOfList) -> Source {
    Source {
        kind: DocumentKind::BestOfList,
        id: list.id,
        name: list.name,
        path: format!("/best-of/{}/", list.slug),
        labels: vec!["Best of".to_owned()],
        excerpt: String::new(),
        text: plain(&list.intro_html),
        type_slug: None,
        neighbourhood: None,
        is_closed: false,
        is_free: false,
        position: None,
        published_at: list
            .date_published
            .as_ref()
            .and_then(instant::from_proto)
            .unwrap_or_default(),
        quality: 0.6,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn few_votes_count_little_and_a_rank_counts() {
        let order = [
            quality(Some(1.0), 100, false),
            quality(None, 0, false),
            quality(Some(5.0), 1, false),
            quality(Some(4.5), 100, false),
            quality(Some(5.0), 1000, true),
        ];
        assert!(
            order.is_sorted() && order.iter().all(|quality| (0.0..=1.0).contains(quality)),
            "{order:?}"
        );
        assert!(quality(None, 0, false) < quality(None, 0, true));
    }
}
