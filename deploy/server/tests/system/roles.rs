//! The database roles of docs/DEPLOYING.md, created by the document's own SQL: each role's privileges, and a site that
//! runs with them. All sites of many processes in these tests use them ([`crate::site::Split`]).

use chassis::{error::Fault, postgres};
use cityguide::{Settings, System, Target};
use sqlx::{AssertSqlSafe, PgConnection, error::DatabaseError, raw_sql};
use testkit::{
    AT_MOST,
    database::{TestDatabase, connect},
};

use crate::{
    app, city,
    commands::{output_of, program},
    site::{Split, free, ready},
};

const DOCUMENT: &str = include_str!("../../../../docs/DEPLOYING.md");
/// The role that migrations use.
const OWNER: &str = "owner";
/// The role of a process that runs all services, and of commands.
pub(crate) const SITE: &str = "site";

/// The roles of one or more databases. Roles belong to the server, so the roles of each test have their own prefix.
#[derive(Debug, Clone)]
pub(crate) struct Roles {
    prefix: String,
}

impl Roles {
    /// Creates the roles for a database. The password of each role is its name.
    async fn create(database_url: &str) -> Self {
        let (_, name) = database_url.rsplit_once('/').expect("a name");
        // Contains only the random end of the database's name, because a role's name has at most 63 bytes.
        let prefix = format!("site_{}", &name[name.len() - 16..]);
        let sql = documented()
            .replace("DATABASE cityguide", &format!("DATABASE {name}"))
            .replace("cityguide", &prefix);
        let (passwords, statements): (Vec<&str>, Vec<&str>) = sql
            .lines()
            .partition(|line| line.starts_with("\\password "));
        assert!(passwords.len() > 2, "the document sets no passwords");
        let passwords = passwords.iter().map(|line| {
            let role = line.trim_start_matches("\\password ");
            format!("ALTER ROLE {role} PASSWORD '{role}';")
        });
        let all = statements.join("\n") + &passwords.collect::<String>();
        execute(&mut connect(database_url).await, all).await;
        Self { prefix }
    }

    /// Brings the schemas of a database up to date, as their owner.
    async fn migrate(&self, database: postgres::Settings) -> Result<(), Fault> {
        let mut settings = Settings::load(None)?;
        settings.database = database;
        settings.database.url = self.url(&settings.database.url, OWNER);
        System::migrate(&settings).await
    }

    /// A database's URL for one of the roles.
    pub(crate) fn url(&self, database_url: &str, role: &str) -> String {
        let (_, address) = database_url.rsplit_once('@').expect("a user");
        let role = self.name(role);
        format!("postgres://{role}:{role}@{address}")
    }

    fn name(&self, role: &str) -> String {
        format!("{}_{role}", self.prefix)
    }
}

/// A database with the schemas of all services, which belong to the owner, and its roles. It contains the city, whose
/// files [`city::unpack`] extracts.
pub(crate) async fn database() -> (TestDatabase, Roles) {
    let database = TestDatabase::migrated("system_roles", async |database| {
        prepare(database).await.map(|_| ())
    })
    .await;
    let owner: String = sqlx::query_scalar(
        "SELECT nspowner::regrole::text FROM pg_namespace WHERE nspname = 'identity'",
    )
    .fetch_one(&mut database.connection().await)
    .await
    .expect("a schema");
    let prefix = owner.strip_suffix("_owner").expect("the owner's name");
    let roles = Roles {
        prefix: prefix.to_owned(),
    };
    // The document's grants on the database itself are not copied with the database.
    let name = database.name();
    let connecting: Vec<_> = services()
        .chain([OWNER, SITE])
        .map(|role| roles.name(role))
        .collect();
    let connecting = connecting.join(", ");
    let statements = format!(
        "REVOKE ALL ON DATABASE {name} FROM PUBLIC; GRANT CONNECT ON DATABASE {name} TO {connecting}"
    );
    execute(&mut database.connection().await, statements).await;
    (database, roles)
}

/// Creates the same database as [`database`], on a test's own server.
pub(crate) async fn database_on(server: &str) -> (TestDatabase, Roles) {
    let database = TestDatabase::create_on(server).await;
    let roles = prepare(database.settings()).await.expect("migrates");
    (database, roles)
}

async fn prepare(database: postgres::Settings) -> Result<Roles, Fault> {
    let roles = Roles::create(&database.url).await;
    roles.migrate(database.clone()).await?;
    let url = roles.url(&database.url, SITE);
    city::build_packed(database, &url).await;
    Ok(roles)
}

/// The document's SQL that makes the roles.
fn documented() -> &'static str {
    let begin = "```sql\n";
    let blocks = DOCUMENT.split(begin).skip(1);
    let mut blocks = blocks.filter_map(|rest| rest.split("```").next());
    let found = blocks.find(|block| block.contains("CREATE ROLE cityguide_owner"));
    found.expect("the document has the SQL")
}

fn services() -> impl Iterator<Item = &'static str> {
    Target::ALL
        .iter()
        .filter_map(|target| target.schema())
        .map(|schema| schema.name)
}

async fn execute(connection: &mut PgConnection, statements: String) {
    raw_sql(AssertSqlSafe(statements))
        .execute(connection)
        .await
        .expect("executes");
}

/// Whether a role's statement is refused for lack of a privilege (42501); any other error fails the test.
async fn is_refused(connection: &mut PgConnection, statement: &str) -> bool {
    let done = raw_sql(AssertSqlSafe(statement.to_owned()))
        .execute(connection)
        .await;
    match done {
        Ok(_) => false,
        Err(error) => {
            let code = error.as_database_error().and_then(DatabaseError::code);
            assert_eq!(code.as_deref(), Some("42501"), "{statement}: {error}");
            true
        }
    }
}

/// The roles that have connections of a service, which is identified by its application name.
async fn held_by(database: &TestDatabase, application: &str) -> Vec<String> {
    let query = "SELECT DISTINCT usename::text FROM pg_stat_activity
        WHERE datname = current_database() AND application_name = $1";
    sqlx::query_scalar(query)
        .bind(application)
        .fetch_all(&mut database.connection().await)
        .await
        .expect("reads")
}

/// A table of a service, without rows.
fn table(service: &str) -> &'static str {
    match service {
        // The ads service publishes no events, so it has no outbox.
        "ads" => "deliveries",
        _ => "outbox",
    }
}

#[tokio::test]
async fn a_services_role_reaches_its_own_schema_alone_and_does_not_change_its_shape() {
    let (database, roles) = database().await;
    for service in services() {
        let mut own = connect(&roles.url(&database.url, service)).await;
        for schema in services() {
            for statement in ["SELECT FROM", "DELETE FROM"] {
                let statement = format!("{statement} {schema}.{}", table(schema));
                let is_own = schema == service;
                assert_eq!(
                    is_refused(&mut own, &statement).await,
                    !is_own,
                    "{service}: {statement}"
                );
            }
        }
        for statement in [
            "ALTER TABLE OWN.TABLE ADD COLUMN extra int",
            "DROP TABLE OWN.TABLE",
            "CREATE TABLE OWN.extra ()",
            "CREATE TABLE public.extra ()",
            "CREATE TEMPORARY TABLE extra ()",
            "CREATE SCHEMA extra",
        ] {
            let statement = statement.replace(
                "TABLE OWN.TABLE",
                &format!("TABLE {service}.{}", table(service)),
            );
            let statement = statement.replace("OWN", service);
            assert!(
                is_refused(&mut own, &statement).await,
                "{service}: {statement}"
            );
        }
    }
    let mut site = connect(&roles.url(&database.url, SITE)).await;
    for schema in services() {
        let table = format!("{schema}.{}", table(schema));
        assert!(!is_refused(&mut site, &format!("SELECT FROM {table}")).await);
        let drop = format!("DROP TABLE {table}");
        assert!(is_refused(&mut site, &drop).await);
    }
}

#[tokio::test]
async fn each_process_holds_connections_of_its_services_role_alone() {
    let split = Split::start().await;
    for service in services() {
        let held = held_by(&split.database, &format!("cityguide-{service}")).await;
        assert_eq!(held, [split.roles.name(service)]);
    }
}

#[tokio::test]
async fn within_one_process_a_service_may_have_a_role_of_its_own_from_a_file() {
    let (database, roles) = database().await;
    let blobs = tempfile::tempdir().expect("a folder");
    let mut settings = app::settings(&database, &blobs);
    settings.database.url = roles.url(&database.url, SITE);
    settings.http.internal_listen = free();
    let file = blobs.path().join("places-url");
    let serve = |role: &str| {
        std::fs::write(&file, roles.url(&database.url, role) + "\n").expect("writes");
        let mut command = program(&settings);
        command.arg("serve");
        command.env("CITYGUIDE__SERVICES__PLACES__DATABASE_URL_FILE", &file);
        command
    };
    let serving = ready(serve("places"), &settings).await;
    let of_places = held_by(&database, "cityguide-places").await;
    assert_eq!(of_places, [roles.name("places")]);
    let of_bookmarks = held_by(&database, "cityguide-bookmarks").await;
    assert_eq!(of_bookmarks, [roles.name(SITE)]);
    drop(serving);

    let refused = serve("bookmarks").kill_on_drop(true).output();
    let refused = tokio::time::timeout(AT_MOST, refused).await;
    let line = output_of(&refused.expect("it does not serve").expect("it runs"));
    assert!(
        line.contains("permission denied for schema places"),
        "{line}"
    );
}
