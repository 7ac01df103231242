//! The parts of a process, as a test's services share them.

use std::sync::Arc;

use chassis::{
    bus::InProcessBus,
    cache::{InProcessCache, SharedCache},
    entropy::OsEntropy,
    role::Parts,
};

use crate::{clock::ManualClock, database::TestDatabase};

/// Bytes that a test's cache may hold.
const CACHE_BYTES: u64 = 1 << 20;

/// Everything a service stands on, of which the test keeps hold.
#[derive(Debug, Clone)]
pub struct TestParts {
    /// Stands still until the test advances it.
    pub clock: Arc<ManualClock>,
    /// Delivers within the test.
    pub bus: Arc<InProcessBus>,
    /// A database of the test's own.
    pub database: TestDatabase,
    cache: CacheOfTest,
}

#[derive(Clone)]
struct CacheOfTest(SharedCache);

impl std::fmt::Debug for CacheOfTest {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("CacheOfTest").finish_non_exhaustive()
    }
}

/// Fresh parts on an empty database.
pub async fn parts() -> TestParts {
    TestParts {
        clock: ManualClock::shared(),
        bus: Arc::new(InProcessBus::default()),
        database: TestDatabase::create().await,
        cache: CacheOfTest(Arc::new(InProcessCache::new(CACHE_BYTES))),
    }
}

impl TestParts {
    /// The same parts with another cache.
    #[must_use]
    pub fn with_cache(mut self, cache: SharedCache) -> Self {
        self.cache = CacheOfTest(cache);
        self
    }

    /// The same parts with an empty cache, as after a restart of the cache.
    #[must_use]
    pub fn with_empty_cache(self) -> Self {
        self.with_cache(Arc::new(InProcessCache::new(CACHE_BYTES)))
    }

    /// As services take them.
    #[must_use]
    pub fn shared(&self) -> Parts {
        Parts {
            clock: self.clock.clone(),
            entropy: Arc::new(OsEntropy),
            bus: self.bus.clone(),
            cache: self.cache.0.clone(),
            database: self.database.settings(),
        }
    }
}
