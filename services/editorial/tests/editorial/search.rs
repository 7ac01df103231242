//! The search: its index follows items and places, and answers whatever is asked.

use chassis::{
    bus::{Bus as _, Durability, Message},
    error::{Code, Fault},
};
use chrono::TimeDelta;
use cityguide_proto::{
    editorial::v1::{
        FoundKind, ListMissesRequest, NoteMissRequest, Position, RebuildRequest, SearchRequest,
    },
    events::v1::{ItemsChanged, ReplayRequest},
    exchange, key,
    places::v1::{ImportBestOfList, import_request::Item},
};
use prost::Message as _;
use testkit::{bus::Recorder, calls, until, until_within};
use uuid::Uuid;

use crate::{
    bench::{article, event, video},
    search_city::{City, FOLLOWS, kind, place, request, small_city, text},
};

#[tokio::test]
async fn what_changes_is_found_as_it_is_now() {
    let city = City::start().await;
    city.import_places(small_city()).await;
    city.bench
        .import([
            article("A lighthouse named after a cat", "news", 2),
            video("Night ferry"),
        ])
        .await;
    city.comes_to("lighthouse", &["A lighthouse named after a cat"])
        .await;
    city.comes_to("ferry", &["Night ferry"]).await;
    city.comes_to("longwave", &["Longwave"]).await;
    city.import_places([place("wave", "Shortwave", "bars", -79.6)])
        .await;
    city.comes_to("shortwave", &["Shortwave"]).await;
    city.comes_to("\"longwave\"", &[]).await;
    // A list is found by its name, and its places by that name too, below it.
    let list = Item::BestOfList(ImportBestOfList {
        source_id: "test:list".to_owned(),
        slug: "patios".to_owned(),
        name: "The best patios".to_owned(),
        date_published: Some(chassis::instant::to_proto(crate::bench::utc(
            "2026-01-02T12:00:00Z",
        ))),
        entries: vec![cityguide_proto::places::v1::ImportBestOfEntry {
            listing_source_id: "test:glou".to_owned(),
            ..Default::default()
        }],
        ..ImportBestOfList::default()
    });
    city.import_places([list]).await;
    city.comes_to("patios", &["The best patios", "Glou Lane"])
        .await;
    // The type's new name is that of all its places.
    city.import_places([kind("bars", "Taverns", "Tavern")])
        .await;
    city.comes_to("taverns", &["Glou Lane", "Shortwave"]).await;
}

#[tokio::test]
async fn what_very_many_have_is_suggested_and_found_among_the_best() {
    let city = City::start().await;
    city.import_places(small_city()).await;
    city.comes_to("longwave", &["Longwave"]).await;
    // As if six thousand others had the same words; a kind that hardly has them is looked through as well.
    let mut database = city.bench.parts.database.connection().await;
    let more = "INSERT INTO editorial.search_documents (kind, id, name, path, labels, passage, is_closed, is_free, published_at,
            quality, stems, words)
        SELECT 'video', 1000000 + i, 'Longwave number ' || i, '/videos/x-' || i || '/', '', '', false, false, now(),
            i / 100000.0, '''longwav'':1A'::tsvector, '''longwave'':1A'::tsvector FROM generate_series(1, 6000) i";
    let words = "UPDATE editorial.search_words SET documents = 6001 WHERE word = 'longwave'";
    let revision = "UPDATE editorial.search_revision SET revision = revision + 1";
    for statement in [more, words, revision] {
        let done = sqlx::query(statement).execute(&mut database).await;
        done.expect(statement);
    }
    until_within(
        "the words are read",
        std::time::Duration::from_secs(10),
        async || {
            let suggested = city.suggestions("lon").await;
            (suggested.len() == 8).then_some(())
        },
    )
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
async fn the_words_of_the_index_are_counted_as_they_are() {
    let city = City::start().await;
    city.import_places(small_city()).await;
    city.bench
        .import([article("Kettles and a cat", "news", 2)])
        .await;
    city.comes_to("cat", &["Kettles and a cat"]).await;
    city.import_places([place("tin", "Tin Kettle", "cafes", -79.4)])
        .await;
    until_within("the old name is gone", FOLLOWS, async || {
        let old = "SELECT count(*) FROM editorial.search_documents WHERE name LIKE '%Coffee%'";
        (city.number(old).await == 0).then_some(())
    })
    .await;
    let differences = "SELECT count(*) FROM
        (SELECT word, count(*) AS documents FROM editorial.search_documents, unnest(tsvector_to_array(words)) AS w (word)
         GROUP BY word) d
        FULL JOIN editorial.search_words s USING (word) WHERE d.documents IS DISTINCT FROM s.documents";
    assert_eq!(city.number(differences).await, 0);
    assert!(
        city.number("SELECT count(*) FROM editorial.search_words")
            .await
            > 10
    );
}

#[tokio::test]
async fn of_an_age_restricted_item_the_index_has_the_name_alone() {
    let city = City::start().await;
    let mut secret = article("A quiet supper", "food", 2);
    secret.is_age_restricted = true;
    secret.excerpt = "About edibles.".to_owned();
    secret.body_markdown = "Every dish is an *edible*.".to_owned();
    city.bench
        .import([secret, article("A loud supper", "food", 3)])
        .await;
    city.comes_to("supper", &["A loud supper", "A quiet supper"])
        .await;
    assert_eq!(city.names("edible").await, [""; 0]);
    let found = city.search(request("supper")).await.expect("answers");
    let quiet = found
        .hits
        .iter()
        .find(|hit| text(&hit.name).contains("quiet"))
        .expect("found");
    assert_eq!(quiet.text, []);
    let stored = "SELECT count(*) FROM editorial.search_documents d WHERE d::text ILIKE '%edibl%'";
    assert_eq!(city.number(stored).await, 0);
}

#[tokio::test]
async fn everything_can_be_indexed_anew_while_the_index_answers() {
    let city = City::start().await;
    city.import_places(small_city()).await;
    city.bench
        .import([article("A lighthouse", "news", 2)])
        .await;
    city.comes_to("longwave", &["Longwave"]).await;
    city.comes_to("lighthouse", &["A lighthouse"]).await;
    let rebuild = || RebuildRequest {};
    let refused = city
        .client
        .clone()
        .rebuild(calls::guest(rebuild()))
        .await
        .expect_err("refused");
    assert_eq!(Fault::from(refused).code, Code::Forbidden);
    // What was lost comes back; what is there stays.
    let mut connection = city.bench.parts.database.connection().await;
    sqlx::query("DELETE FROM editorial.search_documents WHERE name <> 'Longwave'")
        .execute(&mut connection)
        .await
        .expect("deletes");
    let marked = city
        .client
        .clone()
        .rebuild(calls::operator(rebuild()))
        .await
        .expect("accepted");
    assert!(marked.into_inner().documents >= 2);
    assert_eq!(city.names("longwave").await, ["Longwave"]);
    city.comes_to("lighthouse", &["A lighthouse"]).await;
    city.comes_to("kettle", &["Tin Kettle Coffee"]).await;
    assert_eq!(city.names("longwave").await, ["Longwave"]);
}

#[tokio::test]
async fn a_replay_tells_everything_and_has_nothing_indexed_anew() {
    let city = City::start().await;
    let items = ["A lighthouse", "A ferry"].map(|name| article(name, "news", 2));
    city.bench.import(items).await;
    city.comes_to("lighthouse", &["A lighthouse"]).await;
    let bus = city.bench.parts.bus.as_ref();
    let (changed, durability) = (key::ITEMS_CHANGED, Durability::Durable);
    let told = Recorder::on(bus, "told", exchange::CATALOG, changed, durability).await;
    let turns = "SELECT last_value FROM editorial.search_turns";
    let before = city.number(turns).await;
    let request = Message {
        id: Uuid::from_u128(1),
        exchange: exchange::REPLAY.to_owned(),
        key: exchange::CATALOG.to_owned(),
        payload: ReplayRequest::default().encode_to_vec().into(),
        traceparent: None,
    };
    bus.publish(request).await.expect("replayed");
    until("both items are told", async || {
        let told = told.payloads().into_iter();
        let items = told.flat_map(|event| {
            let event = ItemsChanged::decode(event.as_slice());
            event.expect("an event").items
        });
        (items.count() >= 2).then_some(())
    })
    .await;
    assert_eq!(city.number(turns).await, before);
}

#[tokio::test]
async fn what_cannot_be_indexed_holds_nothing_up() {
    let city = City::start().await;
    let mut connection = city.bench.parts.database.connection().await;
    sqlx::query("ALTER TABLE editorial.search_documents ADD CHECK (name <> 'Poison')")
        .execute(&mut connection)
        .await
        .expect("alters");
    let items = ["A lighthouse", "Poison", "A ferry"].map(|name| article(name, "news", 2));
    city.bench.import(items).await;
    city.comes_to("lighthouse", &["A lighthouse"]).await;
    city.comes_to("ferry", &["A ferry"]).await;
    city.comes_to("poison", &[]).await;
    let due = "SELECT count(*) FROM editorial.search_due WHERE kind = 'item'";
    assert_eq!(city.number(due).await, 0);
}

#[tokio::test]
async fn a_change_that_takes_long_holds_no_other_up() {
    let city = City::start().await;
    city.bench
        .import([article("A lighthouse", "news", 2)])
        .await;
    city.comes_to("lighthouse", &["A lighthouse"]).await;
    let mut connection = city.bench.parts.database.connection().await;
    let mark = "INSERT INTO editorial.search_due (kind, id) SELECT 'item', id FROM editorial.items
        ON CONFLICT (kind, id) DO UPDATE SET turn = nextval('editorial.search_turns')";
    for statement in [mark, "BEGIN", mark] {
        sqlx::query(statement)
            .execute(&mut connection)
            .await
            .expect("runs");
    }
    city.bench.import([article("A ferry", "news", 3)]).await;
    city.comes_to("ferry", &["A ferry"]).await;
    sqlx::query("COMMIT")
        .execute(&mut connection)
        .await
        .expect("commits");
    until_within("nothing is due", FOLLOWS, async || {
        let due = city
            .number("SELECT count(*) FROM editorial.search_due")
            .await;
        (due == 0).then_some(())
    })
    .await;
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
    city.bench
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
async fn of_words_that_very_many_have_the_best_are_found() {
    let city = City::start().await;
    city.import_places(small_city()).await;
    let bars = ["Longwave", "Glou Lane"];
    city.comes_to("bars", &bars).await;
    let mut connection = city.bench.parts.database.connection().await;
    for statement in [
        "UPDATE editorial.search_words SET documents = 100000 WHERE word = 'bars'",
        "UPDATE editorial.search_revision SET revision = revision + 1",
    ] {
        sqlx::query(statement)
            .execute(&mut connection)
            .await
            .expect("updates");
    }
    until_within("more are expected than are ranked", FOLLOWS, async || {
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
async fn suggestions_follow_what_gets_a_name_another_name_or_closes() {
    let city = City::start().await;
    city.import_places(small_city()).await;
    city.comes_to_suggest("slo", &["Slow Tram"]).await;
    city.import_places([place("slow", "Quick Tram", "cafes", -79.6)])
        .await;
    city.comes_to_suggest("quick", &["Quick Tram"]).await;
    city.comes_to_suggest("slow t", &[]).await;
    city.bench.import([video("Tram by night")]).await;
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
    // One network is one, however often it asks.
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
    // The networks are forgotten with their week, and the words after some more.
    let digests = "SELECT count(*) FROM editorial.search_miss_networks";
    assert_eq!(city.number(digests).await, 9);
    city.bench.parts.clock.advance(TimeDelta::weeks(1));
    assert_eq!(misses().await, [("creme brulee".to_owned(), 5)]);
    assert_eq!(city.number(digests).await, 0);
    assert_eq!(
        city.number("SELECT count(*) FROM editorial.search_miss_weeks")
            .await,
        0
    );
    city.bench.parts.clock.advance(TimeDelta::weeks(8));
    assert_eq!(misses().await, []);
    assert_eq!(
        city.number("SELECT count(*) FROM editorial.search_misses")
            .await,
        0
    );
}
