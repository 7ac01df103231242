//! The parts of a process, shared by a test's services.

use std::sync::Arc;

use chassis::{
    blobs::Blobs,
    bus::InProcessBus,
    cache::{InProcessCache, SharedCache},
    entropy::OsEntropy,
    keys::Keys,
    mail::{FolderMailer, PostOffice, SharedMailer, SiteSettings},
    role::Parts,
};

use tempfile::TempDir;

use crate::{calls::TIMEOUT, clock::ManualClock, database::TestDatabase, letters};

/// Secret key shared by all services of a test.
pub(crate) const KEY: &[u8; 32] = b"the key of every test's services";

/// The site whose mails services send.
#[must_use]
pub fn site() -> SiteSettings {
    SiteSettings {
        url: "https://guide.test".to_owned(),
        name: None,
        color: None,
    }
}

/// Maximum size of a test's cache in bytes.
const CACHE_BYTES: u64 = 1 << 20;

/// The parts of a process, for services and the test itself.
#[derive(Debug, Clone)]
pub struct TestParts {
    /// The clock, which changes only when the test advances it.
    pub clock: Arc<ManualClock>,
    /// The bus, which delivers messages within the test.
    pub bus: Arc<InProcessBus>,
    /// The test's own database.
    pub database: TestDatabase,
    cache: CacheOfTest,
    post: PostOffice,
    mail: Arc<TempDir>,
    /// Blobs in the test's own folder.
    pub blobs: Blobs,
    blob_folder: Arc<TempDir>,
}

#[derive(Clone)]
struct CacheOfTest(SharedCache);

chassis::opaque_debug!(CacheOfTest);

/// Creates parts on an empty database.
///
/// # Panics
/// If a folder cannot be created.
pub async fn parts() -> TestParts {
    parts_on(TestDatabase::create().await)
}

/// Creates parts on a prepared database.
///
/// # Panics
/// If a folder cannot be created.
#[must_use]
pub fn parts_on(database: TestDatabase) -> TestParts {
    let mail = tempfile::tempdir().unwrap_or_else(|error| panic!("a folder: {error}"));
    let blob_folder = tempfile::tempdir().unwrap_or_else(|error| panic!("a folder: {error}"));
    TestParts {
        blobs: Blobs::in_folder(blob_folder.path())
            .unwrap_or_else(|error| panic!("a folder: {error}")),
        blob_folder: Arc::new(blob_folder),
        post: PostOffice {
            from: "City Guide <post@guide.test>"
                .parse()
                .unwrap_or_else(|error| panic!("an address: {error}")),
            mailer: Arc::new(FolderMailer::new(mail.path())),
            is_local: true,
            connections: 4,
            signer: None,
        },
        mail: Arc::new(mail),
        clock: ManualClock::shared(),
        bus: Arc::new(InProcessBus::default()),
        database,
        cache: CacheOfTest(Arc::new(InProcessCache::new(CACHE_BYTES))),
    }
}

impl TestParts {
    /// Replaces the cache.
    #[must_use]
    pub fn with_cache(mut self, cache: SharedCache) -> Self {
        self.cache = CacheOfTest(cache);
        self
    }

    /// Replaces the cache with an empty one, as after a restart.
    #[must_use]
    pub fn with_empty_cache(self) -> Self {
        self.with_cache(Arc::new(InProcessCache::new(CACHE_BYTES)))
    }

    /// Replaces the mailer.
    #[must_use]
    pub fn with_mailer(mut self, mailer: SharedMailer) -> Self {
        self.post.mailer = mailer;
        self
    }

    /// Returns the sent emails.
    #[must_use]
    pub fn letters(&self) -> Vec<String> {
        letters::in_folder(self.mail.path())
    }

    /// Returns the files of the blob store.
    #[must_use]
    pub fn blob_files(&self) -> Vec<String> {
        let mut found = Vec::new();
        list_files(self.blob_folder.path(), "", &mut found);
        found.sort();
        found
    }

    /// Replaces the blob store.
    #[must_use]
    pub fn with_blobs(mut self, blobs: Blobs) -> Self {
        self.blobs = blobs;
        self
    }

    /// Returns the parts for services.
    #[must_use]
    pub fn shared(&self) -> Parts {
        Parts {
            clock: self.clock.clone(),
            entropy: Arc::new(OsEntropy),
            bus: self.bus.clone(),
            cache: self.cache.0.clone(),
            keys: Keys::one(KEY),
            post: self.post.clone(),
            blobs: Some(self.blobs.clone()),
            database: self.database.settings(),
            longest_call: TIMEOUT,
            longest_request: 2 * TIMEOUT,
        }
    }
}

/// Lists the files below a folder with their relative paths.
fn list_files(folder: &std::path::Path, prefix: &str, found: &mut Vec<String>) {
    let Ok(entries) = std::fs::read_dir(folder) else {
        return;
    };
    for entry in entries.flatten() {
        let name = format!("{prefix}{}", entry.file_name().to_string_lossy());
        if entry.path().is_dir() {
            list_files(&entry.path(), &format!("{name}/"), found);
        } else {
            found.push(name);
        }
    }
}
