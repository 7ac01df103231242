//! Compares search results in the demo city with the judgements in `judged/queries.txt`.
//!
//! With `CITYGUIDE_JUDGED=1` and `--no-capture` it prints the scores of both halves, and the worst queries of the half
//! that is for tuning.

use std::{
    collections::{BTreeMap, HashMap, HashSet},
    path::Path,
    sync::Arc,
};

use chassis::clock::{Clock as _, SystemClock};
use chassis::slug;
use chrono::{DateTime, Datelike as _, Days, NaiveTime, TimeZone as _, Utc, Weekday};
use chrono_tz::America::Toronto;
use form_urlencoded::byte_serialize;
use serde_json::Value;
use testkit::{clock::ManualClock, until};

use crate::{
    app::{self, App, Browser},
    city,
};

const QUERIES: &str = include_str!("judged/queries.txt");
/// Spadina Avenue at Dundas Street.
const READER: (f64, f64) = (43.6531, -79.3981);

/// Number of results that count.
const DEPTH: usize = 10;
/// Minimum score of the search.
const LEAST_GAIN: f64 = 0.90;
const LEAST_HITS: f64 = 0.90;
const MAX_LOSS: f64 = 0.03;

/// A rule: the grade of the things that match it.
struct Rule {
    grade: u32,
    conditions: Vec<(String, String)>,
}

struct Judged {
    group: String,
    text: String,
    twin: Option<String>,
    rules: Vec<Rule>,
    is_held_out: bool,
}

fn read() -> Vec<Judged> {
    let mut queries: Vec<Judged> = Vec::new();
    let lines = QUERIES.lines();
    for line in lines.filter(|line| !line.is_empty() && !line.starts_with('#')) {
        let (group, rest) = line.split_once(' ').expect("a group");
        let cut = rest.find(['|', '=']).expect("judgements");
        let (text, judgements) = rest.split_at(cut);
        let (twin, rules) = match judgements.strip_prefix('=') {
            Some(twin) => (Some(twin.trim().to_owned()), Vec::new()),
            None => (None, judgements.split('|').skip(1).map(rule).collect()),
        };
        queries.push(Judged {
            group: group.to_owned(),
            text: text.trim().to_owned(),
            twin,
            rules,
            is_held_out: queries.len() % 2 == 1,
        });
    }
    queries
}

fn rule(text: &str) -> Rule {
    let mut parts = text.split_whitespace();
    let grade = parts.next().and_then(|grade| grade.parse().ok());
    let conditions = parts.map(|part| {
        let (key, value) = part.split_once(':').expect("a condition");
        (key.to_owned(), folded(&value.replace('+', " ")))
    });
    Rule {
        grade: grade.expect("a grade"),
        conditions: conditions.collect(),
    }
}

fn folded(text: &str) -> String {
    let words = slug::words(text).into_iter().map(|word| word.folded);
    words.collect::<Vec<_>>().join(" ")
}

/// A thing of the city, with the values that conditions compare.
struct Thing {
    key: (String, i64),
    values: HashMap<&'static str, Vec<String>>,
    metres: Option<f64>,
}

impl Thing {
    fn new(kind: &str, item: &Value) -> Self {
        let text = |value: &Value| folded(value.as_str().unwrap_or_default());
        let last = |value: &Value| {
            let path = value.as_str().unwrap_or_default().split('?').next();
            let path = path.unwrap_or_default().trim_matches('/');
            folded(path.rsplit('/').next().unwrap_or_default())
        };
        let slugs = |value: &Value| -> Vec<String> {
            let named = value.as_array().into_iter().flatten();
            named.map(|one| text(&one["slug"])).collect()
        };
        let hood = match kind {
            "listing" => last(&item["default_neighborhood"]["share_url"]),
            _ => text(&item["neighbourhood"]),
        };
        let lists = item["appears_in_best_of_lists"]
            .as_array()
            .into_iter()
            .flatten();
        let free = if item["is_free"] == true { "yes" } else { "no" };
        let values = HashMap::from([
            ("kind", vec![folded(kind.trim_end_matches("-list"))]),
            ("name", vec![text(&item["name"])]),
            ("path", vec![text(&item["share_url"])]),
            ("sub", vec![text(&item["sub_type"]["name"])]),
            ("type", vec![last(&item["type"]["share_url"])]),
            ("venue", vec![text(&item["venue"])]),
            ("category", vec![text(&item["category"])]),
            ("free", vec![free.to_owned()]),
            ("hood", vec![hood]),
            ("tag", slugs(&item["tags"])),
            ("author", slugs(&item["authors"])),
            ("best", lists.map(|list| last(&list["share_url"])).collect()),
        ]);
        let at = item["coordinates"]["lat"]
            .as_f64()
            .zip(item["coordinates"]["lng"].as_f64());
        Self {
            key: (kind.to_owned(), item["id"].as_i64().expect("an id")),
            values,
            metres: at.map(|at| metres(READER, at)),
        }
    }

    fn fits(&self, rule: &Rule) -> bool {
        rule.conditions
            .iter()
            .all(|(key, wanted)| match key.as_str() {
                "near" => {
                    let most: f64 = wanted.parse().expect("metres");
                    self.metres.is_some_and(|metres| metres <= most)
                }
                "name" | "sub" | "venue" => self.values[key.as_str()]
                    .iter()
                    .any(|value| format!(" {value}").contains(&format!(" {wanted}"))),
                key => {
                    let values = self.values.get(key);
                    values.is_some_and(|values| values.iter().any(|value| value == wanted))
                }
            })
    }

    fn grade(&self, rules: &[Rule]) -> u32 {
        let rule = rules.iter().find(|rule| self.fits(rule));
        rule.map_or(0, |rule| rule.grade)
    }
}

/// Metres between two positions that are near to each other.
fn metres(one: (f64, f64), other: (f64, f64)) -> f64 {
    let north = (other.0 - one.0) * 111_195.0;
    let east = (other.1 - one.1) * 111_195.0 * one.0.to_radians().cos();
    north.hypot(east)
}

/// All items of a list.
async fn all(browser: &Browser, first: &str) -> Vec<Value> {
    let (mut items, mut next) = (Vec::new(), Some(first.to_owned()));
    while let Some(address) = next {
        let page = browser.json(&address).await;
        items.extend(page["results"].as_array().expect("results").iter().cloned());
        next = page["next"].as_str().map(str::to_owned);
    }
    items
}

/// The coming Friday, 19:00 in the city.
fn friday_evening() -> DateTime<Utc> {
    let today = SystemClock.now().with_timezone(&Toronto).date_naive();
    let ahead = (10 - today.weekday().num_days_from_monday()) % 7 + 1;
    let friday = today + Days::new(ahead.into());
    assert_eq!(friday.weekday(), Weekday::Fri);
    let seven = NaiveTime::from_hms_opt(19, 0, 0).expect("a time");
    let at = Toronto.from_local_datetime(&friday.and_time(seven));
    at.earliest().expect("an instant").to_utc()
}

/// Everything in the city, as the API lists it.
async fn things(browser: &Browser, now: DateTime<Utc>) -> Vec<Thing> {
    let mut things = Vec::new();
    for (kind, list) in [
        ("listing", "listings"),
        ("best-of-list", "best-of-lists"),
        ("article", "articles"),
        ("event", "events"),
        ("video", "videos"),
    ] {
        let items = all(browser, &format!("/api/v2/{list}/?limit=100")).await;
        assert!(!items.is_empty(), "{list}");
        things.extend(items.iter().map(|item| Thing::new(kind, item)));
    }
    let friday = now.with_timezone(&Toronto).date_naive();
    let at = |days: u64, hour| {
        let time = NaiveTime::from_hms_opt(hour, 0, 0).expect("a time");
        let local = Toronto.from_local_datetime(&(friday + Days::new(days)).and_time(time));
        local.earliest().expect("an instant").to_utc()
    };
    let mut marked = vec![(
        "open",
        "yes",
        "/api/v2/listings/?open_now=1&limit=100".to_owned(),
    )];
    for (day, from, to) in [
        ("tonight", now, at(1, 5)),
        ("today", now, at(1, 0)),
        ("tomorrow", at(1, 0), at(2, 0)),
        ("saturday", at(1, 0), at(2, 0)),
        ("sunday", at(2, 0), at(3, 0)),
        ("weekend", now, at(3, 0)),
    ] {
        let [from, to] = [from, to].map(|at| at.format("%Y-%m-%dT%H:%M:%SZ"));
        marked.push((
            "on",
            day,
            format!("/api/v2/events/?from={from}&to={to}&limit=100"),
        ));
    }
    for (key, value, address) in marked {
        let kind = if key == "open" { "listing" } else { "event" };
        let found: HashSet<i64> = all(browser, &address)
            .await
            .iter()
            .filter_map(|item| item["id"].as_i64())
            .collect();
        for thing in things
            .iter_mut()
            .filter(|thing| thing.key.0 == kind && found.contains(&thing.key.1))
        {
            thing.values.entry(key).or_default().push(value.to_owned());
        }
    }
    things
}

/// Compares the grades of a response, in its order, with the best possible order: 1 is perfect (nDCG@10).
fn gain(grades: &[u32], mut best: Vec<u32>) -> f64 {
    best.sort_unstable_by(|one, other| other.cmp(one));
    let sum = |grades: &[u32]| -> f64 {
        let places = (2u32..).map(|place| f64::from(place).log2());
        grades
            .iter()
            .take(DEPTH)
            .zip(places)
            .map(|(grade, log)| f64::from(2u32.pow(*grade) - 1) / log)
            .sum()
    };
    sum(grades) / sum(&best)
}

/// Scores of a set of queries.
#[derive(Default)]
struct Scores {
    gains: Vec<f64>,
    hits: Vec<bool>,
    losses: Vec<f64>,
}

impl Scores {
    fn gain(&self) -> f64 {
        mean(&self.gains)
    }

    fn hits(&self) -> f64 {
        let hits: Vec<f64> = self
            .hits
            .iter()
            .map(|hit| f64::from(u8::from(*hit)))
            .collect();
        mean(&hits)
    }
}

fn mean(values: &[f64]) -> f64 {
    #[expect(clippy::cast_precision_loss, reason = "there are hundreds")]
    let number = values.len().max(1) as f64;
    values.iter().sum::<f64>() / number
}

#[tokio::test(flavor = "multi_thread")]
#[expect(clippy::print_stdout, reason = "scores, where they are asked for")]
async fn the_search_finds_what_people_expect_and_a_typo_hardly_matters() {
    let now = friday_evening();
    let clock = ManualClock::shared();
    clock.advance(now - clock.now());
    let app = demo_city(clock).await;
    let browser = app.browser();
    let things = things(&browser, now).await;
    let queries = read();
    let by_text: HashMap<&str, &Judged> = queries
        .iter()
        .map(|query| (query.text.as_str(), query))
        .collect();
    let mut gains: HashMap<&str, f64> = HashMap::new();
    let mut scores: BTreeMap<(bool, &str), Scores> = BTreeMap::new();
    let mut misses = Vec::new();
    for query in &queries {
        let judged = query.twin.as_deref().map_or(query, |twin| by_text[twin]);
        let answer = ask(&browser, &query.text).await;
        let found = grades(&answer, &things, &judged.rules);
        let possible: Vec<u32> = things
            .iter()
            .map(|thing| thing.grade(&judged.rules))
            .collect();
        let most = possible.iter().max().copied().unwrap_or_default();
        assert!(
            most > 0 || query.group == "context",
            "nothing in the city fits {:?}",
            query.text
        );
        if most == 0 {
            // No event takes place at that time.
            continue;
        }
        let gain = gain(&found, possible);
        gains.insert(&query.text, gain);
        let scores = scores.entry((query.is_held_out, &query.group)).or_default();
        scores.gains.push(gain);
        scores
            .hits
            .push(found.iter().take(3).any(|grade| *grade == most));
        if let Some(twin) = query.twin.as_deref().filter(|_| query.group == "typo") {
            scores
                .losses
                .push(gains.get(twin).copied().unwrap_or(gain) - gain);
        }
        if !query.is_held_out && gain < 0.95 {
            let names = answer["results"].as_array().into_iter().flatten().take(5);
            let names: Vec<&Value> = names.map(|result| &result["name"]).collect();
            let (group, text, corrected) = (&query.group, &query.text, &answer["corrected"]);
            misses.push((
                gain,
                format!("{group} {text:?} → {corrected} {found:?} {names:?}"),
            ));
        }
    }
    for thing in &things {
        let name = &thing.values["name"][0];
        let answer = ask(&browser, name).await;
        let first = folded(answer["results"][0]["name"].as_str().unwrap_or_default());
        assert_eq!(
            &first, name,
            "{:?} is not found first by its name",
            thing.key
        );
    }
    let total = report(&scores);
    if std::env::var_os("CITYGUIDE_JUDGED").is_some() {
        println!("{}", total.table);
        misses.sort_by(|(one, _), (other, _)| one.total_cmp(other));
        for (gain, miss) in misses {
            println!("{gain:.2} {miss}");
        }
    }
    for (half, (gain, hits, loss)) in total.halves {
        assert!(
            gain >= LEAST_GAIN,
            "nDCG@10 of the {half} half is {gain:.3}\n{}",
            total.table
        );
        assert!(
            hits >= LEAST_HITS,
            "hits in the top 3 of the {half} half are {hits:.3}\n{}",
            total.table
        );
        assert!(
            loss <= MAX_LOSS,
            "a typo costs {loss:.3} in the {half} half\n{}",
            total.table
        );
    }
    app.stop().await;
}

async fn ask(browser: &Browser, query: &str) -> Value {
    let encoded: String = byte_serialize(query.as_bytes()).collect();
    let near = if query.contains("near") {
        format!("&near={},{}", READER.0, READER.1)
    } else {
        String::new()
    };
    browser
        .json(&format!("/api/v2/search/?q={encoded}{near}"))
        .await
}

/// The grades of the results, in their order.
fn grades(answer: &Value, things: &[Thing], rules: &[Rule]) -> Vec<u32> {
    let results = answer["results"].as_array().into_iter().flatten();
    let grades = results.map(|result| {
        let kind = result["kind"].as_str().unwrap_or_default();
        let key = (kind, result["id"].as_i64().unwrap_or_default());
        let thing = things
            .iter()
            .find(|thing| (thing.key.0.as_str(), thing.key.1) == key);
        thing.map_or(0, |thing| thing.grade(rules))
    });
    grades.collect()
}

struct Report {
    table: String,
    halves: Vec<(&'static str, (f64, f64, f64))>,
}

fn report(scores: &BTreeMap<(bool, &str), Scores>) -> Report {
    let mut table = String::from("half     group     queries  nDCG@10  top 3  loss by typo\n");
    let mut halves = Vec::new();
    for (is_held_out, half) in [(false, "tuning"), (true, "held-out")] {
        let mut whole = Scores::default();
        for ((_, group), scores) in scores
            .iter()
            .filter(|((held_out, _), _)| *held_out == is_held_out)
        {
            table.push_str(&line(half, group, scores));
            whole.gains.extend(&scores.gains);
            whole.hits.extend(&scores.hits);
            whole.losses.extend(&scores.losses);
        }
        table.push_str(&line(half, "all", &whole));
        halves.push((half, (whole.gain(), whole.hits(), mean(&whole.losses))));
    }
    Report { table, halves }
}

fn line(half: &str, group: &str, scores: &Scores) -> String {
    let number = scores.gains.len();
    let (gain, hits, loss) = (scores.gain(), scores.hits(), mean(&scores.losses));
    format!("{half:8} {group:9} {number:7}  {gain:7.3}  {hits:5.3}  {loss:12.3}\n")
}

/// The demo city, whose search has indexed everything.
async fn demo_city(clock: Arc<ManualClock>) -> App {
    let database = app::database().await;
    let blobs = tempfile::tempdir().expect("a folder");
    let mut settings = app::settings(&database, &blobs);
    settings.site.file = Path::new(env!("CARGO_MANIFEST_DIR")).join("../sites/guide.toml");
    let content = Path::new(env!("CARGO_MANIFEST_DIR")).join("../demo");
    let applied = city::apply(&settings, &content).await;
    assert!(
        applied.status.success(),
        "{}",
        String::from_utf8_lossy(&applied.stderr)
    );
    let app = Box::pin(App::serve(settings, blobs, clock)).await;
    until("everything is indexed", async || {
        let places = database
            .number("SELECT count(*) FROM editorial.search_documents WHERE kind = 'listing'")
            .await;
        let due = database
            .number("SELECT count(*) FROM editorial.search_due")
            .await;
        (places == 300 && due == 0).then_some(())
    })
    .await;
    app
}
