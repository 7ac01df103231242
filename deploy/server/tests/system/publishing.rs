//! Publishing a folder: both services or neither, and a dry run that lists the changes.

use std::{fs, os::unix::fs::symlink, path::Path, process::Output};

use chassis::clock::SystemClock;
use cityguide::Settings;
use reqwest::Method;
use testkit::{database::TestDatabase, picture, until};

use crate::{
    app::{App, Browser},
    city,
    commands::{migrated, output_of, run},
};

/// A file of each kind that the magazine publishes.
const MAGAZINE: [(&str, &str); 6] = [
    (
        "articles/news/a-new-streetcar.md",
        "name = \"A new streetcar\"\npublished = 2026-01-05\nexcerpt = \"It is quiet.\"\n\
         picture = \"pictures/one.svg\"\nauthors = [\"Ada King\"]\ntags = [\"Transit\"]\n\
         moved_from = [\"/stories/tram/\"]",
    ),
    (
        "events/night-market.md",
        "name = \"Night market\"\npublished = 2026-01-05\nstarts = 2026-01-09T18:00:00\n\
         ends = 2026-01-09T23:00:00\nrecurrence = \"FREQ=WEEKLY\"\nvenue = \"The yard\"\n\
         category = \"markets\"\nneighbourhood = \"west-end\"\nis_free = true",
    ),
    (
        "contests/win-a-canoe.md",
        "name = \"Win a canoe\"\npublished = 2026-01-05\nopens = 2026-01-05\n\
         closes = 2027-12-31\nquestion = \"Which river?\"\nrules = \"One entry each.\"",
    ),
    (
        "videos/the-last-ferry.md",
        "name = \"The last ferry\"\npublished = 2026-01-05\n\
         video = \"https://video.example/1\"\nduration = 90",
    ),
    (
        "pages/privacy.md",
        "name = \"Privacy\"\npublished = 2026-01-05",
    ),
    (
        "newsletters/foods/soup.md",
        "subject = \"Soup\"\npreheader = \"Hot\"\nsent = 2026-01-05",
    ),
];

/// A mistake in a file of each kind, and its line.
const MISTAKES: [(&str, &str, &str, usize); 7] = [
    ("articles/news/a-new-streetcar.md", "authors", "author", 6),
    (
        "events/night-market.md",
        "starts = 2026-01-09T18:00:00",
        "starts = 2026-01-09",
        5,
    ),
    ("contests/win-a-canoe.md", "opens = 2026", "opens = 20", 4),
    ("videos/the-last-ferry.md", "= 90", "= \"long\"", 5),
    ("pages/privacy.md", "2026-01-05", "2026-01-05T09:00:00", 3),
    ("newsletters/foods/soup.md", "preheader", "header", 3),
    (
        "places/place-1.md",
        "latitude = 43.5",
        "latitude = \"x\"",
        4,
    ),
];

const ROWS: &str = "SELECT (SELECT count(*) FROM places.listings)
    + (SELECT count(*) FROM editorial.items)";

fn write(root: &Path) {
    city::write(root);
    for (file, front) in MAGAZINE {
        let path = root.join(file);
        fs::create_dir_all(path.parent().expect("a folder")).expect("a folder");
        fs::write(path, format!("+++\n{front}\n+++\n\nThe *text*.\n")).expect("writes");
    }
}

fn edit(root: &Path, file: &str, from: &str, to: &str) {
    let path = root.join(file);
    let text = fs::read_to_string(&path).expect("reads");
    assert!(text.contains(from), "{file}: {from}");
    fs::write(path, text.replacen(from, to, 1)).expect("writes");
}

async fn dry_run(settings: &Settings, root: &Path) -> String {
    let folder = root.to_str().expect("a path in UTF-8");
    let output = run(settings, &["content", "apply", folder, "--dry-run"]).await;
    assert!(output.status.success(), "{}", errors(&output));
    said(&output)
}

fn said(output: &Output) -> String {
    String::from_utf8_lossy(&output.stdout).into_owned()
}

fn errors(output: &Output) -> String {
    String::from_utf8_lossy(&output.stderr).into_owned()
}

async fn setting() -> (Settings, TestDatabase, tempfile::TempDir, tempfile::TempDir) {
    let (settings, database, blobs) = migrated().await;
    let folder = tempfile::tempdir().expect("a folder");
    write(folder.path());
    (settings, database, blobs, folder)
}

#[tokio::test]
async fn every_kind_is_published_and_the_second_time_changes_nothing() {
    let (settings, _database, _blobs, folder) = setting().await;
    let first = city::apply(&settings, folder.path()).await;
    assert!(first.status.success(), "{}", errors(&first));
    let second = said(&city::apply(&settings, folder.path()).await);
    // An editor on Windows writes other line endings and a byte order mark, and a disk of a Mac contains additional
    // files.
    for (file, _) in MAGAZINE {
        let path = folder.path().join(file);
        let text = fs::read_to_string(&path)
            .expect("reads")
            .replace('\n', "\r\n");
        fs::write(&path, format!("\u{feff}{text}")).expect("writes");
        let name = path
            .file_name()
            .expect("a name")
            .to_string_lossy()
            .into_owned();
        fs::write(path.with_file_name(format!("._{name}")), "\0\u{5}").expect("writes");
    }
    let saved = said(&city::apply(&settings, folder.path()).await);
    assert_eq!(saved, second);
    for kind in [
        "articles",
        "events",
        "contests",
        "videos",
        "pages",
        "newsletter issues",
    ] {
        let created = format!("{kind}: 1 read, 1 created, 0 changed, 0 unchanged, 0 refused");
        assert!(said(&first).contains(&created), "{}", said(&first));
        let unchanged = format!("{kind}: 1 read, 0 created, 0 changed, 1 unchanged, 0 refused");
        assert!(second.contains(&unchanged), "{second}");
    }
}

/// Editorial's check passes, but its commit fails, as if editorial had been killed after places had committed.
#[tokio::test]
async fn a_repeat_completes_a_publication_that_ended_between_the_two_services() {
    let (settings, database, _blobs, folder) = setting().await;
    let mut connection = database.connection().await;
    for statement in [
        "CREATE FUNCTION editorial.fail() RETURNS trigger LANGUAGE plpgsql
         AS $$ BEGIN RAISE EXCEPTION 'killed, as the test asked'; END $$",
        "CREATE CONSTRAINT TRIGGER fail AFTER INSERT ON editorial.items
         DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION editorial.fail()",
    ] {
        let done = sqlx::query(statement).execute(&mut connection).await;
        done.expect("executes");
    }
    let first = city::apply(&settings, folder.path()).await;
    assert!(!first.status.success(), "{}", said(&first));
    let items = "SELECT count(*) FROM editorial.items";
    let places = database
        .number("SELECT count(*) FROM places.listings")
        .await;
    assert!(places > 0, "places had committed");
    assert_eq!(database.number(items).await, 0);

    let done = sqlx::query("DROP TRIGGER fail ON editorial.items")
        .execute(&mut connection)
        .await;
    done.expect("executes");
    let again = city::apply(&settings, folder.path()).await;
    assert!(again.status.success(), "{}", errors(&again));
    assert_eq!(database.number(items).await, 5);
    let unchanged = format!("places: {places} read, 0 created, 0 changed, {places} unchanged");
    assert!(said(&again).contains(&unchanged), "{}", said(&again));
}

#[tokio::test]
async fn places_may_be_put_in_order_by_folders() {
    let (settings, database, _blobs, folder) = setting().await;
    let root = folder.path();
    assert!(city::apply(&settings, root).await.status.success());
    let before = database.number(ROWS).await;
    fs::create_dir(root.join("places/west")).expect("a folder");
    let (from, to) = ("places/place-2.md", "places/west/place-2.md");
    fs::rename(root.join(from), root.join(to)).expect("moves");
    let output_of = dry_run(&settings, root).await;
    assert!(
        output_of.contains("places: 30 read, 0 created, 0 changed, 30 unchanged"),
        "{output_of}"
    );
    assert!(city::apply(&settings, root).await.status.success());
    assert_eq!(database.number(ROWS).await, before);
}

#[tokio::test]
async fn a_dry_run_tells_each_change_and_makes_none() {
    let (settings, database, _blobs, folder) = setting().await;
    let root = folder.path();
    let foreseen = dry_run(&settings, root).await;
    for (file, _) in MAGAZINE {
        assert!(foreseen.contains(&format!("+ {file}\n")), "{foreseen}");
    }
    assert!(foreseen.contains("+ listing-types.toml, line 3\n"));
    assert!(foreseen.contains("+ places/place-0.md\n"), "{foreseen}");
    assert!(foreseen.contains("nothing was changed"), "{foreseen}");
    assert_eq!(database.number(ROWS).await, 0);

    assert!(city::apply(&settings, root).await.status.success());
    let nothing = dry_run(&settings, root).await;
    assert!(
        !nothing.contains("\n~ ") && !nothing.contains("+ "),
        "{nothing}"
    );
    edit(root, MAGAZINE[0].0, "It is quiet.", "It hums.");
    edit(
        root,
        MAGAZINE[0].0,
        "picture = ",
        "is_age_restricted = true # ",
    );
    edit(root, MAGAZINE[1].0, "FREQ=WEEKLY", "FREQ=MONTHLY");
    edit(root, "places/place-1.md", "Place 01", "Place One");
    let foreseen = dry_run(&settings, root).await;
    for line in [
        "~ articles/news/a-new-streetcar.md: excerpt, picture, is_age_restricted\n",
        "~ events/night-market.md: recurrence\n",
        "~ places/place-1.md: name\n",
        "articles: 1 read, 0 created, 1 changed, 0 unchanged, 0 refused\n",
    ] {
        assert!(foreseen.contains(line), "{line}: {foreseen}");
    }
    let named = "SELECT count(*) FROM editorial.items WHERE excerpt = 'It is quiet.'";
    assert_eq!(database.number(named).await, 1);
}

#[tokio::test]
async fn mistakes_in_files_of_any_kind_are_told_at_once_and_nothing_is_changed() {
    let (settings, database, _blobs, folder) = setting().await;
    let root = folder.path();
    for (file, from, to, _) in MISTAKES {
        edit(root, file, from, to);
    }
    fs::write(root.join("articles/stray.md"), "").expect("writes");
    fs::create_dir(root.join("places/west")).expect("a folder");
    let again = root.join("places/west/place-2.md");
    fs::copy(root.join("places/place-2.md"), again).expect("copies");
    let output = city::apply(&settings, root).await;
    output_of(&output);
    let errors = errors(&output);
    for (file, _, _, line) in MISTAKES {
        assert!(
            errors.contains(&format!("  {file}, line {line}: ")),
            "{errors}"
        );
    }
    assert!(errors.contains("articles/stray.md: "), "{errors}");
    let twice = "places/west/place-2.md: places/place-2.md is the same place already";
    assert!(errors.contains(twice), "{errors}");
    assert_eq!(database.number(ROWS).await, 0);
}

#[tokio::test]
async fn a_link_out_of_the_folder_and_a_file_that_is_not_what_its_name_says_are_refused() {
    let (settings, database, _blobs, folder) = setting().await;
    let root = folder.path();
    let outside = tempfile::tempdir().expect("a folder");
    let secret = outside.path().join("secret.md");
    fs::rename(root.join("places/place-1.md"), &secret).expect("moves");
    symlink(secret, root.join("places/place-1.md")).expect("a link");
    // Kubernetes volumes contain links to other locations within the volume.
    fs::create_dir(root.join("data")).expect("a folder");
    fs::rename(root.join("places/place-2.md"), root.join("data/2.md")).expect("moves");
    symlink("../data/2.md", root.join("places/place-2.md")).expect("a link");
    fs::write(root.join("pictures/one.svg"), "root:x:0:0").expect("writes");
    let pipe = root.join("places/place-3.md");
    fs::remove_file(&pipe).expect("removes");
    let made = std::process::Command::new("mkfifo").arg(&pipe).status();
    assert!(made.expect("mkfifo runs").success());

    let output = city::apply(&settings, root).await;
    output_of(&output);
    let errors = errors(&output);
    for expected in [
        "places/place-1.md is a link that leads out of the folder",
        "the picture pictures/one.svg is no svg picture",
        "places/place-3.md is no file",
    ] {
        assert!(errors.contains(expected), "{errors}");
    }
    assert!(!errors.contains("place-2.md"), "{errors}");
    assert_eq!(database.number(ROWS).await, 0);
}

/// A place with a photograph, and with a photo by somebody on Instagram.
const PHOTOGRAPHED: &str = "+++\nname = \"Pai\"\ntype = \"restaurants\"\nlatitude = 43.5\nlongitude = -79.5\n\
    published = 2026-01-05\npicture = \"pictures/front.jpg\"\n\n[[photos]]\npicture = \"pictures/bowl.jpg\"\n\
    instagram_user = \"hungry.in_parkdale\"\ndescription = \"Khao soi\"\ndate = 2026-05-01\n+++\n";

/// A camera's picture with the position in its metadata.
fn photograph(seed: u8) -> Vec<u8> {
    let picture = picture::jpeg(900, 600, seed);
    let exif = b"Exif\0\0the camera's secret";
    let length = u16::try_from(exif.len() + 2).expect("short").to_be_bytes();
    let (start, rest) = picture.split_at(2);
    [start, b"\xff\xe1", &length, exif, rest].concat()
}

#[tokio::test]
async fn a_photograph_is_published_in_sizes_and_photos_of_instagram_users_beside_it() {
    let (settings, _database, blobs, folder) = setting().await;
    let root = folder.path();
    fs::write(root.join("places/pai.md"), PHOTOGRAPHED).expect("writes");
    for (name, seed) in [("front", 1), ("bowl", 2)] {
        fs::write(root.join(format!("pictures/{name}.jpg")), photograph(seed)).expect("writes");
    }
    let foreseen = dry_run(&settings, root).await;
    assert!(foreseen.contains("+ places/pai.md, line 10"), "{foreseen}");
    let counts = |created, unchanged| {
        format!("photos: 1 read, {created} created, 0 changed, {unchanged} unchanged, 0 refused")
    };
    let output = city::apply(&settings, root).await;
    assert!(said(&output).contains(&counts(1, 0)), "{output:?}");
    let output = city::apply(&settings, root).await;
    assert!(said(&output).contains(&counts(0, 1)), "{output:?}");
    edit(root, "places/pai.md", "Khao soi", "Khao soi, twice");
    let foreseen = dry_run(&settings, root).await;
    assert!(
        foreseen.contains("~ places/pai.md, line 10: description"),
        "{foreseen}"
    );

    let app = App::serve(settings, blobs, std::sync::Arc::new(SystemClock)).await;
    let guest = app.browser();
    let page = guest.get("/restaurants/pai/").await;
    let page = page.text().await.expect("a page");
    for (size, most) in [("300x200", 300), ("600x400", 600), ("720x480", 720)] {
        let address = sized(&page, size);
        assert!(page.contains(&format!("{address} {most}w")), "{page}");
    }
    for size in ["300x200", "600x400", "720x480", "whole"] {
        served(&guest, &sized(&page, size)).await;
    }
    let whole = sized(&page, "whole");
    for other in ["80x80", "610x610", "whole.jpg"] {
        let other = whole.replace("/whole", &format!("/{other}"));
        assert_eq!(guest.get(&other).await.status(), 404, "{other}");
    }
    let listing = guest.json("/api/v2/photos/").await;
    let photo = until("the photo is published", async || {
        let photos = guest.json("/api/v2/photos/?limit=1").await;
        let photo = photos["results"][0].clone();
        photo["id"].is_number().then_some(photo)
    })
    .await;
    assert_eq!(listing["next"], serde_json::Value::Null);
    assert_eq!(photo["instagram_user"]["full_name"], "@hungry.in_parkdale");
    assert_eq!(photo["profile"], serde_json::Value::Null);
    assert_eq!(photo["description"], "Khao soi");
    assert_eq!(photo["creation_date"], "2026-05-01T12:00:00.000Z");
    served(&guest, photo["whole_url"].as_str().expect("an address")).await;
    app.stop().await;
}

/// The address of the page's picture in a size.
fn sized(page: &str, size: &str) -> String {
    let begin = page.find("/media/pictures/").expect("a picture in sizes");
    let name = &page[begin..begin + "/media/pictures/".len() + 32];
    format!("{name}/{size}")
}

/// The site serves the picture as WebP and as JPEG, both without the camera's position.
async fn served(guest: &Browser, address: &str) {
    for (accept, kind) in [("image/webp,*/*", "image/webp"), ("*/*", "image/jpeg")] {
        let request = guest.request(Method::GET, address).header("accept", accept);
        let answer = request.send().await.expect("answers");
        assert_eq!(answer.status(), 200, "{address}");
        let headers = answer.headers();
        assert_eq!(
            (&headers["content-type"], &headers["vary"]),
            (
                &kind.parse().expect("a value"),
                &"accept".parse().expect("a value")
            )
        );
        let body = answer.bytes().await.expect("a body");
        let mut windows = body.windows(8);
        assert!(!windows.any(|window| window == b"camera's"), "{address}");
    }
}

#[tokio::test]
async fn damaged_photographs_are_told_before_anything_is_changed() {
    let (settings, database, blobs, folder) = setting().await;
    let root = folder.path();
    fs::write(root.join("places/pai.md"), PHOTOGRAPHED).expect("writes");
    fs::write(root.join("pictures/bowl.jpg"), b"\x89PNG\r\n\x1a\n").expect("writes");
    let cut = &photograph(1)[..2000];
    fs::write(root.join("pictures/front.jpg"), cut).expect("writes");
    let output = city::apply(&settings, root).await;
    output_of(&output);
    let refused = errors(&output);
    for (line, picture) in [(7, "front"), (10, "bowl")] {
        let expected =
            format!("places/pai.md, line {line}: the picture pictures/{picture}.jpg is refused: ");
        assert!(refused.contains(&expected), "{refused}");
    }
    // The structure of these pictures is intact, but their pixels are damaged.
    let mut damaged = photograph(1);
    let middle = damaged.len() / 2;
    damaged[middle..middle + 400].fill(0xfe);
    fs::write(root.join("pictures/bowl.jpg"), &damaged).expect("writes");
    fs::write(root.join("pictures/front.jpg"), photograph(2)).expect("writes");
    let output = city::apply(&settings, root).await;
    assert!(!output.status.success(), "{output:?}");
    let refused = said(&output) + &errors(&output);
    assert!(refused.contains("bowl.jpg is refused: "), "{refused}");
    assert_eq!(database.number(ROWS).await, 0);
    drop(blobs);
}

#[tokio::test]
async fn what_one_service_refuses_neither_publishes() {
    for (file, from, to, reason) in [
        (
            "events/night-market.md",
            "FREQ=WEEKLY",
            "FREQ=SOMETIMES",
            "the recurrence",
        ),
        (
            "places/place-1.md",
            "latitude = 43.5",
            "latitude = 143.5",
            "143.5",
        ),
    ] {
        let (settings, database, _blobs, folder) = setting().await;
        edit(folder.path(), file, from, to);
        let output = city::apply(&settings, folder.path()).await;
        output_of(&output);
        let said = said(&output);
        let refused = said.lines().find(|line| line.starts_with("refused "));
        let refused = refused.expect("a refusal");
        assert!(
            refused.contains(&format!(" at {file}: ")) && refused.contains(reason),
            "{said}"
        );
        assert_eq!(database.number(ROWS).await, 0);
    }
}

#[tokio::test]
async fn a_renamed_file_that_names_its_former_address_stays_the_same_item() {
    let (settings, database, _blobs, folder) = setting().await;
    let root = folder.path();
    assert!(city::apply(&settings, root).await.status.success());
    let id = "SELECT id FROM editorial.items WHERE kind = 'article'";
    let before = database.number(id).await;
    fs::create_dir_all(root.join("articles/culture")).expect("a folder");
    let moved = "articles/culture/a-new-streetcar.md";
    fs::rename(root.join(MAGAZINE[0].0), root.join(moved)).expect("moves");
    edit(root, moved, "/stories/tram/", "/news/a-new-streetcar/");
    let foreseen = dry_run(&settings, root).await;
    let line = format!("~ {moved}: section, moved_from\n");
    assert!(foreseen.contains(&line), "{foreseen}");
    assert!(city::apply(&settings, root).await.status.success());
    assert_eq!(database.number(id).await, before);
}
