//! The database of a command: on the server of `DATABASE_URL`, or on an embedded server.

use std::{
    fs::{self, File, TryLockError},
    path::Path,
    thread::{self, JoinHandle},
};

use anyhow::{Context, bail};
use servers::{
    certificate::{self, Certificate},
    checkout::Checkout,
    embedded::Embedded,
    postgres::{Cluster, Contents, Durability},
    progress::Step,
};

/// The database of the site that `up` serves.
const SITE: &str = "cityguide";
/// The database of the site that browser tests use.
const BROWSER: &str = "e2e";
/// The database of the sites that browser tests start themselves.
const OTHER_SITES: &str = "e2e_others";
/// The database of the sites with calendars that browser tests start.
const WITH_CALENDARS: &str = "e2e_calendars";
/// The database of the site that sends emails to a server.
const WITH_MAIL_SERVER: &str = "e2e_mail_server";
/// The databases of a server for one run.
const DATABASES: [&str; 5] = [SITE, BROWSER, OTHER_SITES, WITH_CALENDARS, WITH_MAIL_SERVER];

/// A database server; an embedded server is stopped on drop.
#[derive(Debug)]
pub(crate) struct Database {
    kind: Kind,
}

#[derive(Debug)]
enum Kind {
    /// A server of `DATABASE_URL`, which is never stopped.
    Given(String),
    /// The order of the fields is the order of drops: the server before its lock.
    Embedded {
        cluster: Box<Cluster>,
        _lock: Option<File>,
    },
}

impl Database {
    /// Starts the server of `up`, whose data are kept in `home`.
    pub(crate) fn kept(checkout: &Checkout, home: &Path) -> anyhow::Result<Self> {
        if let Some(given) = Self::given() {
            return Ok(given);
        }
        let step = Step::quiet("PostgreSQL");
        fs::create_dir_all(home)?;
        let lock = File::create(home.join("lock"))?;
        match lock.try_lock() {
            Err(TryLockError::WouldBlock) => bail!(
                "another `cargo xtask up` is running on {}; stop it or choose another --data",
                home.display()
            ),
            locked => locked.context("the data folder cannot be locked")?,
        }
        let embedded = Embedded::ensure(checkout)?;
        let home = home.join("postgres");
        let contents = Contents {
            databases: &[SITE],
            ..Contents::default()
        };
        let cluster = Cluster::start(&embedded, &home, contents, Durability::Kept)?;
        step.done(&format!("answers on 127.0.0.1:{}", cluster.port()));
        Ok(Self {
            kind: Kind::Embedded {
                cluster: Box::new(cluster),
                _lock: Some(lock),
            },
        })
    }

    /// Starts a server for a single run, fast and without durability; it also accepts TLS connections. Uses
    /// `DATABASE_URL` instead if it is set.
    pub(crate) fn disposable(
        checkout: &Checkout,
        certificate: &Certificate,
    ) -> anyhow::Result<Self> {
        let contents = Contents {
            certificate: Some(certificate),
            ..Contents::default()
        };
        match Self::given() {
            Some(given) => Ok(given),
            None => Self::alone(checkout, contents, Durability::Disposable),
        }
    }

    /// Starts a server for a single run, regardless of the environment; `tables` is the SQL for the site's tables, or
    /// empty if the program creates them.
    pub(crate) fn private(checkout: &Checkout, tables: &[String]) -> anyhow::Result<Self> {
        let contents = Contents {
            databases: &DATABASES,
            steps: tables,
            certificate: None,
        };
        Self::alone(checkout, contents, Durability::Disposable)
    }

    /// Starts a server for a single measurement, as durable as the database of a real site.
    pub(crate) fn lasting(checkout: &Checkout) -> anyhow::Result<Self> {
        let contents = Contents {
            databases: &DATABASES,
            ..Contents::default()
        };
        Self::alone(checkout, contents, Durability::Kept)
    }

    fn alone(
        checkout: &Checkout,
        contents: Contents<'_>,
        durability: Durability,
    ) -> anyhow::Result<Self> {
        let step = Step::quiet("PostgreSQL");
        let cluster = Cluster::private(checkout, contents, durability)?;
        step.done(&format!(
            "a private one answers on 127.0.0.1:{}",
            cluster.port()
        ));
        Ok(Self {
            kind: Kind::Embedded {
                cluster: Box::new(cluster),
                _lock: None,
            },
        })
    }

    fn given() -> Option<Self> {
        let url = std::env::var("DATABASE_URL")
            .ok()
            .filter(|url| !url.is_empty())?;
        Step::quiet("PostgreSQL").done("the one that DATABASE_URL names");
        Some(Self {
            kind: Kind::Given(url),
        })
    }

    /// Stops the server and removes its data in a thread.
    pub(crate) fn remove_meanwhile(self) -> Removal {
        Removal(Some(thread::spawn(|| drop(self))))
    }

    /// The site's database.
    pub(crate) fn site(&self) -> String {
        self.url(SITE)
    }

    /// The database for browser tests.
    pub(crate) fn browser(&self) -> String {
        self.url(BROWSER)
    }

    /// The database for sites that browser tests start. It is separate, because sites on the same database share its
    /// outbox.
    pub(crate) fn other_sites(&self) -> String {
        self.url(OTHER_SITES)
    }

    /// The database for sites with calendars that browser tests start. It is separate, because jobs of a site without
    /// calendars would discard events.
    pub(crate) fn with_calendars(&self) -> String {
        self.url(WITH_CALENDARS)
    }

    /// The database, without tables, for the site that sends emails to a server. It is separate, because jobs of other
    /// sites would write the emails to folders.
    pub(crate) fn with_mail_server(&self) -> String {
        self.url(WITH_MAIL_SERVER)
    }

    /// The database from which Rust tests create their own.
    pub(crate) fn maintenance(&self) -> String {
        self.url("postgres")
    }

    /// The maintenance database's URL over TLS, with the name in the server's certificate, if the server is embedded.
    pub(crate) fn maintenance_over_tls(&self) -> Option<String> {
        match &self.kind {
            Kind::Given(_) => None,
            Kind::Embedded { .. } => {
                let url = self.maintenance().replace("127.0.0.1", certificate::NAME);
                Some(url + "?sslmode=verify-full")
            }
        }
    }

    fn url(&self, database: &str) -> String {
        match &self.kind {
            Kind::Given(url) => url.clone(),
            Kind::Embedded { cluster, .. } => cluster.url(database),
        }
    }

    /// Fails if the server has ended.
    pub(crate) fn require_alive(&mut self) -> anyhow::Result<()> {
        match &mut self.kind {
            Kind::Given(_) => Ok(()),
            Kind::Embedded { cluster, .. } => cluster.require_alive(),
        }
    }

    /// Stops an embedded server; returns whether it stopped cleanly.
    pub(crate) fn stop(self) -> bool {
        match self.kind {
            Kind::Given(_) => true,
            Kind::Embedded { cluster, .. } => cluster.stop(),
        }
    }
}

/// A database that a thread removes. Dropping this waits until it is removed.
#[derive(Debug)]
pub(crate) struct Removal(Option<JoinHandle<()>>);

impl Drop for Removal {
    fn drop(&mut self) {
        if let Some(removing) = self.0.take() {
            // Files that cannot be removed stay in the system's temporary folder, as after a kill.
            let _ = removing.join();
        }
    }
}
