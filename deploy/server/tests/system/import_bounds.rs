//! Imports of any size: memory stays constant, and a killed import stores nothing or everything.

use std::{
    fs::{self, File},
    io::{BufWriter, Write as _},
    path::{Path, PathBuf},
    process::Stdio,
    time::{Duration, Instant},
};

use cityguide::Settings;
use testkit::database::TestDatabase;
use tokio::process::Child;

use crate::{
    commands::{migrated, program},
    inspections,
};

/// The additional memory that an input fifty times as large may take, in kB. Each large input is larger than this.
const MORE: u64 = 12 * 1024;
/// The numbers of items of a small input and of an input fifty times as large.
const SIZES: [usize; 2] = [8, 400];
/// Number of moments at which an import is killed.
const KILLS: u32 = 8;
/// The numbers of rows of a small register and of a register fifty times as large.
const REGISTER: [usize; 2] = [400, 20_000];
const COUNT: &str = "SELECT count(*) FROM places.listings";
const ITEMS: &str = "SELECT count(*) FROM editorial.items";

/// Text that no import reads, per item; the texts of all items together exceed [`MORE`].
fn ignored(items: usize) -> String {
    let text = "ignored text ";
    let bytes = usize::try_from(1_024 * MORE * 3 / 2).expect("a size");
    text.repeat(bytes / items / text.len())
}

/// Writes a file with this many places, spread over the city.
fn places(folder: &Path, number: usize, ignored: &str) -> PathBuf {
    let path = folder.join(format!("{number}.geojson"));
    let mut file = BufWriter::new(File::create(&path).expect("a file"));
    let mut write = |text: String| file.write_all(text.as_bytes()).expect("writes");
    write("{\"type\": \"FeatureCollection\", \"features\": [\n".to_owned());
    for at in 0..number {
        let comma = if at == 0 { "" } else { ",\n" };
        write(format!(
            "{comma}{{\"id\": \"node/{at}\", \"properties\": {{\"name\": \"Place {at}\", \"amenity\": \"cafe\", \
             \"addr:full\": \"{at} Queen Street West\", \"note\": \"{ignored}\"}}, \"geometry\": {{\"type\": \"Point\", \
             \"coordinates\": [-79.{:05}, 43.{:05}]}}}}",
            at * 7_919 % 99_991,
            at * 104_729 % 99_989
        ));
    }
    write("\n]}\n".to_owned());
    file.flush().expect("writes");
    path
}

/// Writes the mapping of tables.
fn mapping(folder: &Path) -> PathBuf {
    let path = folder.join("mapping.toml");
    let mapping = "source = \"list\"\ndefault_type = \"cafes\"\n[columns]\nid = \"Id\"\nname = \"Name\"\n\
        latitude = \"Latitude\"\nlongitude = \"Longitude\"\n";
    fs::write(&path, mapping).expect("writes");
    path
}

/// Writes a table with this many places.
fn table(folder: &Path, number: usize, ignored: &str) -> PathBuf {
    let path = folder.join(format!("{number}.csv"));
    let mut file = BufWriter::new(File::create(&path).expect("a file"));
    let mut write = |text: String| file.write_all(text.as_bytes()).expect("writes");
    write("Id,Name,Latitude,Longitude,Notes\n".to_owned());
    for at in 0..number {
        let (north, west) = (at * 104_729 % 99_989, at * 7_919 % 99_991);
        write(format!(
            "{at},Place {at},43.{north:05},-79.{west:05},\"{ignored}\"\n"
        ));
    }
    file.flush().expect("writes");
    path
}

/// Writes an export of WordPress with this many posts, each with a picture.
fn posts(folder: &Path, number: usize, ignored: &str) -> PathBuf {
    let path = folder.join(format!("{number}.xml"));
    let mut file = BufWriter::new(File::create(&path).expect("a file"));
    let mut write = |text: String| file.write_all(text.as_bytes()).expect("writes");
    write(
        "<rss><channel><link>https://a.example</link><wp:wxr_version>1.2</wp:wxr_version>\n"
            .to_owned(),
    );
    for at in 1..=number {
        write(format!(
            "<item><title>Post {at}</title><wp:post_type>post</wp:post_type><wp:post_id>{at}</wp:post_id>\
             <wp:status>publish</wp:status><content:encoded><![CDATA[<img src=\"https://a.example/{at}.jpg\">\n{}]]>\
             </content:encoded><note>{ignored}</note></item>\n<item><wp:post_type>attachment</wp:post_type><wp:post_id>{}</wp:post_id>\
             <wp:attachment_url>https://a.example/{at}.jpg</wp:attachment_url></item>\n",
            "Ten words that stand in a post, <b>one</b> and two.\n\n".repeat(20),
            at + 1_000_000,
        ));
    }
    write("</channel></rss>\n".to_owned());
    file.flush().expect("writes");
    path
}

/// Writes a feed with this many posts; as RSS, or else as JSON Feed.
fn feed(folder: &Path, number: usize, ignored: &str, is_rss: bool) -> PathBuf {
    let path = folder.join(format!("{number}.feed"));
    let mut file = BufWriter::new(File::create(&path).expect("a file"));
    let mut write = |text: &str| file.write_all(text.as_bytes()).expect("writes");
    let text = "Ten words that stand in a post, one and two. ".repeat(20);
    write(if is_rss {
        "<rss version='2.0'><channel><link>https://a.example</link>\n"
    } else {
        "{\"version\": \"https://jsonfeed.org/version/1.1\", \"home_page_url\": \"https://b.example\", \"items\": [\n"
    });
    for at in 1..=number {
        let comma = if at == 1 { "" } else { "," };
        write(&if is_rss {
            format!(
                "<item><guid>https://a.example/{at}/</guid><title>Post {at}</title><description>{text}</description><note>{ignored}</note></item>\n"
            )
        } else {
            format!(
                "{comma}{{\"id\": \"{at}\", \"title\": \"Note {at}\", \"content_text\": \"{text}\", \"_note\": \"{ignored}\"}}\n"
            )
        });
    }
    write(if is_rss { "</channel></rss>\n" } else { "]}\n" });
    file.flush().expect("writes");
    path
}

/// Writes an export of Ghost with this many posts, each with a tag, behind as many rows that are not imported.
fn ghost(folder: &Path, number: usize, ignored: &str) -> PathBuf {
    let path = folder.join(format!("{number}.json"));
    let mut file = BufWriter::new(File::create(&path).expect("a file"));
    let mut write = |text: String| file.write_all(text.as_bytes()).expect("writes");
    let text = "Ten words that stand in a post, <b>one</b> and two. ".repeat(20);
    write("{\"db\": [{\"data\": {\"posts_revisions\": [0".to_owned());
    for _ in 1..=number {
        write(format!(", {{\"lexical\": \"{ignored}\"}}"));
    }
    write("], \"posts\": [".to_owned());
    for at in 1..=number {
        let comma = if at == 1 { "" } else { ",\n" };
        write(format!(
            "{comma}{{\"id\": \"p{at}\", \"title\": \"Post {at}\", \"slug\": \"post-{at}\", \"status\": \"published\", \
             \"html\": \"<p>{text}</p>\"}}"
        ));
    }
    write(
        "], \"tags\": [{\"id\": \"t\", \"name\": \"Tag\", \"slug\": \"tag\"}], \"posts_tags\": ["
            .to_owned(),
    );
    for at in 1..=number {
        let comma = if at == 1 { "" } else { ",\n" };
        write(format!(
            "{comma}{{\"post_id\": \"p{at}\", \"tag_id\": \"t\"}}"
        ));
    }
    write("]}}]}\n".to_owned());
    file.flush().expect("writes");
    path
}

/// Writes a calendar with this many events, each with a picture that is not imported.
fn calendar(folder: &Path, number: usize) -> PathBuf {
    let path = folder.join(format!("{number}.ics"));
    let mut file = BufWriter::new(File::create(&path).expect("a file"));
    let mut write = |text: String| file.write_all(text.as_bytes()).expect("writes");
    let picture = "\r\n ".to_owned() + &"R0lGODlhAQAB".repeat(6);
    let picture = picture.repeat(300);
    write("BEGIN:VCALENDAR\r\n".to_owned());
    for at in 0..number {
        let day = 1 + at % 28;
        write(format!(
            "BEGIN:VEVENT\r\nUID:{at}\r\nDTSTART:202612{day:02}T100000Z\r\nSUMMARY:Event {at}\r\n\
             ATTACH;ENCODING=BASE64;VALUE=BINARY:{picture}\r\nEND:VEVENT\r\n"
        ));
    }
    write("END:VCALENDAR\r\n".to_owned());
    file.flush().expect("writes");
    path
}

fn import(settings: &Settings, what: &str, file: &Path, options: &[&str]) -> Child {
    let mut command = program(settings);
    command.args(["import", what]).arg(file).args(options);
    command.stdout(Stdio::null()).stderr(Stdio::null());
    command.kill_on_drop(true).spawn().expect("starts")
}

/// The most memory that an import takes, in kB.
async fn peak(settings: &Settings, what: &str, file: &Path, options: &[&str]) -> u64 {
    let mut child = import(settings, what, file, options);
    let status = format!("/proc/{}/status", child.id().expect("it runs"));
    let mut peak = 0;
    loop {
        let seen = fs::read_to_string(&status).unwrap_or_default();
        let line = seen.lines().find_map(|line| line.strip_prefix("VmHWM:"));
        let seen = line.and_then(|line| line.split_whitespace().next());
        peak = seen.and_then(|seen| seen.parse().ok()).unwrap_or(peak);
        if let Some(ended) = child.try_wait().expect("a child") {
            assert!(ended.success());
            return peak;
        }
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
}

/// Asserts that two inputs take almost the same memory, although the second is fifty times as large.
async fn assert_flat(settings: &Settings, what: &str, options: &[&str], files: [PathBuf; 2]) {
    let [small, large] = files;
    let bytes = large.metadata().expect("a file").len();
    assert!(bytes > 1_024 * MORE, "{bytes} bytes would fit");
    let small = peak(settings, what, &small, options).await;
    let large = peak(settings, what, &large, options).await;
    assert!(large < small + MORE, "{what}: {small} kB, {large} kB");
}

#[tokio::test]
async fn an_input_fifty_times_as_large_takes_hardly_more_memory() {
    let (settings, database, folder) = migrated().await;
    let ignored = ignored(SIZES[1]);
    let files = SIZES.map(|number| places(folder.path(), number, &ignored));
    assert_flat(&settings, "places", &[], files).await;
    assert_eq!(database.number(COUNT).await, 400);
    let files = SIZES.map(|number| posts(folder.path(), number, &ignored));
    assert_flat(&settings, "articles", &[], files).await;
    assert_eq!(database.number(ITEMS).await, 400);
}

#[tokio::test]
async fn a_table_of_places_fifty_times_as_large_takes_hardly_more_memory() {
    let (settings, database, folder) = migrated().await;
    // An import of OpenStreetMap places creates the types.
    peak(&settings, "places", &places(folder.path(), 1, ""), &[]).await;
    let mapping = mapping(folder.path());
    let mapping = ["--mapping", mapping.to_str().expect("UTF-8")];
    let ignored = ignored(SIZES[1]);
    let files = SIZES.map(|number| table(folder.path(), number, &ignored));
    assert_flat(&settings, "places", &mapping, files).await;
    assert_eq!(database.number(COUNT).await, 401);
}

#[tokio::test]
async fn an_export_of_ghost_fifty_times_as_large_takes_hardly_more_memory() {
    let (settings, database, folder) = migrated().await;
    let ignored = ignored(SIZES[1]);
    let files = SIZES.map(|number| ghost(folder.path(), number, &ignored));
    assert_flat(&settings, "articles", &[], files).await;
    let tagged = "SELECT count(*) FROM editorial.items WHERE tags::text LIKE '%Tag%'";
    assert_eq!(database.number(tagged).await, 400);
}

#[tokio::test]
async fn a_feed_fifty_times_as_large_takes_hardly_more_memory() {
    let (settings, database, folder) = migrated().await;
    let ignored = ignored(SIZES[1]);
    for (is_rss, stored) in [(true, 400), (false, 800)] {
        let files = SIZES.map(|number| feed(folder.path(), number, &ignored, is_rss));
        assert_flat(&settings, "articles", &[], files).await;
        assert_eq!(database.number(ITEMS).await, stored);
    }
}

#[tokio::test]
async fn a_calendar_fifty_times_as_large_takes_hardly_more_memory() {
    let (settings, database, folder) = migrated().await;
    // Twice as many events as items in the other files, so that the large calendar is larger than [`MORE`].
    let files = SIZES.map(|number| calendar(folder.path(), 2 * number));
    assert_flat(&settings, "events", &[], files).await;
    assert_eq!(database.number(ITEMS).await, 800);
}

#[tokio::test]
async fn a_register_fifty_times_as_large_takes_hardly_more_memory() {
    let (settings, database, folder) = migrated().await;
    let ignored = ignored(REGISTER[1]);
    let files = REGISTER.map(|rows| inspections::large(folder.path(), rows, &ignored));
    assert_flat(&settings, "inspections", &[], files).await;
    let stored = "SELECT count(*) FROM places.inspections";
    assert_eq!(database.number(stored).await, 10_000);
}

/// An import that is killed at several moments, and its stored items.
struct Killed<'a> {
    what: &'a str,
    file: PathBuf,
    /// SQL that counts the items.
    count: &'static str,
    /// SQL that removes the items.
    none: &'static str,
    all: i64,
}

impl Killed<'_> {
    async fn check(self, settings: &Settings, database: &TestDatabase) {
        let Self { what, all, .. } = self;
        let begun = Instant::now();
        self.ends(settings).await;
        let whole = begun.elapsed();
        assert_eq!(database.number(self.count).await, all, "{what}");
        let mut connection = database.connection().await;
        let mut broken_off = 0;
        for moment in 1..=KILLS {
            let emptied = sqlx::query(self.none).execute(&mut connection).await;
            emptied.expect("empties");
            let mut child = import(settings, what, &self.file, &[]);
            tokio::time::sleep(whole * moment / (KILLS + 1)).await;
            child.kill().await.expect("a child");
            let left = database.number(self.count).await;
            assert!(
                left == 0 || left == all,
                "{what}: {left} after {moment} of {KILLS}"
            );
            broken_off += i32::from(left == 0);
        }
        assert!(broken_off > 0, "{what}: none was killed in time");
        self.ends(settings).await;
        assert_eq!(database.number(self.count).await, all, "{what}");
    }

    async fn ends(&self, settings: &Settings) {
        let ended = import(settings, self.what, &self.file, &[]).wait().await;
        assert!(ended.expect("ends").success(), "{}", self.what);
    }
}

#[tokio::test]
async fn an_import_of_places_or_inspections_that_is_killed_leaves_nothing_or_all() {
    let (settings, database, folder) = migrated().await;
    let places = Killed {
        what: "places",
        file: places(folder.path(), 1_500, ""),
        count: COUNT,
        none: "TRUNCATE places.listings CASCADE",
        all: 1_500,
    };
    places.check(&settings, &database).await;
    let inspections = Killed {
        what: "inspections",
        file: inspections::large(folder.path(), 2_000, ""),
        count: "SELECT count(*) FROM places.inspections",
        none: "TRUNCATE places.establishments CASCADE",
        all: 1_000,
    };
    inspections.check(&settings, &database).await;
}

#[tokio::test]
async fn an_import_of_articles_or_events_that_is_killed_leaves_nothing_or_all() {
    let (settings, database, folder) = migrated().await;
    let (count, none) = (ITEMS, "TRUNCATE editorial.items CASCADE");
    let articles = Killed {
        what: "articles",
        file: posts(folder.path(), 60, &ignored(SIZES[1])),
        count,
        none,
        all: 60,
    };
    articles.check(&settings, &database).await;
    let none_left = sqlx::query(none)
        .execute(&mut database.connection().await)
        .await;
    none_left.expect("empties");
    let events = Killed {
        what: "events",
        file: calendar(folder.path(), 120),
        count,
        none,
        all: 120,
    };
    events.check(&settings, &database).await;
}
