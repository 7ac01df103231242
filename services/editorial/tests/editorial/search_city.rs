//! A small city whose search runs, with places to import.

use chassis::{error::Fault, rpc::Transport};
use chrono::TimeDelta;
use cityguide_proto::intake::v1::Finish;
use editorial_proto::v1::{
    FoundKind, Part, SearchRequest, SearchResponse, SuggestRequest, search_client::SearchClient,
};
use places_proto::v1::{
    Coordinates, ImportListing, ImportNeighbourhood, ImportRequest, ImportType,
    import_request::Item, places_client::PlacesClient,
};
use testkit::{calls, until};

use crate::fixture::Fixture;

pub(crate) const EVERYTHING: [FoundKind; 5] = [
    FoundKind::Listing,
    FoundKind::BestOfList,
    FoundKind::Article,
    FoundKind::Event,
    FoundKind::Video,
];

pub(crate) fn request(query: &str) -> SearchRequest {
    SearchRequest {
        query: query.to_owned(),
        kinds: EVERYTHING.map(Into::into).to_vec(),
        zone: "America/Toronto".to_owned(),
        limit: 12,
        ..SearchRequest::default()
    }
}

pub(crate) fn text(parts: &[Part]) -> String {
    parts.iter().map(|part| part.text.as_str()).collect()
}

/// A service's suggestions for a prefix: texts and paths.
pub(crate) async fn suggestions(
    client: &SearchClient<Transport>,
    query: &str,
) -> Vec<(String, String)> {
    let request = calls::guest(SuggestRequest {
        query: query.to_owned(),
    });
    let found = client.clone().suggest(request).await.expect("answers");
    let found = found.into_inner().suggestions.into_iter();
    found.map(|one| (one.text, one.path)).collect()
}

/// Both services with their background tasks.
pub(crate) struct City {
    pub(crate) fixture: Fixture,
    pub(crate) client: SearchClient<Transport>,
}

impl City {
    pub(crate) async fn start() -> Self {
        let fixture = Fixture::new().await;
        fixture.service.run().await;
        fixture.places.run().await;
        let client = SearchClient::new(fixture.service.transport());
        Self { fixture, client }
    }

    pub(crate) async fn import_places(&self, items: impl IntoIterator<Item = Item>) {
        let messages: Vec<ImportRequest> = items
            .into_iter()
            .chain([Item::Finish(Finish::default())])
            .map(|item| ImportRequest { item: Some(item) })
            .collect();
        let stream = calls::operator(futures::stream::iter(messages));
        let mut client = PlacesClient::new(self.fixture.places.transport());
        let report = client.import(stream).await.expect("imports").into_inner();
        assert_eq!(report.refusals, []);
    }

    pub(crate) async fn search(&self, request: SearchRequest) -> Result<SearchResponse, Fault> {
        // Words and names are read again once they are a second old.
        self.fixture.parts.clock.advance(TimeDelta::seconds(2));
        Ok(self
            .client
            .clone()
            .search(calls::guest(request))
            .await?
            .into_inner())
    }

    /// The names of the hits of a query, in their order.
    pub(crate) async fn names(&self, query: &str) -> Vec<String> {
        let found = self.search(request(query)).await.expect("answers");
        found.hits.iter().map(|hit| text(&hit.name)).collect()
    }

    pub(crate) async fn comes_to(&self, query: &str, expected: &[&str]) {
        until(&format!("{query:?} finds {expected:?}"), async || {
            (self.names(query).await == expected).then_some(())
        })
        .await;
    }

    pub(crate) async fn suggestions(&self, query: &str) -> Vec<(String, String)> {
        self.fixture.parts.clock.advance(TimeDelta::seconds(2));
        suggestions(&self.client, query).await
    }

    pub(crate) async fn comes_to_suggest(&self, query: &str, expected: &[&str]) {
        until(&format!("{query:?} suggests {expected:?}"), async || {
            let found = self.suggestions(query).await;
            let found = found.iter().map(|(text, _)| text.as_str());
            found.eq(expected.iter().copied()).then_some(())
        })
        .await;
    }

    pub(crate) async fn number(&self, query: &'static str) -> i64 {
        self.fixture.parts.database.number(query).await
    }
}

pub(crate) fn kind(slug: &str, name: &str, name_singular: &str) -> Item {
    Item::Type(ImportType {
        slug: slug.to_owned(),
        name: name.to_owned(),
        name_singular: name_singular.to_owned(),
        ..ImportType::default()
    })
}

pub(crate) fn area(name: &str, longitude: f64) -> Item {
    let [west, east] = [longitude - 0.05, longitude + 0.05];
    Item::Neighbourhood(ImportNeighbourhood {
        source_id: format!("test:{name}"),
        name: name.to_owned(),
        boundary_geojson: format!(
            r#"{{"type": "Polygon", "coordinates": [[[{west}, 43], [{east}, 43], [{east}, 44], [{west}, 44], [{west}, 43]]]}}"#
        ),
        ..ImportNeighbourhood::default()
    })
}

pub(crate) fn place(source: &str, name: &str, type_slug: &str, longitude: f64) -> Item {
    Item::Listing(ImportListing {
        source_id: format!("test:{source}"),
        name: name.to_owned(),
        type_slug: type_slug.to_owned(),
        coordinates: Some(Coordinates {
            latitude: 43.5,
            longitude,
        }),
        ..ImportListing::default()
    })
}

/// Two types, two neighbourhoods, four places.
pub(crate) fn small_city() -> Vec<Item> {
    vec![
        kind("cafes", "Cafés", "Café"),
        kind("bars", "Bars", "Bar"),
        area("Kensington Market", -79.4),
        area("Parkdale", -79.6),
        place("tin", "Tin Kettle Coffee", "cafes", -79.4),
        place("slow", "Slow Tram", "cafes", -79.6),
        place("wave", "Longwave", "bars", -79.6),
        place("glou", "Glou Lane", "bars", -79.4),
    ]
}
