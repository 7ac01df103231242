//! Things of every kind are saved, listed and removed by one mechanism, each under its own names.

use std::collections::BTreeSet;

use reqwest::StatusCode;
use serde_json::{Value, json};

use crate::{
    app::{Browser, PASSWORD, answer},
    items,
    site::{Site, Split, journeys},
    streams::Stream,
};

/// A kind's names in the HTTP API, and the path of something that can be saved.
pub(crate) struct Kind {
    pub(crate) name: &'static str,
    map: &'static str,
    /// The field of a create request's body that contains the id of the item to save.
    field: &'static str,
    /// The field of a map entry that contains the id of the saved item.
    entry: &'static str,
    /// The field of a list entry that contains the saved item.
    item: &'static str,
    pub(crate) intent: &'static str,
    count: &'static str,
    target: &'static str,
}

pub(crate) const KINDS: [Kind; 6] = [
    Kind {
        name: "favourites",
        map: "listing_ids",
        field: "listing",
        entry: "listing_id",
        item: "listing",
        intent: "favourite",
        count: "favourites",
        target: "",
    },
    Kind {
        name: "todos",
        map: "listing_ids",
        field: "listing",
        entry: "listing_id",
        item: "listing",
        intent: "todo",
        count: "todos",
        target: "",
    },
    Kind {
        name: "article-bookmarks",
        map: "article_ids",
        field: "object_id",
        entry: "object_id",
        item: "article",
        intent: "article-bookmark",
        count: "article_bookmarks",
        target: "/news/bridge/",
    },
    Kind {
        name: "event-bookmarks",
        map: "event_ids",
        field: "object_id",
        entry: "object_id",
        item: "event",
        intent: "event-bookmark",
        count: "event_bookmarks",
        target: "/events/market/",
    },
    Kind {
        name: "video-bookmarks",
        map: "video_ids",
        field: "video",
        entry: "object_id",
        item: "video",
        intent: "video-bookmark",
        count: "video_bookmarks",
        target: "/videos/ferry/",
    },
    Kind {
        name: "ratings",
        map: "listing_ids",
        field: "listing",
        entry: "listing_id",
        item: "listing",
        intent: "rating",
        count: "ratings",
        target: "",
    },
];

/// The stars of every vote in these tests; other kinds ignore them.
const RATING: u8 = 4;

impl Kind {
    fn path(&self) -> String {
        format!("/api/v2/{}/", self.name)
    }

    fn record(&self, id: &Value) -> String {
        format!("{}{id}/", self.path())
    }

    fn body(&self, target: i64) -> Value {
        json!({ self.field: target, "rating": RATING })
    }

    /// A change of a record, for kinds whose records can change.
    fn change(&self) -> Option<Value> {
        match self.name {
            "todos" => Some(json!({"is_done": true})),
            "ratings" => Some(json!({"rating": RATING - 1})),
            _ => None,
        }
    }

    /// The id of something of this kind.
    pub(crate) async fn target(&self, browser: &Browser) -> i64 {
        if self.target.is_empty() {
            return 7;
        }
        items::id_at(browser, self.target).await
    }

    async fn save(&self, browser: &Browser, target: i64) -> (u16, Value) {
        answer(browser.post(&self.path(), &self.body(target)).await).await
    }

    async fn stamp(&self, browser: &Browser) -> Value {
        browser.json("/api/v2/profiles/hi/").await["last_updates"][self.name].clone()
    }

    /// The number of listed things.
    pub(crate) async fn listed(&self, browser: &Browser) -> Value {
        browser.json(&self.path()).await["count"].clone()
    }
}

/// A reader who is signed in, on a site with something of each kind.
async fn reader(app: &Site) -> Browser {
    items::publish(app.settings(), items::output()).await;
    let browser = app.browser();
    browser.sign_up("ada@example.com").await;
    browser
}

async fn each_kind_is_saved_once_listed_mapped_counted_and_removed(app: &Site) {
    let browser = reader(app).await;
    for kind in &KINDS {
        let name = kind.name;
        let target = kind.target(&browser).await;
        assert_eq!(kind.stamp(&browser).await, Value::Null, "{name}");
        let (status, made) = kind.save(&browser, target).await;
        assert_eq!((status, &made[kind.entry]), (201, &json!(target)), "{made}");
        assert_eq!(kind.stamp(&browser).await, made["server_time"], "{name}");
        let (status, same) = kind.save(&browser, target).await;
        assert_eq!((status, &same["id"]), (200, &made["id"]), "{name}");

        let list = browser.json(&kind.path()).await;
        let listed = &list["results"][0];
        assert_eq!((&list["count"], &listed["id"]), (&json!(1), &made["id"]));
        assert_eq!(listed[kind.item]["id"], target, "{listed}");
        assert!(listed[kind.item]["share_url"].is_string(), "{listed}");
        assert_eq!(listed["is_available"], true, "{listed}");
        assert_eq!(listed["date_created"], made["date_created"], "{listed}");
        let map = browser.json(&format!("{}{}/", kind.path(), kind.map)).await;
        let entry = &map["results"][0];
        assert_eq!(
            (&entry["id"], &entry[kind.entry]),
            (&made["id"], &json!(target))
        );
        let counts = browser.json("/api/v2/profiles/me/dashboard/").await;
        assert_eq!(counts[kind.count], 1, "{counts}");

        let path = kind.record(&made["id"]);
        let removed = browser.delete(&path).await;
        assert_eq!(removed.status(), StatusCode::NO_CONTENT, "{name}");
        let removed_at = removed.headers()["x-server-time"].to_str().expect("text");
        assert_eq!(
            kind.stamp(&browser).await,
            removed_at,
            "a removal moves the stamp"
        );
        assert_eq!(browser.delete(&path).await.status(), StatusCode::NOT_FOUND);
        assert_eq!(kind.listed(&browser).await, 0, "{name}");
    }
}

async fn a_hundred_parallel_posts_of_each_kind_make_one_record(app: &Site) {
    let browser = reader(app).await;
    let other = app.browser();
    other.sign_up("bob@example.com").await;
    for kind in &KINDS {
        let target = kind.target(&browser).await;
        // From then on, the service has stored the target and no longer requests it from its owner.
        assert_eq!(kind.save(&other, target).await.0, 201);
        let posts = (0..100).map(|_| kind.save(&browser, target));
        let mut made = 0;
        let mut ids = BTreeSet::new();
        for (status, record) in futures::future::join_all(posts).await {
            assert!(matches!(status, 200 | 201), "{status}: {record}");
            made += u32::from(status == 201);
            ids.insert(record["id"].as_i64().expect("an id"));
        }
        assert_eq!((made, ids.len()), (1, 1), "{}", kind.name);
        assert_eq!(kind.listed(&browser).await, 1, "{}", kind.name);
    }
}

async fn guests_and_other_readers_see_none_of_a_kind(app: &Site) {
    let browser = reader(app).await;
    let (other, guest) = (app.browser(), app.browser());
    other.sign_up("bob@example.com").await;
    for path in [
        "/api/v2/profiles/hi/",
        "/api/v2/profiles/me/",
        "/api/v2/profiles/me/dashboard/",
        "/api/v2/profiles/hi/stream/",
    ] {
        let (status, body) = answer(guest.get(path).await).await;
        let code = json!("not_authenticated");
        assert_eq!((status, &body["code"]), (401, &code), "{path}");
    }
    for kind in &KINDS {
        let target = kind.target(&browser).await;
        let (_, made) = kind.save(&browser, target).await;
        assert_eq!(kind.listed(&other).await, 0, "{}", kind.name);
        let path = kind.record(&made["id"]);
        assert_eq!(other.delete(&path).await.status(), StatusCode::NOT_FOUND);
        assert_eq!(kind.save(&guest, target).await.0, 401, "{}", kind.name);
        let map = format!("{}{}/", kind.path(), kind.map);
        for path in [&map, &kind.path()] {
            assert_eq!(
                guest.get(path).await.status(),
                StatusCode::UNAUTHORIZED,
                "{path}"
            );
        }
        assert_eq!(kind.listed(&browser).await, 1, "{}", kind.name);
    }
}

async fn an_unknown_target_is_an_error_under_the_field_of_its_kind(app: &Site) {
    let browser = reader(app).await;
    for kind in &KINDS {
        for body in [
            kind.body(999_999),
            json!({}),
            json!({ kind.field: "x" }),
            json!({ kind.field: null }),
        ] {
            let (status, answered) = answer(browser.post(&kind.path(), &body).await).await;
            assert_eq!(status, 400, "{body}: {answered}");
            assert!(answered[kind.field].is_array(), "{body}: {answered}");
        }
        assert_eq!(kind.stamp(&browser).await, Value::Null, "{}", kind.name);
    }
}

async fn a_login_carries_out_an_intent_of_each_kind(app: &Site) {
    let browser = reader(app).await;
    for kind in &KINDS {
        let target = kind.target(&browser).await;
        // The request means "ensure it is on": a repeated request does not switch it off.
        for rating in [RATING - 1, RATING] {
            let login = json!({"email": "ada@example.com", "password": PASSWORD,
                "post_authenticate_action": kind.intent, "object_id": target, "rating": rating});
            let path = "/api/v2/profiles/email-login/";
            let (status, answered) = answer(browser.post(path, &login).await).await;
            assert_eq!(status, 200, "{answered}");
            assert_eq!(kind.listed(&browser).await, 1, "{}", kind.name);
        }
    }
    // The repeated request changes the stars.
    let ratings = browser.json("/api/v2/ratings/").await;
    assert_eq!(ratings["results"][0]["rating"], RATING);
}

async fn each_change_of_each_kind_is_in_hi_at_once_and_in_the_other_devices_stream(app: &Site) {
    let browser = reader(app).await;
    let laptop = app.browser();
    laptop.sign_in("ada@example.com").await;
    let mut stream = Stream::open(&laptop).await;
    stream.next().await.expect("the state on connecting");
    for kind in &KINDS {
        let target = kind.target(&browser).await;
        let mut expect = async |at: &Value| {
            assert_eq!(kind.stamp(&laptop).await, *at, "{}", kind.name);
            let change = stream.next().await.expect("the change");
            assert_eq!(change["last_updates"][kind.name], *at, "{}", kind.name);
        };
        let (_, made) = kind.save(&browser, target).await;
        expect(&made["server_time"]).await;
        let path = kind.record(&made["id"]);
        if let Some(change) = kind.change() {
            let (status, changed) = answer(browser.patch(&path, &change).await).await;
            assert_eq!(status, 200, "{changed}");
            expect(&changed["server_time"]).await;
        }
        let removed = browser.delete(&path).await;
        let at = removed.headers()["x-server-time"].to_str().expect("text");
        expect(&json!(at)).await;
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn without_the_broker_each_change_of_each_kind_is_right_at_once_through_another_gateway() {
    let (split, faults) = Split::start_among_faults().await;
    items::publish(&split.settings, items::output()).await;
    let (phone, laptop) = (split.browser(), split.browser());
    phone.sign_up("ada@example.com").await;
    laptop.sign_in("ada@example.com").await;
    faults.broker.cut();
    for kind in &KINDS {
        let target = kind.target(&phone).await;
        let is_told = async |at: &Value| {
            assert_eq!(kind.stamp(&laptop).await, *at, "{}", kind.name);
        };
        let (status, made) = kind.save(&phone, target).await;
        assert_eq!(status, 201, "{made}");
        is_told(&made["server_time"]).await;
        let path = kind.record(&made["id"]);
        if let Some(change) = kind.change() {
            let (_, changed) = answer(phone.patch(&path, &change).await).await;
            is_told(&changed["server_time"]).await;
        }
        let removed = phone.delete(&path).await;
        let at = removed.headers()["x-server-time"].to_str().expect("text");
        is_told(&json!(at)).await;
    }
}

async fn lists_are_sorted_and_searched_by_the_names_of_their_targets(app: &Site) {
    let browser = reader(app).await;
    for path in ["/news/bridge/", "/culture/tram/"] {
        let id = items::id_at(&browser, path).await;
        let body = json!({ "object_id": id });
        browser.post("/api/v2/article-bookmarks/", &body).await;
    }
    let names = async |query: &str| -> Vec<String> {
        let path = format!("/api/v2/article-bookmarks/?{query}");
        let list = browser.json(&path).await;
        let results = list["results"].as_array().expect("results");
        let name = |one: &Value| one["article"]["name"].as_str().expect("a name").to_owned();
        results.iter().map(name).collect()
    };
    assert_eq!(names("").await, ["TRAM", "BRIDGE"]);
    assert_eq!(names("ordering=date_created").await, ["BRIDGE", "TRAM"]);
    assert_eq!(names("ordering=-name").await, ["TRAM", "BRIDGE"]);
    assert_eq!(names("keywords=brid").await, ["BRIDGE"]);
    let refused = browser
        .get("/api/v2/article-bookmarks/?ordering=colour")
        .await;
    assert_eq!(refused.status(), StatusCode::BAD_REQUEST);
}

async fn a_todo_is_ticked_off_and_its_lists_follow(app: &Site) {
    let browser = reader(app).await;
    let todos = "/api/v2/todos/";
    let (_, made) = answer(browser.post(todos, &json!({"listing": 1})).await).await;
    browser.post(todos, &json!({"listing": 2})).await;
    let path = format!("{todos}{}/", made["id"]);
    let listed = async |completed: &str| {
        let list = browser
            .json(&format!("{todos}?completed={completed}"))
            .await;
        list["count"].clone()
    };
    for body in [
        json!({}),
        json!({"is_done": null}),
        json!({"is_done": "yes"}),
        json!({"is_done": 1}),
    ] {
        let (status, answered) = answer(browser.patch(&path, &body).await).await;
        assert_eq!(status, 400, "{body}");
        assert!(answered["is_done"].is_array(), "{answered}");
    }
    assert_eq!(
        (listed("").await, listed("0").await, listed("1").await),
        (json!(2), json!(2), json!(0))
    );

    let (status, done) = answer(browser.patch(&path, &json!({"is_done": true})).await).await;
    assert_eq!(
        (status, &done["is_done"], &done["listing_id"]),
        (200, &json!(true), &json!(1))
    );
    assert!(done["server_time"].as_str() > made["server_time"].as_str());
    assert_eq!(
        (listed("").await, listed("0").await, listed("1").await),
        (json!(2), json!(1), json!(1))
    );
    let map = browser.json("/api/v2/todos/listing_ids/").await;
    let done_or_not: Vec<_> = map["results"]
        .as_array()
        .expect("results")
        .iter()
        .map(|one| &one["is_done"])
        .collect();
    assert_eq!(done_or_not, [&json!(true), &json!(false)]);
    let counts = browser.json("/api/v2/profiles/me/dashboard/").await;
    assert_eq!(
        (&counts["todos"], &counts["todos_completed"]),
        (&json!(2), &json!(1))
    );

    assert_eq!(
        browser.get("/api/v2/todos/?completed=maybe").await.status(),
        StatusCode::BAD_REQUEST
    );
    let absent = browser
        .patch("/api/v2/todos/999999/", &json!({"is_done": true}))
        .await;
    assert_eq!(absent.status(), StatusCode::NOT_FOUND);
}

async fn an_event_is_saved_alone_where_the_site_has_no_calendars(app: &Site) {
    let browser = reader(app).await;
    let id = items::id_at(&browser, "/events/market/").await;
    let events = "/api/v2/event-bookmarks/";
    let body = json!({"object_id": id, "add_to_calendar": true});
    assert_eq!(answer(browser.post(events, &body).await).await.0, 201);
    assert_eq!(browser.json(events).await["count"], 1);
    assert_eq!(
        browser.json(events).await["results"][0]["add_to_calendar"],
        false
    );
}

journeys! {
    each_kind_is_saved_once_listed_mapped_counted_and_removed,
    a_hundred_parallel_posts_of_each_kind_make_one_record,
    guests_and_other_readers_see_none_of_a_kind,
    an_unknown_target_is_an_error_under_the_field_of_its_kind,
    a_login_carries_out_an_intent_of_each_kind,
    lists_are_sorted_and_searched_by_the_names_of_their_targets,
    a_todo_is_ticked_off_and_its_lists_follow,
    an_event_is_saved_alone_where_the_site_has_no_calendars;
    split too:
    each_change_of_each_kind_is_in_hi_at_once_and_in_the_other_devices_stream,
}
