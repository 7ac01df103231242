//! Inspections: imported with a matching of establishments and places, and read by place.

use chassis::error::{Code, Fault};
use cityguide_proto::{
    intake::v1::{Finish, Report},
    paging::v1::PageRequest,
};
use places_proto::v1::{
    EstablishmentCounts, ImportInspectionRow, ImportInspectionsRequest, ImportInspectionsResponse,
    ImportListing, ImportMatchDecision, ImportType, Include, ListInspectionsRequest,
    ListInspectionsResponse, Severity, import_inspections_request::Item,
    import_request::Item as PlacesItem, inspections_client::InspectionsClient,
};
use testkit::calls;

use crate::fixture::{Fixture, counts, kind, place_at};

const LONGITUDE: f64 = -79.38;
const LATITUDE: f64 = 43.65;

/// A restaurant, and a park with the same name beside it.
async fn city() -> Fixture {
    let fixture = Fixture::new().await;
    let pai = || ImportListing {
        address: Some("18 Duncan Street".to_owned()),
        ..place_at(1, "Pai", LONGITUDE, LATITUDE)
    };
    let park = ImportListing {
        source_id: "test:2".to_owned(),
        name: "Pai Park".to_owned(),
        type_slug: "parks".to_owned(),
        ..pai()
    };
    let items = [
        kind("restaurants"),
        PlacesItem::Type(parks()),
        PlacesItem::Listing(pai()),
        PlacesItem::Listing(park),
    ];
    fixture.import(items).await;
    fixture
}

/// A type whose places are not inspected.
fn parks() -> ImportType {
    ImportType {
        slug: "parks".to_owned(),
        name: "Parks".to_owned(),
        name_singular: "Park".to_owned(),
        ..ImportType::default()
    }
}

fn row(establishment: &str, inspection: &str, date: &str, details: &str) -> ImportInspectionRow {
    ImportInspectionRow {
        position: format!("{inspection} {details}"),
        establishment_id: establishment.to_owned(),
        inspection_id: inspection.to_owned(),
        establishment_name: "PAI RESTAURANT".to_owned(),
        establishment_type: "Restaurant".to_owned(),
        address: "18 DUNCAN ST".to_owned(),
        latitude: Some(LATITUDE),
        longitude: Some(LONGITUDE),
        outcome: "Pass".to_owned(),
        date: date.to_owned(),
        details: details.to_owned(),
        severity: Severity::Minor.into(),
        ..ImportInspectionRow::default()
    }
}

/// Two inspections of one establishment, with non-adjacent rows, and an inspection of an establishment without a place.
fn register() -> Vec<ImportInspectionRow> {
    let crucial = ImportInspectionRow {
        severity: Severity::Crucial.into(),
        action: "Ticket".to_owned(),
        fine_cents: Some(61_000),
        ..row("10", "100", "2020-02-14", "Rats")
    };
    vec![
        row("10", "100", "2020-02-14", "Dust"),
        ImportInspectionRow {
            establishment_name: "ELSEWHERE".to_owned(),
            address: "900 FAR AWAY RD".to_owned(),
            latitude: None,
            longitude: None,
            ..row("20", "200", "2020-01-02", "")
        },
        row("10", "101", "2020-05-01", ""),
        crucial,
    ]
}

async fn send(
    fixture: &Fixture,
    items: impl IntoIterator<Item = Item>,
) -> Result<ImportInspectionsResponse, Fault> {
    let messages = items
        .into_iter()
        .map(|item| ImportInspectionsRequest { item: Some(item) });
    let messages: Vec<_> = messages.collect();
    let stream = calls::operator(futures::stream::iter(messages));
    let mut client = InspectionsClient::new(fixture.service.transport());
    Ok(client.import(stream).await?.into_inner())
}

async fn import(
    fixture: &Fixture,
    rows: Vec<ImportInspectionRow>,
) -> (Report, EstablishmentCounts) {
    let items = rows.into_iter().map(Item::Row);
    let finish = Item::Finish(Finish::default());
    let answer = send(fixture, items.chain([finish])).await.expect("imports");
    (
        answer.report.expect("a report"),
        answer.establishments.expect("counts"),
    )
}

async fn inspections(
    fixture: &Fixture,
    listing_id: i64,
    page: PageRequest,
) -> Result<ListInspectionsResponse, Fault> {
    let request = ListInspectionsRequest {
        listing_id,
        page: Some(page),
    };
    let mut client = InspectionsClient::new(fixture.service.transport());
    Ok(client
        .list_inspections(calls::guest(request))
        .await?
        .into_inner())
}

fn page(limit: u32) -> PageRequest {
    PageRequest {
        limit,
        ..PageRequest::default()
    }
}

#[tokio::test]
async fn rows_become_the_timeline_of_the_place_and_the_same_file_changes_nothing() {
    let fixture = city().await;
    let published = fixture.published().await.len();
    let (report, establishments) = import(&fixture, register()).await;
    assert_eq!(counts(&report, "rows"), (4, 0, 0, 0));
    let expected = EstablishmentCounts {
        matched: 1,
        unmatched: 1,
        ..EstablishmentCounts::default()
    };
    assert_eq!(establishments, expected);
    let places = fixture.by_name().await;
    let id = places["Pai"].id;
    let announced: Vec<_> = fixture
        .published()
        .await
        .iter()
        .skip(published)
        .map(|one| one.id)
        .collect();
    assert_eq!(announced, [id]);

    let found = inspections(&fixture, id, page(1)).await.expect("a page");
    assert_eq!(found.page.as_ref().expect("a page").count, 2);
    assert_eq!(found.inspections[0].date, "2020-05-01");
    assert!(found.inspections[0].infractions.is_empty());
    let after = found.page.and_then(|page| page.next_after).expect("more");
    let next = PageRequest { after, ..page(1) };
    let found = inspections(&fixture, id, next).await.expect("a page");
    assert_eq!(found.page.and_then(|page| page.next_after), None);
    let infractions = &found.inspections[0].infractions;
    let details: Vec<_> = infractions.iter().map(|one| one.details.as_str()).collect();
    assert_eq!(details, ["Rats", "Dust"]);
    assert_eq!(infractions[0].fine_cents, Some(61_000));

    // The order of the rows does not matter, and repeated rows have no effect.
    let mut again = register();
    again.reverse();
    again.extend(register());
    let (report, establishments) = import(&fixture, again).await;
    assert_eq!(counts(&report, "rows"), (0, 0, 8, 0));
    assert_eq!(establishments, expected);
    assert_eq!(fixture.published().await.len(), published + 1);
}

#[tokio::test]
async fn a_place_without_inspections_has_none_and_there_must_be_a_place() {
    let fixture = city().await;
    import(&fixture, register()).await;
    let park = fixture.by_name().await["Pai Park"].id;
    let none = inspections(&fixture, park, page(12)).await.expect("a page");
    assert_eq!(
        (none.inspections.len(), none.page.expect("a page").count),
        (0, 0)
    );
    let absent = inspections(&fixture, 999_999, page(12))
        .await
        .expect_err("none");
    assert_eq!(absent.code, Code::NotFound);
    let made_up = PageRequest {
        ordering: "name".to_owned(),
        ..page(12)
    };
    let odd = inspections(&fixture, park, made_up)
        .await
        .expect_err("refused");
    assert_eq!(odd.code, Code::Invalid);
    let detail = fixture.detail(park, &[Include::Inspections]).await;
    assert!(
        detail
            .inspections
            .expect("requested")
            .inspections
            .is_empty()
    );
    assert_eq!(fixture.detail(park, &[]).await.inspections, None);
}

#[tokio::test]
async fn what_differs_is_changed_and_an_older_file_does_not_rename_an_establishment() {
    let fixture = city().await;
    import(&fixture, register()).await;
    let mut convicted = register();
    convicted[3].court_outcome = "Conviction - Fined".to_owned();
    let (report, _) = import(&fixture, convicted).await;
    // Both rows of the inspection count as changed, because its infractions differ.
    assert_eq!(counts(&report, "rows"), (0, 2, 2, 0));
    let fields: Vec<_> = report
        .changes
        .iter()
        .map(|change| change.fields.join(","))
        .collect();
    assert_eq!(fields, ["inspection", "inspection"]);

    let name = |name: &str, date: &str, inspection: &str| ImportInspectionRow {
        establishment_name: name.to_owned(),
        ..row("10", inspection, date, "")
    };
    let (report, establishments) =
        import(&fixture, vec![name("PAI OLD", "2019-01-01", "90")]).await;
    assert_eq!(counts(&report, "rows"), (1, 0, 0, 0));
    assert_eq!(establishments.matched, 1);
    // Another business has taken over the establishment, so it no longer matches the place.
    let (report, establishments) =
        import(&fixture, vec![name("FRESHII", "2021-01-01", "110")]).await;
    assert_eq!(counts(&report, "rows"), (1, 0, 0, 0));
    assert_eq!((establishments.matched, establishments.unmatched), (0, 2));
    let id = fixture.by_name().await["Pai"].id;
    let none = inspections(&fixture, id, page(12)).await.expect("a page");
    assert!(none.inspections.is_empty());
}

#[tokio::test]
async fn rows_that_contradict_each_other_are_refused_and_too_many_refusals_change_nothing() {
    let fixture = city().await;
    let odd = |most| {
        let contradicting = [
            row("10", "100", "2020-02-15", "Mould"),
            row("10", "102", "soon", "Mould"),
            row("", "103", "2020-02-15", "Mould"),
        ];
        let finish = Finish {
            refuse_at_most: Some(most),
            ..Finish::default()
        };
        let rows = register().into_iter().chain(contradicting);
        rows.map(Item::Row).chain([Item::Finish(finish)])
    };
    let answer = send(&fixture, odd(2)).await.expect("answers");
    let report = answer.report.expect("a report");
    assert!(!report.applied);
    assert_eq!(counts(&report, "rows"), (4, 0, 0, 3));
    let mut reasons: Vec<_> = report
        .refusals
        .iter()
        .map(|one| one.reason.as_str())
        .collect();
    reasons.sort_unstable();
    let expected = [
        "an earlier row gives its inspection another date or status",
        "the establishment id is missing",
        "the inspection date \"soon\" is no date",
    ];
    assert_eq!(reasons, expected);
    let stored = "SELECT count(*) FROM places.establishments";
    assert_eq!(fixture.parts.database.number(stored).await, 0);
    let answer = send(&fixture, odd(3)).await.expect("answers");
    assert!(answer.report.expect("a report").applied);
    assert_eq!(fixture.parts.database.number(stored).await, 2);
    let left = "SELECT count(*) FROM places.inspection_rows";
    assert_eq!(fixture.parts.database.number(left).await, 0);

    let unfinished = send(&fixture, register().into_iter().map(Item::Row)).await;
    assert_eq!(unfinished.expect_err("refused").code, Code::Invalid);
}

#[tokio::test]
async fn a_doubtful_pair_is_told_and_a_decision_about_it_holds() {
    let fixture = city().await;
    let rows = || {
        let doubtful = ImportInspectionRow {
            establishment_name: "PAI NORTHERN".to_owned(),
            address: "30 DUNCAN ST".to_owned(),
            ..row("10", "100", "2020-02-14", "")
        };
        [Item::Row(doubtful), Item::Finish(Finish::default())]
    };
    let answer = send(&fixture, rows()).await.expect("imports");
    assert_eq!(answer.establishments.expect("counts").doubtful, 1);
    let pair = &answer.doubtful[0];
    assert_eq!(pair.listing_source_id, "test:1");
    assert_eq!(
        (pair.reason.as_str(), pair.metres),
        ("the addresses differ", Some(0))
    );

    let decide = |is_same, place: &str| {
        Item::Decision(ImportMatchDecision {
            position: "line 2".to_owned(),
            establishment_id: "10".to_owned(),
            listing_source_id: place.to_owned(),
            is_same,
        })
    };
    let items = [decide(true, "test:1"), decide(true, "test:none")];
    let answer = send(&fixture, items.into_iter().chain(rows()))
        .await
        .expect("imports");
    let report = answer.report.expect("a report");
    assert_eq!(counts(&report, "decisions"), (1, 0, 0, 1));
    assert_eq!(counts(&report, "rows"), (0, 1, 0, 0));
    assert_eq!(report.changes[1].fields, ["place"]);
    assert_eq!(answer.establishments.expect("counts").decided, 1);
    assert!(answer.doubtful.is_empty());

    let answer = send(&fixture, rows()).await.expect("imports");
    assert_eq!(
        counts(&answer.report.expect("a report"), "rows"),
        (0, 0, 1, 0)
    );
    let items = [decide(false, "test:1")].into_iter().chain(rows());
    let answer = send(&fixture, items).await.expect("imports");
    assert_eq!(
        counts(&answer.report.expect("a report"), "decisions"),
        (0, 1, 0, 0)
    );
    assert_eq!(answer.establishments.expect("counts").unmatched, 1);
}
