//! A service's schema: its own migrations and the chassis tables that it uses, in one schema with one migrations table.

use std::time::Duration;

use sqlx::{
    Executor as _, PgExecutor, PgPool,
    migrate::{Migrate as _, MigrateError, Migration, Migrator},
};

use super::{Pools, Settings, connect};
use crate::error::{Code, Fault};

static ERASED: Migrator = sqlx::migrate!("migrations/erased");
static EVENTS: Migrator = sqlx::migrate!("migrations/events");
static EXTENSIONS: Migrator = sqlx::migrate!("migrations/extensions");
static IDEMPOTENCY_KEYS: Migrator = sqlx::migrate!("migrations/idempotency_keys");
static JOBS: Migrator = sqlx::migrate!("migrations/jobs");
static STAMPS: Migrator = sqlx::migrate!("migrations/stamps");

/// The version of the first baseline migration. Databases created before the first release have earlier versions.
const BASELINE: i64 = 20_261_129_000_001;

/// The comment on the schemas of a database while a backup is restored into it.
const RESTORING: &str = "cityguide: a restore has not ended";
/// The comment on the schemas of a restored copy.
const COPY: &str = "cityguide: a copy, which sends no mail";

/// The purpose of a database. It is stored as a comment on each schema, which every role can read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum State {
    /// The database of the site.
    Live,
    /// A restored copy: jobs that act outside of the site do not run.
    Copy,
    /// A restore has not ended, so the data are incomplete.
    Restoring,
}

impl State {
    fn of(comment: Option<&str>) -> Self {
        match comment {
            Some(RESTORING) => Self::Restoring,
            Some(COPY) => Self::Copy,
            _ => Self::Live,
        }
    }

    fn comment(self) -> &'static str {
        match self {
            Self::Live => "",
            Self::Copy => COPY,
            Self::Restoring => RESTORING,
        }
    }
}

/// Chassis tables that a service can select.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Part {
    /// `erased`: [`super::erased`].
    Erased,
    /// `outbox` and `inbox`: [`super::Outbox`], [`super::first_time`].
    Events,
    /// PostgreSQL's extensions, in the schema `extensions`, and `folded`: [`super::keyset::push_keywords`].
    Extensions,
    /// `idempotency_keys`: [`super::Attempt`].
    IdempotencyKeys,
    /// `jobs`: [`super::jobs`].
    Jobs,
    /// `stamps`: [`super::stamps::Stamps`].
    Stamps,
}

impl Part {
    /// All parts.
    pub const ALL: &'static [Self] = &[
        Self::Erased,
        Self::Events,
        Self::Extensions,
        Self::IdempotencyKeys,
        Self::Jobs,
        Self::Stamps,
    ];

    fn migrator(self) -> &'static Migrator {
        match self {
            Self::Erased => &ERASED,
            Self::Events => &EVENTS,
            Self::Extensions => &EXTENSIONS,
            Self::IdempotencyKeys => &IDEMPOTENCY_KEYS,
            Self::Jobs => &JOBS,
            Self::Stamps => &STAMPS,
        }
    }
}

/// A service's schema. `own` is `sqlx::migrate!()` with the service's `sqlx.toml`, which names the schema and the
/// migrations table.
#[derive(Debug, Clone, Copy)]
pub struct Schema<'a> {
    /// The schema's name, which is also the service's.
    pub name: &'static str,
    /// The service's own migrations.
    pub own: &'a Migrator,
    /// The chassis tables that the service uses.
    pub parts: &'static [Part],
}

impl Schema<'_> {
    /// Brings the schema up to date.
    pub async fn migrate(&self, database: &Settings) -> Result<(), Fault> {
        let pool = connect(database, self.name).await?;
        let outcome = self.apply(&pool).await;
        pool.close().await;
        outcome
    }

    /// Opens pools on the schema, for calls of at most `longest_call`; refuses a schema that lacks a migration, because
    /// its queries would fail.
    pub async fn open(&self, database: &Settings, longest_call: Duration) -> Result<Pools, Fault> {
        let pools = Pools::open(database, self.name, longest_call).await?;
        self.check(&pools.calls).await?;
        Ok(pools)
    }

    /// Opens a pool on the schema for an operator's command; refuses the same schemas as [`Schema::open`].
    pub async fn connect(&self, database: &Settings) -> Result<PgPool, Fault> {
        let pool = connect(database, self.name).await?;
        self.check(&pool).await?;
        Ok(pool)
    }

    /// The versions of the migrations of this program, in ascending order.
    #[must_use]
    pub fn versions(&self) -> Vec<i64> {
        self.migrations().iter().map(|one| one.version).collect()
    }

    /// The name of the table of applied migrations, without the schema.
    #[must_use]
    pub fn migrations_table(&self) -> &str {
        let name = self.own.table_name.as_ref();
        name.rsplit_once('.').map_or(name, |(_, table)| table)
    }

    /// The versions of the migrations that a database has; `None` if it has no schema of this service.
    pub async fn applied_versions(
        &self,
        database: impl PgExecutor<'_>,
    ) -> Result<Option<Vec<i64>>, Fault> {
        Ok(self.applied(database).await?)
    }

    /// The state of the database; [`State::Live`] if it has no schema of this service.
    pub async fn state(&self, database: impl PgExecutor<'_>) -> Result<State, Fault> {
        let comment: Option<String> =
            sqlx::query_scalar("SELECT obj_description(to_regnamespace($1)::oid, 'pg_namespace')")
                .bind(self.name)
                .fetch_one(database)
                .await?;
        Ok(State::of(comment.as_deref()))
    }

    /// Sets the state of the database; only the schema's owner can. [`State::Restoring`] also creates a missing schema.
    pub async fn set_state(
        &self,
        database: impl PgExecutor<'_>,
        state: State,
    ) -> Result<(), Fault> {
        let (name, comment) = (self.name, state.comment());
        let create = match state {
            State::Restoring => format!("CREATE SCHEMA IF NOT EXISTS {name}; "),
            State::Live | State::Copy => String::new(),
        };
        let statement = format!("{create}COMMENT ON SCHEMA {name} IS '{comment}'");
        let statement = sqlx::raw_sql(sqlx::AssertSqlSafe(statement));
        statement.execute(database).await?;
        Ok(())
    }

    /// Applies the missing migrations among these versions, to restore the tables of an earlier release.
    pub async fn apply_versions(&self, pool: &PgPool, versions: &[i64]) -> Result<(), Fault> {
        let mut migrations = self.migrations();
        migrations.retain(|migration| versions.contains(&migration.version));
        self.apply_all(pool, migrations).await
    }

    /// Applies the missing migrations. A schema from before the first release is refused and left unchanged.
    pub async fn apply(&self, pool: &PgPool) -> Result<(), Fault> {
        self.apply_all(pool, self.migrations()).await
    }

    async fn apply_all(&self, pool: &PgPool, migrations: Vec<Migration>) -> Result<(), Fault> {
        let mut all = Migrator::with_migrations(migrations);
        all.table_name.clone_from(&self.own.table_name);
        all.create_schemas.clone_from(&self.own.create_schemas);
        // Another release, or an earlier selection of parts, may have applied more migrations.
        all.set_ignore_missing(true);
        all.set_locking(false);
        let mut connection = pool.acquire().await?;
        let migrated = async {
            // An index on millions of rows takes minutes. The wait for this lock, while another service migrates this
            // database, may also be long, but blocks no other statement.
            connection.execute("SET statement_timeout = '1h'").await?;
            connection.lock().await?;
            let applied = self.applied(&mut *connection).await?.unwrap_or_default();
            if let Some(version) = before_baseline(&applied) {
                return Err(MigrateError::VersionMissing(version));
            }
            // A migration that waits for a lock blocks every statement behind it: it is better to fail and run again.
            connection.execute("SET lock_timeout = '1s'").await?;
            all.run_direct(None, &mut *connection, false).await
        }
        .await;
        // The pool must not inherit the lock or the settings.
        let closed = connection.close().await;
        migrated.map_err(|error: MigrateError| match error {
            MigrateError::VersionMissing(_) => self.outdated(),
            error => Fault::new(Code::Internal, format!("migrating {}: {error}", self.name)),
        })?;
        closed?;
        Ok(())
    }

    /// Refuses a schema that lacks a migration.
    pub async fn check(&self, pool: &PgPool) -> Result<(), Fault> {
        let behind = |what: &str| {
            let message = format!("the schema {} {what}: run `cityguide migrate`", self.name);
            Fault::new(Code::Unavailable, message)
        };
        let Some(applied) = self.applied(pool).await? else {
            return Err(behind("does not exist"));
        };
        if self.state(pool).await? == State::Restoring {
            let message = format!(
                "the schema {} is incomplete, because a restore has not ended: run `cityguide restore` again",
                self.name
            );
            return Err(Fault::new(Code::Unavailable, message));
        }
        if before_baseline(&applied).is_some() {
            return Err(self.outdated());
        }
        let mut wanted = self.migrators().flat_map(Migrator::iter);
        if wanted.all(|migration| applied.contains(&migration.version)) {
            Ok(())
        } else {
            Err(behind("is not up to date"))
        }
    }

    /// The versions of the applied migrations; `None` if the schema does not exist.
    async fn applied(
        &self,
        database: impl PgExecutor<'_>,
    ) -> Result<Option<Vec<i64>>, sqlx::Error> {
        let applied = sqlx::query_scalar::<_, i64>(sqlx::AssertSqlSafe(format!(
            "SELECT version FROM {} WHERE success",
            self.own.table_name
        )))
        .fetch_all(database)
        .await;
        match applied {
            Ok(applied) => Ok(Some(applied)),
            Err(sqlx::Error::Database(error)) if error.code().as_deref() == Some("42P01") => {
                Ok(None)
            }
            Err(error) => Err(error),
        }
    }

    /// Refuses a schema from before the first release.
    fn outdated(&self) -> Fault {
        let message = format!(
            "the schema {} was created before the first release and cannot be upgraded: use an empty database (for \
             `cargo xtask up`: choose another folder with `--data`, or move `.cityguide` away)",
            self.name
        );
        Fault::new(Code::Unavailable, message)
    }

    /// All migrations of the schema, in the order of their versions.
    fn migrations(&self) -> Vec<Migration> {
        let mut migrations: Vec<_> = self.migrators().flat_map(Migrator::iter).cloned().collect();
        migrations.sort_by_key(|migration| migration.version);
        migrations
    }

    fn migrators(&self) -> impl Iterator<Item = &Migrator> {
        let parts = self.parts.iter().map(|part| part.migrator());
        parts.chain([self.own])
    }
}

/// The version of an applied migration from before the first release, if any.
fn before_baseline(applied: &[i64]) -> Option<i64> {
    applied.iter().copied().find(|version| *version < BASELINE)
}
