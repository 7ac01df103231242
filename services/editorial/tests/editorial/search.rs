//! Search results for queries of all kinds.

use std::time::Duration;

use chassis::error::{Code, Fault};
use chrono::TimeDelta;
use editorial_proto::v1::{
    FoundKind, ListMissesRequest, NoteMissRequest, Position, SearchRequest,
    search_client::SearchClient,
};
use places_proto::v1::import_request::Item;
use sqlx::{Connection, PgConnection};
use testkit::{calls, until};

use crate::{
    fixture::{Fixture, article, event, video},
    search_city::{City, place, request, small_city, suggestions, text},
};

/// The default timeout of read-only calls (`rpc.read_timeout_milliseconds`).
const READ: Duration = Duration::from_secs(1);

/// Adds six thousand videos, three times as many as are ranked, with these stems and words to the index; the last video
/// is the best.
async fn add_videos(city: &City, name: &str, stems: &str, words: &str) -> PgConnection {
    let mut database = city.fixture.parts.database.connection().await;
    let more = "INSERT INTO editorial.search_documents (kind, id, name, path, labels, passage, is_closed, is_free, published_at,
            quality, stems, words)
        SELECT 'video', 1000000 + i, $1 || i, '/videos/x-' || i || '/', '', '', false, false, now(),
            i / 100000.0, $2::tsvector, $3::tsvector FROM generate_series(1, 6000) i";
    let more = sqlx::query(more).bind(name).bind(stems).bind(words);
    more.execute(&mut database).await.expect("inserts");
    database
}

#[tokio::test]
async fn of_very_many_with_a_word_in_their_texts_the_best_are_found() {
    let city = City::start().await;
    city.import_places(small_city()).await;
    city.comes_to("longwave", &["Longwave"]).await;
    let mut database = add_videos(&city, "Film ", "'furnac':9", "'film':1A").await;
    let found = city.search(request("furnace")).await.expect("answers");
    let names: Vec<String> = found.hits.iter().map(|hit| text(&hit.name)).collect();
    assert_eq!(names[..2], ["Film 6000", "Film 5999"]);
    assert_eq!(found.count, -1, "not all were considered");
    // No document has both words. A word of a name counts more than a word of a text.
    let found = city.names("longwave furnace").await;
    assert_eq!(found[..2], ["Longwave", "Film 6000"], "{found:?}");
    // Once PostgreSQL has counted the words, a frequent word adds no documents that lack the rare one.
    let analyze = "ANALYZE editorial.search_documents";
    let analyzed = sqlx::query(analyze).execute(&mut database).await;
    analyzed.expect(analyze);
    until("the numbers of documents are read", async || {
        (city.names("longwave furnace").await == ["Longwave"]).then_some(())
    })
    .await;
}

#[tokio::test]
async fn what_very_many_have_is_suggested_and_found_among_the_best() {
    let city = City::start().await;
    city.import_places(small_city()).await;
    city.comes_to("longwave", &["Longwave"]).await;
    // As if six thousand other documents contained the same words; a kind with few such documents is searched too.
    let mut database = add_videos(&city, "Longwave number ", "'longwav':1A", "'longwave':1A").await;
    let words = "UPDATE editorial.search_words SET documents = 6001 WHERE word = 'longwave'";
    let revision = "UPDATE editorial.search_revision SET revision = revision + 1";
    for statement in [words, revision] {
        let done = sqlx::query(statement).execute(&mut database).await;
        done.expect(statement);
    }
    until("the words are read", async || {
        let suggested = city.suggestions("lon").await;
        (suggested.len() == 8).then_some(())
    })
    .await;
    let suggested = city.suggestions("lon").await;
    let named = |name: &str| suggested.iter().any(|(text, _)| text == name);
    assert!(
        named("Longwave") && named("Longwave number 6000"),
        "{suggested:?}"
    );
    let found = city.names("longwave").await;
    assert!(found.contains(&"Longwave".to_owned()), "{found:?}");
}

#[tokio::test]
async fn whatever_is_typed_is_answered() {
    let city = City::start().await;
    city.import_places(small_city()).await;
    city.comes_to("longwave", &["Longwave"]).await;
    for query in [
        "",
        " ",
        "'",
        "''",
        "\\",
        "%",
        "_",
        "&",
        "|",
        "!",
        "(",
        "a:*",
        "a & b",
        "<->",
        "\"",
        "“open now",
        "\u{202e}",
        "ẞ",
        "İ",
        "日本",
        "🍜",
        "a\u{301}\u{301}",
        "-1",
        "1e9",
        "open",
        "in the",
        "by",
        "free free free",
        "\t\n",
        "null",
        "' OR 1=1 --",
        "$1",
        "{}",
        "x:1A",
        "near me near me",
        "tonight tomorrow this weekend",
    ] {
        let found = city.search(request(query)).await;
        assert!(found.is_ok(), "{query:?}: {found:?}");
        city.suggestions(query).await;
    }
    let long = "a ".repeat(100);
    assert!(city.search(request(&long)).await.is_ok());
    for query in ["a".repeat(201), "a\0b".to_owned()] {
        let refused = city.search(request(&query)).await.expect_err("refused");
        assert_eq!(refused.code, Code::Invalid);
        assert_eq!(refused.fields[0].field, "q");
    }
    let beyond = SearchRequest {
        offset: 10_001,
        ..request("longwave")
    };
    assert_eq!(
        city.search(beyond).await.expect_err("refused").code,
        Code::Invalid
    );
}

#[tokio::test]
async fn pages_follow_each_other_and_near_things_come_first() {
    let city = City::start().await;
    city.import_places(small_city()).await;
    city.fixture
        .import([event(
            "Open mic",
            "2026-11-21T20:00:00",
            "2026-11-21T22:00:00",
            "",
        )])
        .await;
    city.comes_to("mic", &["Open mic"]).await;
    let near = Some(Position {
        latitude: 43.5,
        longitude: -79.6,
    });
    let found = city
        .search(SearchRequest {
            near,
            ..request("cafes near me")
        })
        .await
        .expect("answers");
    let distances: Vec<_> = found
        .hits
        .iter()
        .map(|hit| (text(&hit.name), hit.distance_metres))
        .collect();
    assert_eq!(distances[0], ("Slow Tram".to_owned(), Some(0)));
    assert!(
        distances[1]
            .1
            .is_some_and(|metres| (16_000..16_300).contains(&metres)),
        "{distances:?}"
    );
    let all = city.names("bars cafes").await;
    let mut paged = Vec::new();
    for offset in 0.. {
        let page = SearchRequest {
            offset,
            limit: 1,
            ..request("bars cafes")
        };
        let page = city.search(page).await.expect("answers");
        assert_eq!(page.count, 4);
        paged.extend(page.hits.iter().map(|hit| text(&hit.name)));
        if !page.has_more {
            break;
        }
    }
    assert_eq!(paged, all);
    let of_kind = SearchRequest {
        kinds: vec![FoundKind::Event.into()],
        ..request("tomorrow")
    };
    let found = city.search(of_kind).await.expect("answers");
    assert_eq!(
        found
            .hits
            .iter()
            .map(|hit| text(&hit.name))
            .collect::<Vec<_>>(),
        ["Open mic"]
    );
}

#[tokio::test]
async fn near_me_orders_by_distance_to_the_end() {
    let city = City::start().await;
    city.import_places(small_city()).await;
    // Imported in an order different from their distances: 8 km, 2 km, 24 km, 5 km.
    city.import_places(
        [
            ("Eight", -79.5),
            ("Two", -79.575),
            ("More", -79.3),
            ("Five", -79.54),
        ]
        .map(|(name, longitude)| place(name, name, "cafes", longitude)),
    )
    .await;
    city.comes_to("five", &["Five"]).await;
    let near = Some(Position {
        latitude: 43.5,
        longitude: -79.6,
    });
    for query in ["near me", "cafes near me"] {
        let found = city
            .search(SearchRequest {
                near,
                ..request(query)
            })
            .await
            .expect("answers");
        let distances: Vec<_> = found.hits.iter().map(|hit| hit.distance_metres).collect();
        assert!(distances.len() >= 6, "{query}: {distances:?}");
        assert!(
            distances.iter().all(Option::is_some) && distances.is_sorted(),
            "{query}: {distances:?}"
        );
    }
}

#[tokio::test]
async fn of_words_that_very_many_have_the_best_are_found() {
    let city = City::start().await;
    city.import_places(small_city()).await;
    let bars = ["Longwave", "Glou Lane"];
    city.comes_to("bars", &bars).await;
    let mut connection = city.fixture.parts.database.connection().await;
    for statement in [
        "UPDATE editorial.search_words SET documents = 100000 WHERE word = 'bars'",
        "UPDATE editorial.search_revision SET revision = revision + 1",
    ] {
        sqlx::query(statement)
            .execute(&mut connection)
            .await
            .expect("updates");
    }
    until("more are expected than are ranked", async || {
        let found = city.search(request("bars")).await.expect("answers");
        let names: Vec<String> = found.hits.iter().map(|hit| text(&hit.name)).collect();
        assert_eq!(names, bars);
        (found.count == -1).then_some(())
    })
    .await;
}

#[tokio::test]
async fn what_is_being_typed_is_completed_and_corrected() {
    let city = City::start().await;
    city.import_places(small_city()).await;
    city.comes_to("longwave", &["Longwave"]).await;
    city.comes_to_suggest("lon", &["Longwave"]).await;
    city.comes_to_suggest("TIN k", &["Tin Kettle Coffee"]).await;
    city.comes_to_suggest("kens", &["Kensington Market"]).await;
    city.comes_to_suggest("bars in par", &["Bars in Parkdale"])
        .await;
    assert_eq!(
        city.suggestions("bars in par").await[0].1,
        "/bars/?neighbourhood=parkdale"
    );
    assert_eq!(
        city.suggestions("cafe").await[0],
        ("Cafés".to_owned(), "/cafes/".to_owned())
    );
    city.comes_to_suggest("lognwave", &["longwave", "Longwave"])
        .await;
    city.comes_to_suggest("xylophone", &[]).await;
}

#[tokio::test]
async fn a_letter_is_answered_by_types_alone_while_a_process_first_reads_the_names() {
    let city = City::start().await;
    city.import_places(small_city()).await;
    city.comes_to("longwave", &["Longwave"]).await;
    let started = Fixture::on(city.fixture.parts.clone()).await;
    let mut connection = city.fixture.parts.database.connection().await;
    let mut transaction = connection.begin().await.expect("begins");
    sqlx::query("LOCK TABLE editorial.search_documents")
        .execute(&mut *transaction)
        .await
        .expect("locks");
    let client = SearchClient::new(started.service.transport());
    let typed = async |query: &str| {
        let found = tokio::time::timeout(READ, suggestions(&client, query)).await;
        let found = found.expect("in time").into_iter();
        found.map(|(text, _)| text).collect::<Vec<_>>()
    };
    assert_eq!(typed("cafe").await, ["Cafés"]);
    assert_eq!(typed("longw").await, [""; 0]);
    transaction.rollback().await.expect("ends");
    assert_eq!(typed("longw").await, ["Longwave"]);
}

#[tokio::test]
async fn suggestions_follow_what_gets_a_name_another_name_or_closes() {
    let city = City::start().await;
    city.import_places(small_city()).await;
    city.comes_to_suggest("slo", &["Slow Tram"]).await;
    city.import_places([place("slow", "Quick Tram", "cafes", -79.6)])
        .await;
    city.comes_to_suggest("quick", &["Quick Tram"]).await;
    city.comes_to_suggest("slow t", &[]).await;
    city.fixture.import([video("Tram by night")]).await;
    city.comes_to_suggest("tram", &["Tram by night", "Quick Tram"])
        .await;
    let Item::Listing(mut closed) = place("slow", "Quick Tram", "cafes", -79.6) else {
        unreachable!("a place is a listing");
    };
    closed.is_closed = true;
    city.import_places([Item::Listing(closed)]).await;
    city.comes_to_suggest("tram", &["Tram by night"]).await;
}

#[tokio::test]
async fn what_is_searched_for_in_vain_is_known_once_several_networks_have_and_for_a_time() {
    let city = City::start().await;
    let note = async |query: &str, network: &str| {
        let request = calls::guest(NoteMissRequest {
            query: query.to_owned(),
            network: network.to_owned(),
        });
        let noted = city.client.clone().note_miss(request).await;
        noted.map(drop).map_err(Fault::from)
    };
    let misses = async || {
        let request = calls::operator(ListMissesRequest {});
        let found = city.client.clone().list_misses(request).await;
        let misses = found.expect("answers").into_inner().misses.into_iter();
        misses
            .map(|miss| (miss.query, miss.networks))
            .collect::<Vec<_>>()
    };
    for network in 1..=4 {
        let network = format!("203.0.{network}.0/24");
        for query in ["Crème brûlée", "creme  brulee!", "someone's own"] {
            note(query, &network).await.expect("counted");
        }
    }
    // A network counts once, even if it repeats the search.
    for _ in 0..9 {
        note("someone's own", "203.0.1.0/24")
            .await
            .expect("counted");
    }
    assert_eq!(misses().await, []);
    let text = "SELECT count(*) FROM editorial.search_misses WHERE query IS NOT NULL";
    assert_eq!(city.number(text).await, 0);
    note("Creme brulee", "203.0.9.0/24").await.expect("counted");
    assert_eq!(misses().await, [("creme brulee".to_owned(), 5)]);
    for (query, network) in [("", "203.0.1.0/24"), ("\u{1f35c}", "203.0.1.0/24")] {
        note(query, network).await.expect("has no words");
    }
    for (query, network) in [
        ("x".repeat(201), "203.0.1.0/24".to_owned()),
        ("x".to_owned(), String::new()),
        ("x".to_owned(), "x".repeat(65)),
    ] {
        let refused = note(&query, &network).await.expect_err("refused");
        assert_eq!(refused.code, Code::Invalid);
    }
    // The networks are deleted after their week, and the words some weeks later.
    let digests = "SELECT count(*) FROM editorial.search_miss_networks";
    assert_eq!(city.number(digests).await, 9);
    city.fixture.parts.clock.advance(TimeDelta::weeks(1));
    assert_eq!(misses().await, [("creme brulee".to_owned(), 5)]);
    assert_eq!(city.number(digests).await, 0);
    assert_eq!(
        city.number("SELECT count(*) FROM editorial.search_miss_weeks")
            .await,
        0
    );
    city.fixture.parts.clock.advance(TimeDelta::weeks(8));
    assert_eq!(misses().await, []);
    assert_eq!(
        city.number("SELECT count(*) FROM editorial.search_misses")
            .await,
        0
    );
}

#[tokio::test]
async fn an_item_is_found_first_by_its_own_name_whatever_its_words_mean() {
    let city = City::start().await;
    city.import_places(small_city()).await;
    city.import_places([
        place("oolong", "Oolong Weekend", "cafes", -79.4),
        place("open", "Always Open", "bars", -79.4),
        place("near", "Near Me", "bars", -79.6),
    ])
    .await;
    let names = [
        "A weekend on the islands, out of season",
        "Tonight",
        "Free events for kids",
        "Stories from Parkdale",
        "The bars of Kensington Market",
    ];
    let items = names.map(|name| article(name, "news", 2));
    city.fixture.import(items).await;
    city.fixture
        .import([event(
            "Island concert",
            "2026-11-20T20:00:00",
            "2026-11-20T22:00:00",
            "FREQ=DAILY",
        )])
        .await;
    until("all are indexed", async || {
        let due = city
            .number("SELECT count(*) FROM editorial.search_due")
            .await;
        (due == 0).then_some(())
    })
    .await;
    let places = ["Oolong Weekend", "Always Open", "Near Me", "Longwave"];
    for name in names.iter().chain(&places) {
        for query in [(*name).to_owned(), name.to_uppercase()] {
            until(&format!("{query:?} finds it first"), async || {
                let found = city.names(&query).await;
                (found.first().map(String::as_str) == Some(name)).then_some(())
            })
            .await;
        }
    }
    // If the recognised filter has no results, its words are searched instead.
    assert_eq!(city.names("season weekend").await[0], names[0]);
    let found = city
        .search(request("season weekend"))
        .await
        .expect("answers");
    assert_eq!(found.understood.expect("a meaning").taken, []);
    // The filter is applied in addition to the name.
    let found = city.names("Tonight").await;
    assert_eq!(found, ["Tonight", "Island concert"]);
}
