//! Fetches pictures that are missing in the uploads folder, from hosts that the publisher allows.

use std::{
    collections::BTreeMap,
    fs,
    path::{Path, PathBuf},
    sync::{Arc, Mutex, PoisonError},
    time::Duration,
};

use bytes::Bytes;
use chassis::{
    clock::SystemClock,
    fetch::{Bounds, Fetched, Fetcher, Known},
    network::Network,
};
use tokio::runtime::Handle;
use url::Url;

use super::uploaded::{below, without_size};

/// Maximum size of a picture in bytes, the same as for uploads.
const MAX_BYTES: usize = 25 << 20;
/// Timeout for a picture.
const TIMEOUT: Duration = Duration::from_mins(1);
/// Maximum number of fetched and failed pictures per import.
const MAX: usize = 100_000;

/// Fetches pictures into the folder, one at a time. Clones share the list of failed pictures.
#[derive(Debug, Clone)]
pub struct Fetching {
    hosts: Vec<String>,
    fetcher: Fetcher,
    runtime: Handle,
    known: Arc<Mutex<Outcomes>>,
}

#[derive(Debug, Default)]
struct Outcomes {
    fetched: usize,
    /// Reasons for failures, by address.
    failed: BTreeMap<String, String>,
}

impl Fetching {
    /// Allows these hosts, and only the given private networks.
    pub fn new(hosts: Vec<String>, private_networks: Vec<Network>) -> Result<Self, String> {
        let bounds = Bounds {
            private_networks,
            most_bytes: MAX_BYTES,
            timeout: TIMEOUT,
        };
        let fetcher = Fetcher::new(bounds, Arc::new(SystemClock)).map_err(|fault| fault.message)?;
        Ok(Self {
            hosts: hosts.into_iter().map(|host| host.to_lowercase()).collect(),
            fetcher,
            runtime: Handle::current(),
            known: Arc::default(),
        })
    }

    /// Returns the numbers of fetched and failed pictures.
    pub(super) fn counts(&self) -> (usize, usize) {
        let known = self.known.lock().unwrap_or_else(PoisonError::into_inner);
        (known.fetched, known.failed.len())
    }

    /// Fetches a picture into the folder, or returns the reason for the failure. Blocks until the picture is stored.
    pub(super) fn get(&self, folder: &Path, address: &str) -> Result<PathBuf, String> {
        let mut known = self.known.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(why) = known.failed.get(address) {
            return Err(why.clone());
        }
        if known.fetched + known.failed.len() >= MAX {
            return Err(format!("{MAX} others were fetched"));
        }
        let outcome = self.fetch(folder, address);
        match &outcome {
            Ok(_) => known.fetched += 1,
            Err(why) => {
                known.failed.insert(address.to_owned(), why.clone());
            }
        }
        outcome
    }

    fn fetch(&self, folder: &Path, address: &str) -> Result<PathBuf, String> {
        let url = self.whole(address).ok_or("it is not in the folder")?;
        let mut relative = below(url.path()).into_iter();
        let relative = relative
            .next()
            .and_then(inside)
            .ok_or("its address names no file")?;
        // The original is better than a resized version.
        let original = without_size(&relative);
        let original = original.map(|original| {
            let mut whole = url.clone();
            whole.set_path(&without_size(url.path()).unwrap_or_default());
            (whole, original)
        });
        let mut why = String::new();
        for (mut url, relative) in original.into_iter().chain([(url, relative)]) {
            // Services that resize pictures return the original without a query.
            url.set_query(None);
            url.set_fragment(None);
            match self.content(&url) {
                Ok(content) => {
                    let path = folder.join(relative);
                    store(&path, &content)
                        .map_err(|error| format!("it cannot be stored: {error}"))?;
                    return Ok(path);
                }
                Err(reason) => why = format!("it could not be fetched: {reason}"),
            }
        }
        Err(why)
    }

    /// Returns the full address, if it is on an allowed host. An address without a host is resolved against the first
    /// host.
    fn whole(&self, address: &str) -> Option<Url> {
        let first = self.hosts.first()?;
        let base = Url::parse(&format!("https://{first}/")).ok()?;
        let url = base.join(address.trim()).ok()?;
        let port = url.port().map_or(String::new(), |port| format!(":{port}"));
        let host = format!("{}{port}", url.host_str()?);
        (matches!(url.scheme(), "http" | "https") && self.hosts.contains(&host)).then_some(url)
    }

    fn content(&self, url: &Url) -> Result<Bytes, String> {
        let got = self.fetcher.get(url.as_str(), Known::default());
        match self.runtime.block_on(got) {
            Ok(Fetched::File(file)) => Ok(file.content),
            Ok(Fetched::Unchanged) => Err("it answered 304 Not Modified".to_owned()),
            Err(not) => Err(not.why),
        }
    }
}

/// Returns the path if it remains within a folder.
fn inside(path: String) -> Option<String> {
    let is_name = |part: &str| !matches!(part, "" | "." | "..") && !part.contains(['\\', '\0']);
    path.split('/').all(is_name).then_some(path)
}

/// Stores a file atomically, so that it has its final name only once it is complete.
fn store(path: &Path, content: &[u8]) -> std::io::Result<()> {
    if let Some(folder) = path.parent() {
        fs::create_dir_all(folder)?;
    }
    let mut unfinished = path.as_os_str().to_owned();
    unfinished.push(".part");
    fs::write(&unfinished, content)?;
    fs::rename(&unfinished, path)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn only_named_hosts_are_asked_and_nothing_is_stored_outside_of_the_folder() {
        let hosts = vec!["Old.example".to_owned(), "cdn.example:8080".to_owned()];
        let fetching = Fetching::new(hosts, Vec::new()).expect("a fetcher");
        let whole = |address| fetching.whole(address).map(String::from);
        for (address, expected) in [
            (
                "/content/images/a.jpg",
                Some("https://old.example/content/images/a.jpg"),
            ),
            ("http://old.example/a.jpg", Some("http://old.example/a.jpg")),
            (
                "//cdn.example:8080/a.jpg",
                Some("https://cdn.example:8080/a.jpg"),
            ),
            ("https://cdn.example/a.jpg", None),
            ("https://else.example/a.jpg", None),
            ("data:image/png;base64,x", None),
            ("ftp://old.example/a.jpg", None),
        ] {
            assert_eq!(whole(address).as_deref(), expected, "{address}");
        }
        for (path, expected) in [
            ("2013/03/a.jpg", true),
            ("../a.jpg", false),
            ("a//b.jpg", false),
            ("a\\..\\b.jpg", false),
            ("", false),
        ] {
            assert_eq!(inside(path.to_owned()).is_some(), expected, "{path}");
        }
    }
}
