//! The guide's places to which articles and events refer.

use std::{
    collections::{BTreeSet, HashMap},
    time::Duration,
};

use chassis::{
    call::{Call, Caller},
    rpc::Transport,
};
use editorial_proto::v1::{Event, NamedPlace};
use places_proto::v1::{
    FindPlacesRequest, FindSourcesRequest, GetListingsRequest, ListNeighbourhoodsRequest, Listing,
    places_client::PlacesClient,
};
use tonic::Status;

/// Timeout of a call.
const TIMEOUT: Duration = Duration::from_mins(1);
/// Maximum number of slugs, names or source ids per call.
const SOUGHT: usize = 1_000;
/// Maximum number of ids per call.
const IDS: usize = 100;

/// Finds places by slug, name or source id.
#[derive(Debug, Clone)]
pub(crate) struct GuidePlaces {
    client: PlacesClient<Transport>,
}

impl GuidePlaces {
    pub(crate) fn new(places: Transport) -> Self {
        Self {
            client: PlacesClient::new(places),
        }
    }

    /// Returns the places with these slugs.
    pub(crate) async fn with_slugs(&self, slugs: Vec<String>) -> Result<Vec<Listing>, Status> {
        let mut found = Vec::new();
        for slugs in slugs.chunks(SOUGHT) {
            let request = FindPlacesRequest {
                slugs: slugs.to_vec(),
                names: Vec::new(),
            };
            found.extend(self.find(request).await?);
        }
        Ok(found)
    }

    /// Returns the places with exactly these names.
    pub(crate) async fn with_names(&self, names: Vec<String>) -> Result<Vec<Listing>, Status> {
        let mut found = Vec::new();
        for names in names.chunks(SOUGHT) {
            let request = FindPlacesRequest {
                slugs: Vec::new(),
                names: names.to_vec(),
            };
            found.extend(self.find(request).await?);
        }
        Ok(found)
    }

    /// Returns the places that were imported under these source ids, by source id.
    pub(crate) async fn of_sources(
        &self,
        source_ids: Vec<String>,
    ) -> Result<HashMap<String, Listing>, Status> {
        let mut ids = Vec::new();
        for source_ids in source_ids.chunks(SOUGHT) {
            let request = FindSourcesRequest {
                source_ids: source_ids.to_vec(),
            };
            let mut client = self.client.clone();
            let found = client.find_sources(call().request(request)).await?;
            let found = found.into_inner().listings.into_iter();
            ids.extend(found.map(|source| (source.id, source.source_id)));
        }
        let mut listings = HashMap::new();
        for some in ids.chunks(IDS) {
            let request = GetListingsRequest {
                ids: some.iter().map(|(id, _)| *id).collect(),
            };
            let mut client = self.client.clone();
            let found = client.get_listings(call().request(request)).await?;
            for listing in found.into_inner().listings {
                let source_id = some.iter().find(|(id, _)| *id == listing.id);
                if let Some((_, source_id)) = source_id {
                    listings.insert(source_id.clone(), listing);
                }
            }
        }
        Ok(listings)
    }

    /// Returns the names of all neighbourhoods.
    pub(crate) async fn names_of_areas(&self) -> Result<BTreeSet<String>, Status> {
        let mut client = self.client.clone();
        let request = call().request(ListNeighbourhoodsRequest {});
        let found = client.list_neighbourhoods(request).await?.into_inner();
        let areas = found.neighbourhoods.into_iter();
        Ok(areas.map(|area| area.name).collect())
    }

    async fn find(&self, request: FindPlacesRequest) -> Result<Vec<Listing>, Status> {
        let mut client = self.client.clone();
        let found = client.find_places(call().request(request)).await?;
        Ok(found.into_inner().listings)
    }
}

fn call() -> Call {
    Call::new(Caller::Operator, TIMEOUT)
}

/// Returns a place for the texts that name it by this slug.
pub(crate) fn named(slug: &str, place: &Listing) -> NamedPlace {
    let kind = place.r#type.as_ref().map_or("", |kind| &kind.slug);
    NamedPlace {
        slug: slug.to_owned(),
        listing_id: place.id,
        name: place.name.clone(),
        path: format!("/{kind}/{}/", place.slug),
    }
}

/// Sets the place at which an event happens, and the facts that the event lacks.
pub(crate) fn set_place(event: &mut Event, place: &Listing) {
    let area = place.neighbourhood.as_ref().map_or("", |area| &area.slug);
    event.listing_id = Some(place.id);
    for (fact, of_place) in [
        (&mut event.venue, place.name.as_str()),
        (
            &mut event.address,
            place.address.as_deref().unwrap_or_default(),
        ),
        (&mut event.neighbourhood, area),
    ] {
        if fact.is_empty() {
            of_place.clone_into(fact);
        }
    }
}

/// Returns the name by which an event's place can be found; `None` if it has a place, or no venue with an address.
pub(crate) fn sought_venue(event: &Event) -> Option<String> {
    let is_known = event.listing_id.is_some() || event.address.is_empty();
    (!is_known && !event.venue.is_empty()).then(|| event.venue.clone())
}

/// Returns the only place with the event's venue as its name and with the event's address, regardless of case.
pub(crate) fn venue_among<'a>(event: &Event, places: &'a [Listing]) -> Option<&'a Listing> {
    sought_venue(event)?;
    let address = event.address.to_lowercase();
    let is_it = |place: &&Listing| {
        let of_place = place.address.as_deref().map(str::to_lowercase);
        place.name == event.venue && of_place.as_ref() == Some(&address)
    };
    let mut found = places.iter().filter(is_it);
    let first = found.next()?;
    found.next().is_none().then_some(first)
}

#[cfg(test)]
mod tests {
    use places_proto::v1::Neighbourhood;

    use super::*;

    fn place(id: i64, name: &str, address: &str) -> Listing {
        Listing {
            id,
            name: name.to_owned(),
            address: Some(address.to_owned()),
            neighbourhood: Some(Neighbourhood {
                slug: "parkdale".to_owned(),
                ..Neighbourhood::default()
            }),
            ..Listing::default()
        }
    }

    fn event(venue: &str, address: &str) -> Event {
        Event {
            venue: venue.to_owned(),
            address: address.to_owned(),
            ..Event::default()
        }
    }

    #[test]
    fn a_venue_is_the_only_place_with_its_name_and_address() {
        let places = [
            place(1, "Longwave", "1370 Queen Street West"),
            place(2, "Longwave", "1 King Street"),
            place(3, "The hall", "9 Elm Street"),
            place(4, "The hall", "9 Elm Street"),
        ];
        let found =
            |venue, address| venue_among(&event(venue, address), &places).map(|place| place.id);
        assert_eq!(found("Longwave", "1370 queen street west"), Some(1));
        assert_eq!(found("Longwave", "1371 Queen Street West"), None);
        assert_eq!(found("longwave", "1370 Queen Street West"), None);
        assert_eq!(found("The hall", "9 Elm Street"), None);
        assert_eq!(found("Longwave", ""), None);
        let mut known = event("Longwave", "1370 Queen Street West");
        known.listing_id = Some(9);
        assert_eq!(venue_among(&known, &places), None);
    }

    #[test]
    fn an_event_takes_only_the_facts_that_it_lacks_from_its_place() {
        let mut event = event("The back room", "");
        set_place(&mut event, &place(7, "Longwave", "1370 Queen Street West"));
        let Event {
            venue,
            address,
            neighbourhood,
            ..
        } = &event;
        assert_eq!(
            (&**venue, &**address, &**neighbourhood),
            ("The back room", "1370 Queen Street West", "parkdale")
        );
        assert_eq!(event.listing_id, Some(7));
    }
}
