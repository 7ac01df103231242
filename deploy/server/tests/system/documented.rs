//! The README's commands, run line by line as a newcomer would.

use std::{fs, path::Path};

use serde_json::json;
use servers::checkout::Checkout;

use crate::{app::Browser, city, commands, crash, imports, inspections, wordpress};

/// The console lines of a document's section, without the prompt and the program's name.
fn console(document: &str, heading: &str) -> Vec<Vec<String>> {
    let (_, section) = document.split_once(heading).expect("the heading");
    let mut lines = section.lines().skip_while(|line| *line != "```console");
    lines.next();
    let lines = lines.take_while(|line| *line != "```");
    let words = |line: &str| line.split_whitespace().map(str::to_owned).collect();
    lines
        .map(|line| words(line.strip_prefix("$ cityguide ").expect("a command")))
        .collect()
}

/// Writes small files with the names that the README uses.
fn write_files(folder: &Path) {
    let write =
        |name: &str, content: String| fs::write(folder.join(name), content).expect("writes");
    write("neighbourhoods.geojson", imports::areas().to_string());
    write(
        "osm-eateries.geojson",
        imports::collection(&imports::places()[..20]),
    );
    let events = json!({"@context": "https://schema.org", "@graph": imports::calendar()});
    write("events.jsonld", events.to_string());
    write("dinesafe.csv", inspections::register());
    wordpress::written(folder);
    fs::rename(folder.join("export.xml"), folder.join("wordpress.xml")).expect("renames");
    fs::create_dir(folder.join("my-city")).expect("a folder");
    city::write(&folder.join("my-city"));
}

#[tokio::test]
async fn the_readmes_commands_make_a_city_from_files_and_serve_it() {
    let readme = fs::read_to_string(Checkout::here().path("README.md")).expect("reads");
    let mut lines = console(&readme, "\n## Your own city\n");
    assert_eq!(lines.pop().expect("commands"), ["serve"]);

    let (settings, _database, folder) = crash::migrated().await;
    write_files(folder.path());
    for line in &lines {
        let mut command = commands::program(&settings);
        let command = command.args(line).current_dir(folder.path());
        let output = command.output().await.expect("it starts");
        let errors = String::from_utf8_lossy(&output.stderr);
        assert!(output.status.success(), "{}: {errors}", line.join(" "));
    }

    let mut child = crash::start(&settings).await;
    let browser = Browser::at(&format!("http://{}", settings.http.listen));
    let places = browser.json("/api/v2/listings/").await;
    assert_eq!(places["count"], 20 + city::PLACES, "{places}");
    let events = browser.json("/api/v2/events/?limit=1").await;
    assert!(events["results"].is_array(), "{events}");
    let article = browser.get("/2013/01/11/a-new-streetcar/").await;
    assert!(article.status().is_redirection() || article.status().is_success());
    child.kill().await.expect("killed");
}
