//! Clients for the services with newsletter content.

use std::{collections::HashMap, time::Duration};

use bookmarks_proto::v1::{ListSavedRequest, saved_client::SavedClient};
use chassis::{
    call::{Call, Caller},
    dates,
    error::Fault,
    instant,
    role::Callees,
    rpc::Transport,
};
use chrono::{DateTime, Utc};
use chrono_tz::Tz;
use cityguide_proto::paging::v1::PageRequest;
use editorial_proto::v1::{
    Event, GetItemsRequest, Item as Published, Kind, ListItemsRequest,
    editorial_client::EditorialClient, item::Detail,
};
use places_proto::v1::{
    GetListingsRequest, ListListingsRequest, Listing, places_client::PlacesClient,
};
use vocabulary::saved;

use crate::domain::{
    composing::{picture, shortened, titled},
    issue::Item,
    personal::Neighbourhood,
};

const TIMEOUT: Duration = Duration::from_secs(10);
/// Maximum number of objects of a kind considered for an issue.
const LOOKED_AT: u32 = 50;
/// Maximum number of ids per call.
const IDS: usize = 100;

/// Service clients.
#[derive(Debug, Clone)]
pub(crate) struct Editorial {
    items: EditorialClient<Transport>,
    places: PlacesClient<Transport>,
    saved: SavedClient<Transport>,
    /// The site's time zone, in which events are shown.
    zone: Tz,
}

impl Editorial {
    /// Service names, for [`chassis::role::Service::CALLS`].
    pub(crate) const NAMES: &'static [&'static str] = &["places", "editorial", "bookmarks"];

    pub(crate) fn connect(callees: &Callees, zone: Tz) -> Result<Self, Fault> {
        Ok(Self {
            items: EditorialClient::new(callees.get("editorial")?),
            places: PlacesClient::new(callees.get("places")?),
            saved: SavedClient::new(callees.get("bookmarks")?),
            zone,
        })
    }

    /// Returns the articles published in a period, latest first; from one section, or from all if `section` is empty.
    pub(crate) async fn articles(
        &self,
        section: &str,
        since: DateTime<Utc>,
        until: DateTime<Utc>,
    ) -> Result<Vec<Item>, Fault> {
        let request = ListItemsRequest {
            page: Some(latest("-date_published")),
            kind: Kind::Article.into(),
            section: section.to_owned(),
            from: Some(instant::to_proto(since)),
            to: Some(instant::to_proto(until)),
            ..ListItemsRequest::default()
        };
        self.published(request).await
    }

    /// Returns the events in a period, ordered by start.
    pub(crate) async fn events(
        &self,
        from: DateTime<Utc>,
        to: DateTime<Utc>,
    ) -> Result<Vec<Item>, Fault> {
        let request = ListItemsRequest {
            page: Some(latest("")),
            kind: Kind::Event.into(),
            from: Some(instant::to_proto(from)),
            to: Some(instant::to_proto(to)),
            ..ListItemsRequest::default()
        };
        self.published(request).await
    }

    async fn published(&self, request: ListItemsRequest) -> Result<Vec<Item>, Fault> {
        let call = Call::new(Caller::Guest, TIMEOUT);
        let found = self.items.clone().list_items(call.request(request)).await?;
        let items = found.into_inner().items.into_iter();
        // Age-restricted content is not included in emails.
        Ok(items
            .filter(|item| !item.is_age_restricted)
            .map(|published| item(published, self.zone))
            .collect())
    }

    /// Returns the places to eat published in a period, latest first.
    pub(crate) async fn places(
        &self,
        since: DateTime<Utc>,
        until: DateTime<Utc>,
    ) -> Result<Vec<Item>, Fault> {
        let is_new = |place: &Listing| {
            let published = place.date_published.as_ref().and_then(instant::from_proto);
            published.is_some_and(|at| since < at && at <= until)
        };
        let places = self.places_to_eat("-date_published", "").await?;
        Ok(places.filter(is_new).filter_map(place).collect())
    }

    /// Returns the best places to eat in a neighbourhood.
    pub(crate) async fn places_in(&self, neighbourhood: &str) -> Result<Vec<Item>, Fault> {
        let places = self.places_to_eat("-rating", neighbourhood).await?;
        Ok(places.filter_map(place).collect())
    }

    /// Returns the first places to eat in this order, in one neighbourhood or in all.
    async fn places_to_eat(
        &self,
        ordering: &str,
        neighbourhood: &str,
    ) -> Result<impl Iterator<Item = Listing>, Fault> {
        let request = ListListingsRequest {
            page: Some(latest(ordering)),
            neighbourhood: neighbourhood.to_owned(),
            is_closed: Some(false),
            ..ListListingsRequest::default()
        };
        let call = Call::new(Caller::Guest, TIMEOUT);
        let found = self
            .places
            .clone()
            .list_listings(call.request(request))
            .await?;
        Ok(found.into_inner().listings.into_iter().filter(is_to_eat))
    }

    /// Returns the neighbourhoods of places by id.
    pub(crate) async fn neighbourhoods_of(
        &self,
        places: &[i64],
    ) -> Result<HashMap<i64, Neighbourhood>, Fault> {
        let mut all = HashMap::new();
        for ids in places.chunks(IDS) {
            let call = Call::new(Caller::Guest, TIMEOUT);
            let request = GetListingsRequest { ids: ids.to_vec() };
            let found = self
                .places
                .clone()
                .get_listings(call.request(request))
                .await?;
            let found = found.into_inner().listings.into_iter();
            all.extend(found.filter_map(|place| {
                let part = place.neighbourhood?;
                let part = Neighbourhood {
                    slug: part.slug,
                    name: part.name,
                };
                Some((place.id, part))
            }));
        }
        Ok(all)
    }

    /// Returns the events that begin in a period, by id, with their start times.
    pub(crate) async fn events_of(
        &self,
        events: &[i64],
        from: DateTime<Utc>,
        to: DateTime<Utc>,
    ) -> Result<HashMap<i64, (DateTime<Utc>, Item)>, Fault> {
        let mut all = HashMap::new();
        for ids in events.chunks(IDS) {
            let call = Call::new(Caller::Guest, TIMEOUT);
            let request = GetItemsRequest {
                kind: Kind::Event.into(),
                ids: ids.to_vec(),
            };
            let found = self.items.clone().get_items(call.request(request)).await?;
            let found = found.into_inner().items.into_iter();
            let found = found.filter(|event| !event.is_age_restricted);
            all.extend(found.filter_map(|event| {
                let at = begins(&event)?;
                let is_soon = from < at && at <= to;
                is_soon.then(|| (event.id, (at, item(event, self.zone))))
            }));
        }
        Ok(all)
    }

    /// Returns the objects of a kind that readers have saved most recently, by reader; readers without saved objects
    /// are omitted.
    pub(crate) async fn saved(
        &self,
        kind: saved::Kind,
        readers: &[i64],
    ) -> Result<HashMap<i64, Vec<i64>>, Fault> {
        let mut all = HashMap::new();
        for ids in readers.chunks(IDS) {
            let call = Call::new(Caller::Operator, TIMEOUT);
            let request = ListSavedRequest {
                kind: kind.name().to_owned(),
                reader_ids: ids.to_vec(),
            };
            let found = self.saved.clone().list_saved(call.request(request)).await?;
            let found = found.into_inner().readers.into_iter();
            all.extend(found.map(|one| (one.reader_id, one.target_ids)));
        }
        Ok(all)
    }
}

fn is_to_eat(place: &Listing) -> bool {
    let kind = place.r#type.as_ref();
    kind.is_some_and(|kind| kind.is_food && !kind.is_age_restricted)
}

/// Returns the start of an event's next occurrence.
fn begins(event: &Published) -> Option<DateTime<Utc>> {
    let Some(Detail::Event(event)) = &event.detail else {
        return None;
    };
    let next = event.occurrence.as_ref()?.starts_at.as_ref()?;
    instant::from_proto(next)
}

fn latest(ordering: &str) -> PageRequest {
    PageRequest {
        limit: LOOKED_AT,
        ordering: ordering.to_owned(),
        ..PageRequest::default()
    }
}

fn item(published: Published, zone: Tz) -> Item {
    let (what, label) = match &published.detail {
        Some(Detail::Event(event)) => ("event", when(event, zone)),
        _ => ("article", titled(&published.section)),
    };
    Item {
        reference: format!("{what}/{}", published.id),
        label,
        title: published.name,
        text: shortened(&published.excerpt),
        path: published.path,
        image: picture(published.image_url),
    }
}

/// Formats "Saturday, December 5, 2026 at 7:30 p.m. · The Great Hall".
fn when(event: &Event, site: Tz) -> String {
    // Uses the next occurrence: a recurring event may have begun long ago.
    let occurrence = event.occurrence.as_ref();
    let begins = occurrence.and_then(|one| one.starts_at.as_ref());
    let begins = begins.and_then(instant::from_proto);
    // All-day dates are in the event's own zone.
    let own = event.zone.parse().ok().filter(|_| event.is_all_day);
    let zone = own.unwrap_or(site);
    let begins = begins.map(|at| at.with_timezone(&zone));
    let begins = begins.map(|at| {
        if event.is_all_day {
            dates::weekday(at.date_naive())
        } else {
            dates::moment(&at)
        }
    });
    let parts = [begins.unwrap_or_default(), event.venue.clone()];
    let parts: Vec<_> = parts.into_iter().filter(|part| !part.is_empty()).collect();
    parts.join(" · ")
}

fn place(place: Listing) -> Option<Item> {
    let kind = place.r#type?;
    let label = [
        place.sub_type.map(|one| one.name),
        place.neighbourhood.map(|one| one.name),
    ];
    let label: Vec<_> = label.into_iter().flatten().collect();
    Some(Item {
        reference: format!("place/{}", place.id),
        label: label.join(" · "),
        title: place.name,
        text: place.address.unwrap_or_default(),
        path: format!("/{}/{}/", kind.slug, place.slug),
        image: picture(place.image_url),
    })
}
