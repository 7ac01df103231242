//! The database a command works on: a server given by `DATABASE_URL`, or an embedded one.

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
/// The database of the sites that browser tests start by themselves.
const OTHER_SITES: &str = "e2e_others";
/// The database of those among them whose readers have calendars.
const WITH_CALENDARS: &str = "e2e_calendars";
/// The database of the site whose mail goes to a server.
const WITH_MAIL_SERVER: &str = "e2e_mail_server";
/// The databases of a server for one run.
const DATABASES: [&str; 5] = [SITE, BROWSER, OTHER_SITES, WITH_CALENDARS, WITH_MAIL_SERVER];

/// A server to work on; an embedded one stops when this is dropped.
#[derive(Debug)]
pub(crate) struct Database {
    kind: Kind,
}

#[derive(Debug)]
enum Kind {
    /// Someone else's; we never stop it.
    Given(String),
    /// Fields in the order in which they must be dropped: the server before its lock.
    Embedded {
        cluster: Box<Cluster>,
        _lock: Option<File>,
    },
}

impl Database {
    /// The server of `up`, whose data stay in `home` between starts.
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

    /// A server for one run, fast and without durability. `DATABASE_URL`, if set, is used instead.
    /// One of our own also accepts connections over TLS.
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

    /// A server for one run, whatever the environment says; the SQL makes the site's tables, unless they are
    /// left to the program.
    pub(crate) fn private(checkout: &Checkout, tables: &[String]) -> anyhow::Result<Self> {
        let contents = Contents {
            databases: &DATABASES,
            steps: tables,
            certificate: None,
        };
        Self::alone(checkout, contents, Durability::Disposable)
    }

    /// A server for one run, as durable as the database of a real site, for measuring one.
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

    /// The database for sites that browser tests start. It is another one, because sites on the same database
    /// share its outbox.
    pub(crate) fn other_sites(&self) -> String {
        self.url(OTHER_SITES)
    }

    /// The database for those among them whose readers have calendars: the jobs of a site without would take an event and
    /// write it nowhere.
    pub(crate) fn with_calendars(&self) -> String {
        self.url(WITH_CALENDARS)
    }

    /// The database, without tables, for the one whose mail goes to a server: the jobs of other sites would write it to
    /// folders.
    pub(crate) fn with_mail_server(&self) -> String {
        self.url(WITH_MAIL_SERVER)
    }

    /// The database from which Rust tests create their own.
    pub(crate) fn maintenance(&self) -> String {
        self.url("postgres")
    }

    /// The same over TLS, by the name in the server's certificate, if the server is our own.
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

    /// Fails when the server has died.
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

/// A database that a thread is removing. Dropping this waits until it is gone.
#[derive(Debug)]
pub(crate) struct Removal(Option<JoinHandle<()>>);

impl Drop for Removal {
    fn drop(&mut self) {
        if let Some(removing) = self.0.take() {
            // What cannot be removed stays in the system's folder for temporary files, as after a kill.
            let _ = removing.join();
        }
    }
}
