//! A small city: two types, two neighbourhoods side by side, thirty places.

use std::{
    fmt::Write as _,
    fs,
    path::{Path, PathBuf},
    process::Output,
};

use chassis::postgres;
use cityguide::Settings;
use sqlx::{Connection as _, raw_sql};
use testkit::database::{TestDatabase, connect};

use crate::app;

/// Places of the city.
pub(crate) const PLACES: usize = 30;

/// Writes the city as a content folder and applies it with the program, like a publisher.
pub(crate) async fn build(settings: &Settings) {
    let folder = tempfile::tempdir().expect("a folder");
    write(folder.path());
    let output = apply(settings, folder.path()).await;
    let errors = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(output.status.success(), "{errors}");
}

/// Builds the city once in a database that all tests copy, and packs its files into the database. `url` contains the
/// role that applies the folder.
pub(crate) async fn build_packed(database: postgres::Settings, url: &str) {
    let blobs = tempfile::tempdir().expect("a folder");
    let mut kept = connect(&database.url).await;
    let mut settings = app::settings_on(database, &blobs);
    url.clone_into(&mut settings.database.url);
    build(&settings).await;
    let table = "CREATE TABLE public.city_files (path text NOT NULL, content bytea NOT NULL)";
    raw_sql(table).execute(&mut kept).await.expect("a table");
    for file in files_below(blobs.path()) {
        let path = file.strip_prefix(blobs.path()).expect("below it");
        sqlx::query("INSERT INTO public.city_files VALUES ($1, $2)")
            .bind(path.to_str().expect("a path in UTF-8"))
            .bind(fs::read(&file).expect("reads"))
            .execute(&mut kept)
            .await
            .expect("writes");
    }
    kept.close().await.expect("closes");
}

/// Unpacks the city's files from a database of [`build_packed`] into a folder.
pub(crate) async fn unpack(database: &TestDatabase, folder: &Path) {
    let mut connection = database.connection().await;
    let files: Vec<(String, Vec<u8>)> =
        sqlx::query_as("SELECT path, content FROM public.city_files")
            .fetch_all(&mut connection)
            .await
            .expect("reads");
    for (path, content) in files {
        let path = folder.join(path);
        fs::create_dir_all(path.parent().expect("a folder")).expect("a folder");
        fs::write(path, content).expect("writes");
    }
    let done = raw_sql("DROP TABLE public.city_files").execute(&mut connection);
    done.await.expect("removes");
}

/// All files in a folder and its subfolders.
pub(crate) fn files_below(folder: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder).into_iter().flatten();
    let paths = entries.map(|entry| entry.expect("an entry").path());
    paths
        .flat_map(|path| {
            if path.is_dir() {
                files_below(&path)
            } else {
                vec![path]
            }
        })
        .collect()
}

/// Runs `cityguide content apply`.
pub(crate) async fn apply(settings: &Settings, folder: &Path) -> Output {
    let folder = folder.to_str().expect("a path in UTF-8");
    crate::commands::run(settings, &["content", "apply", folder]).await
}

/// Writes the city's content folder.
pub(crate) fn write(root: &Path) {
    fs::write(root.join("listing-types.toml"), TYPES).expect("writes");
    fs::write(root.join("neighbourhoods.geojson"), AREAS).expect("writes");
    fs::create_dir_all(root.join("places")).expect("a folder");
    fs::create_dir_all(root.join("pictures")).expect("a folder");
    fs::write(root.join("pictures/one.svg"), PICTURE).expect("writes");
    for number in 0..PLACES {
        fs::write(
            root.join(format!("places/place-{number}.md")),
            place(number),
        )
        .expect("writes");
    }
}

const TYPES: &str = r#"
[[type]]
slug = "restaurants"
name = "Restaurants"
name_singular = "Restaurant"
is_food = true

[[type]]
slug = "parks"
name = "Parks"
name_singular = "Park"
is_food = false
"#;

const AREAS: &str = r#"{"type": "FeatureCollection", "features": [
    {"type": "Feature", "properties": {"slug": "west-end", "name": "West End"}, "geometry":
        {"type": "Polygon", "coordinates": [[[-80, 43], [-79, 43], [-79, 44], [-80, 44], [-80, 43]]]}},
    {"type": "Feature", "properties": {"slug": "east-end", "name": "East End"}, "geometry":
        {"type": "Polygon", "coordinates": [[[-79, 43], [-78, 43], [-78, 44], [-79, 44], [-79, 43]]]}}
]}"#;

const PICTURE: &str = r#"<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 3 2"/>"#;

/// Returns a place: every third is a park, every second is in the east, and the first has a review.
fn place(number: usize) -> String {
    let kind = if number.is_multiple_of(3) {
        "parks"
    } else {
        "restaurants"
    };
    let longitude = if number.is_multiple_of(2) {
        -79.5
    } else {
        -78.5
    };
    let mut text = format!(
        "+++\nname = \"Place {number:02}\"\ntype = \"{kind}\"\nlatitude = 43.5\n\
         longitude = {longitude}\npublished = 2026-01-{:02}\n",
        number % 28 + 1
    );
    if number == 0 {
        let review = "picture = \"pictures/one.svg\"\nreview_author = \"Ada\"\n\
            review_date = 2026-01-02\n+++\nA *good* park.<script>alert(1)</script>\n";
        text.push_str(review);
    } else {
        writeln!(text, "+++").expect("a string");
    }
    text
}
