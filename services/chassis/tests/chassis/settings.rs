//! Settings: a file overrides the defaults, and every error names the key and its source. Environment variables are
//! tested with the program, which has its own environment.

use std::{
    fs,
    path::{Path, PathBuf},
};

use chassis::{
    entropy::{OsEntropy, uuid},
    error::{Code, Fault},
    settings::load,
};
use serde::Deserialize;

const DEFAULTS: &str = r#"
[database]
url = "postgres://default"
max_connections = 10

[http]
listen = "127.0.0.1:8000"
"#;

#[derive(Debug, Deserialize, PartialEq)]
#[serde(deny_unknown_fields)]
struct Settings {
    database: Database,
    http: Http,
}

#[derive(Debug, Deserialize, PartialEq)]
#[serde(deny_unknown_fields)]
struct Database {
    url: String,
    max_connections: u32,
}

#[derive(Debug, Deserialize, PartialEq)]
#[serde(deny_unknown_fields)]
struct Http {
    listen: std::net::SocketAddr,
}

/// A folder that is removed after the test.
struct Folder(PathBuf);

impl Folder {
    fn new() -> Self {
        let path = std::env::temp_dir().join(format!("settings-{}", uuid(&OsEntropy)));
        fs::create_dir(&path).expect("makes the folder");
        Self(path)
    }

    fn write(&self, name: &str, text: &str) -> PathBuf {
        let path = self.0.join(name);
        fs::write(&path, text).expect("writes the file");
        path
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

fn refused(file: &Path) -> Fault {
    let refusal = load::<Settings>(DEFAULTS, Some(file)).expect_err("refused");
    assert_eq!(refusal.code, Code::Invalid);
    refusal
}

fn assert_names(refusal: &Fault, words: &[&str]) {
    for word in words {
        assert!(
            refusal.message.contains(word),
            "{word:?} is missing: {refusal}"
        );
    }
}

#[test]
fn without_a_file_the_defaults_hold() {
    let settings: Settings = load(DEFAULTS, None).expect("loads");
    assert_eq!(settings.database.max_connections, 10);
}

#[test]
fn a_file_overrides_what_it_names_and_nothing_else() {
    let folder = Folder::new();
    let file = folder.write("settings.toml", "[database]\nmax_connections = 3\n");
    let settings: Settings = load(DEFAULTS, Some(&file)).expect("loads");
    assert_eq!(
        settings.database,
        Database {
            url: "postgres://default".to_owned(),
            max_connections: 3
        }
    );
}

#[test]
fn a_file_that_is_not_there_is_named() {
    let folder = Folder::new();
    assert_names(
        &refused(&folder.0.join("absent.toml")),
        &["absent.toml", "does not exist"],
    );
}

#[test]
fn text_that_is_no_toml_is_refused_with_its_file() {
    let folder = Folder::new();
    assert_names(
        &refused(&folder.write("broken.toml", "[database\n")),
        &["broken.toml"],
    );
}

#[test]
fn an_unknown_key_is_refused_by_its_name_and_its_file() {
    let folder = Folder::new();
    let file = folder.write("typo.toml", "[database]\nmost_connections = 3\n");
    assert_names(&refused(&file), &["database.most_connections", "typo.toml"]);
    let file = folder.write("section.toml", "[storage]\nurl = \"x\"\n");
    assert_names(&refused(&file), &["storage", "section.toml"]);
}

#[test]
fn a_value_of_the_wrong_kind_is_refused_by_its_name_and_its_file() {
    let folder = Folder::new();
    let file = folder.write("kind.toml", "[database]\nmax_connections = \"many\"\n");
    assert_names(
        &refused(&file),
        &["database.max_connections", "many", "kind.toml"],
    );
    let file = folder.write("address.toml", "[http]\nlisten = \"here\"\n");
    assert_names(&refused(&file), &["http.listen", "address.toml"]);
}

#[test]
fn a_secret_can_come_from_a_file_of_its_own_without_its_last_line_break() {
    let folder = Folder::new();
    let secret = folder.write("url", "postgres://secret\r\n");
    let text = format!(
        "[database]\nurl_file = {:?}\n",
        secret.to_str().expect("UTF-8")
    );
    let file = folder.write("settings.toml", &text);
    let settings: Settings = load(DEFAULTS, Some(&file)).expect("loads");
    assert_eq!(settings.database.url, "postgres://secret");
}

#[test]
fn a_secret_file_that_cannot_be_read_is_named_with_its_key() {
    let folder = Folder::new();
    let file = folder.write(
        "settings.toml",
        "[database]\nurl_file = \"/absent/secret\"\n",
    );
    assert_names(&refused(&file), &["database.url_file", "/absent/secret"]);
}
