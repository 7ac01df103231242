//! The two topologies that journeys run in: one process with in-process bus and cache, and one process per target with
//! RabbitMQ, Redis and two gateways.

use std::{
    fs::File,
    net::SocketAddr,
    process::Stdio,
    sync::{
        Arc,
        atomic::{AtomicUsize, Ordering},
    },
    time::Duration,
};

use chassis::clock::SystemClock;
use cityguide::{ServiceSettings, Settings, Target};
use tempfile::TempDir;
use testkit::{database::TestDatabase, proxy::FaultProxy};
use tokio::process::Child;

use crate::{
    app::{self, App, Browser},
    city, commands,
    roles::{self, Roles},
};

/// A running site of either topology.
pub(crate) enum Site {
    Whole(App),
    Split(Split),
}

impl Site {
    /// Starts a site in the test's process; `set` changes its settings.
    pub(crate) async fn in_one_process(set: impl FnOnce(&mut Settings)) -> Self {
        Self::Whole(App::start_with(Arc::new(SystemClock), set).await)
    }

    /// Starts a site in one process per target; `set` changes its settings.
    pub(crate) async fn in_many_processes(set: impl FnOnce(&mut Settings)) -> Self {
        Self::Split(Split::start_with(set).await)
    }

    /// A new browser. If the site has two gateways, successive browsers alternate between them.
    pub(crate) fn browser(&self) -> Browser {
        match self {
            Self::Whole(app) => app.browser(),
            Self::Split(split) => split.browser(),
        }
    }

    /// The site's settings; for settings that differ between processes, the settings of the last process.
    pub(crate) fn settings(&self) -> &Settings {
        match self {
            Self::Whole(app) => &app.settings,
            Self::Split(split) => &split.settings,
        }
    }
}

/// The key that all processes of a test share.
pub(crate) const KEY: &str = "a key that all processes of this test share";

/// One process per target, and two gateways.
pub(crate) struct Split {
    pub(crate) database: TestDatabase,
    /// The processes, in the order of [`Target::ALL`]; the second gateway is the last.
    processes: Vec<Process>,
    pub(crate) settings: Settings,
    /// The processes' internal addresses, in their order.
    internal: Vec<SocketAddr>,
    pub(crate) gateways: Vec<String>,
    pub(crate) roles: Roles,
    next: AtomicUsize,
    _blobs: TempDir,
}

/// The settings, database, roles and blobs of the processes.
struct Prepared {
    settings: Settings,
    database: TestDatabase,
    roles: Roles,
    blobs: TempDir,
}

/// Drops the requests for replays that services write because their queues are new. The replays would arrive ten
/// seconds after the start, and gateways would remove cached responses that a test expects to be kept.
async fn without_replays(database: &TestDatabase) {
    let statement = "CREATE FUNCTION public.drop_row() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN RETURN NULL; END';
        DO $$ DECLARE name text; BEGIN
            FOR name IN SELECT table_schema FROM information_schema.tables WHERE table_name = 'outbox' LOOP
                EXECUTE format('CREATE TRIGGER without_replays BEFORE INSERT ON %I.outbox FOR EACH ROW
                    WHEN (NEW.exchange = ''retell'') EXECUTE FUNCTION public.drop_row()', name);
            END LOOP;
        END $$";
    let mut connection = database.connection().await;
    let made = sqlx::raw_sql(statement).execute(&mut connection);
    made.await.expect("a trigger for each outbox");
}

/// Proxies in front of all servers and services that processes call.
pub(crate) struct Faults {
    pub(crate) broker: FaultProxy,
    pub(crate) cache: FaultProxy,
    pub(crate) database: FaultProxy,
    pub(crate) bookmarks: FaultProxy,
}

impl Split {
    /// Starts the processes with their own database, namespace and ports.
    pub(crate) async fn start() -> Self {
        Self::start_with(|_| {}).await
    }

    /// Starts the processes with the default timeouts, on servers that the test kills.
    pub(crate) async fn start_on(servers: &Servers) -> Self {
        let mut prepared = Self::prepare(servers).await;
        app::with_default_timeouts(&mut prepared.settings);
        Self::run(prepared, None).await
    }

    /// Starts a site with changed settings.
    pub(crate) async fn start_with(set: impl FnOnce(&mut Settings)) -> Self {
        let mut prepared = Self::prepare(&Servers::of_the_run()).await;
        set(&mut prepared.settings);
        Self::run(prepared, None).await
    }

    /// Starts a site behind proxies that can fail.
    pub(crate) async fn start_among_faults() -> (Self, Faults) {
        Self::start_among_faults_with(app::with_default_timeouts).await
    }

    /// Starts a site with changed settings, behind proxies that can fail.
    pub(crate) async fn start_among_faults_with(set: impl FnOnce(&mut Settings)) -> (Self, Faults) {
        let mut prepared = Self::prepare(&Servers::of_the_run()).await;
        without_replays(&prepared.database).await;
        let settings = &mut prepared.settings;
        set(settings);
        let broker = before(&mut settings.bus.url).await;
        let cache = before(&mut settings.cache.url).await;
        let database_proxy = before(&mut settings.database.url).await;
        let bookmarks_address = free();
        let bookmarks = FaultProxy::before(bookmarks_address).await;
        let behind = Some((bookmarks_address, &bookmarks));
        let split = Self::run(prepared, behind).await;
        let faults = Faults {
            broker,
            cache,
            database: database_proxy,
            bookmarks,
        };
        (split, faults)
    }

    /// Migrates as the owner of the schemas, and publishes with the role of the site.
    async fn prepare(servers: &Servers) -> Prepared {
        let is_shared = servers.database == testkit::environment(testkit::database::SERVER);
        let (database, roles) = if is_shared {
            roles::database().await
        } else {
            roles::database_on(&servers.database).await
        };
        let blobs = tempfile::tempdir().expect("a folder");
        city::unpack(&database, blobs.path()).await;
        let mut settings = app::settings(&database, &blobs);
        settings.database.url = roles.url(&database.url, roles::SITE);
        let name = database.url.rsplit('/').next().expect("a name").to_owned();
        settings.bus.url.clone_from(&servers.broker);
        settings.bus.namespace.clone_from(&name);
        settings.cache.url.clone_from(&servers.cache);
        settings.cache.namespace = name;
        settings.internal.key = KEY.into();
        Prepared {
            settings,
            database,
            roles,
            blobs,
        }
    }

    async fn run(prepared: Prepared, bookmarks: Option<(SocketAddr, &FaultProxy)>) -> Self {
        let Prepared {
            mut settings,
            database,
            roles,
            blobs,
        } = prepared;
        let mut processes = Vec::new();
        let mut internal = Vec::new();
        let mut urls = Vec::new();
        let services = Target::ALL.iter().copied();
        for target in services.filter(|target| *target != Target::Gateway) {
            let behind = bookmarks.filter(|_| target == Target::Bookmarks);
            settings.rpc.listen = behind.map_or_else(free, |(address, _)| address);
            settings.http.internal_listen = free();
            let own = of_process(&settings, target, &roles);
            processes.push(Process::start(&own, target, &urls).await);
            internal.push(settings.http.internal_listen);
            let reached = behind.map_or(settings.rpc.listen, |(_, proxy)| proxy.address());
            let is_in_clear = settings.rpc.tls.key.is_empty();
            let scheme = if is_in_clear { "http" } else { "https" };
            urls.push((target, format!("{scheme}://{reached}")));
        }
        let mut gateways = Vec::new();
        for _ in 0..2 {
            settings.http.listen = free();
            settings.http.internal_listen = free();
            let own = of_process(&settings, Target::Gateway, &roles);
            processes.push(Process::start(&own, Target::Gateway, &urls).await);
            internal.push(settings.http.internal_listen);
            gateways.push(format!("http://{}", settings.http.listen));
        }
        Self {
            database,
            settings,
            internal,
            gateways,
            roles,
            next: AtomicUsize::new(0),
            processes,
            _blobs: blobs,
        }
    }

    /// The prefix of the site's queues and Redis keys.
    pub(crate) fn namespace(&self) -> &str {
        self.database.url.rsplit('/').next().expect("a name")
    }

    /// A new browser at the next gateway.
    pub(crate) fn browser(&self) -> Browser {
        let next = self.next.fetch_add(1, Ordering::Relaxed);
        Browser::at(&self.gateways[next % self.gateways.len()])
    }

    /// A target's internal address; if there are two gateways, the first gateway's address.
    pub(crate) fn internal(&self, target: Target) -> SocketAddr {
        let place = Target::ALL.iter().position(|one| *one == target);
        self.internal[place.expect("it runs")]
    }

    /// The internal addresses of both gateways.
    pub(crate) fn internal_of_gateways(&self) -> &[SocketAddr] {
        &self.internal[Target::ALL.len() - 1..]
    }

    /// A target's process; if there are two gateways, the first gateway's process.
    pub(crate) fn process(&mut self, target: Target) -> &mut Process {
        self.processes
            .iter_mut()
            .find(|process| process.target == target)
            .expect("it runs")
    }

    /// All processes, the gateways last.
    pub(crate) fn processes(&mut self) -> &mut [Process] {
        &mut self.processes
    }
}

/// The settings of one process: it connects to PostgreSQL only with the role of its service, and a gateway does not
/// connect to PostgreSQL.
fn of_process(settings: &Settings, target: Target, roles: &Roles) -> Settings {
    let mut own = settings.clone();
    "postgres://nobody@127.0.0.1:1/nothing".clone_into(&mut own.database.url);
    if target != Target::Gateway {
        let service = ServiceSettings {
            database_url: roles.url(&settings.database.url, target.name()),
            ..ServiceSettings::default()
        };
        own.services.insert(target.name().to_owned(), service);
    }
    own
}

/// The addresses of the servers that processes share.
pub(crate) struct Servers {
    pub(crate) database: String,
    pub(crate) broker: String,
    pub(crate) cache: String,
}

impl Servers {
    /// The servers that all tests of this run share.
    pub(crate) fn of_the_run() -> Self {
        Self {
            database: testkit::environment(testkit::database::SERVER),
            broker: testkit::environment("CITYGUIDE_TEST_AMQP_URL"),
            cache: testkit::environment("CITYGUIDE_TEST_REDIS_URL"),
        }
    }
}

/// One target as a process, which can be killed, stopped and restarted on the same address.
pub(crate) struct Process {
    target: Target,
    settings: Settings,
    urls: Vec<(Target, String)>,
    child: Child,
}

impl Process {
    /// Starts the process and waits until it is ready.
    async fn start(settings: &Settings, target: Target, urls: &[(Target, String)]) -> Self {
        Self {
            target,
            settings: settings.clone(),
            urls: urls.to_vec(),
            child: Self::spawn(settings, target, urls).await,
        }
    }

    async fn spawn(settings: &Settings, target: Target, urls: &[(Target, String)]) -> Child {
        let mut command = commands::program(settings);
        command.args(["serve", "--target", target.name()]);
        for (target, url) in urls {
            command.env(
                format!("CITYGUIDE__SERVICES__{}__URL", target.name().to_uppercase()),
                url,
            );
        }
        ready(command, settings).await
    }

    /// Kills the process immediately, at any point of its execution.
    pub(crate) async fn kill(&mut self) {
        self.child.kill().await.expect("killed");
    }

    /// Starts the process again at the same address and waits until it is ready.
    pub(crate) async fn start_again(&mut self) {
        self.child = Self::spawn(&self.settings, self.target, &self.urls).await;
    }

    /// Stops the process and starts it again with other settings.
    pub(crate) async fn restart_with(&mut self, set: impl FnOnce(&mut Settings)) {
        self.kill().await;
        set(&mut self.settings);
        self.start_again().await;
    }

    /// Sends the process a signal by name: `STOP`, `CONT`.
    pub(crate) async fn signal(&self, name: &str) {
        let id = self.child.id().expect("it runs").to_string();
        let sent = tokio::process::Command::new("kill")
            .args([&format!("-{name}"), &id])
            .status()
            .await;
        assert!(sent.expect("kill runs").success());
    }
}

/// Puts a proxy in front of the server of a URL, and changes the URL to the proxy.
async fn before(url: &mut String) -> FaultProxy {
    let (proxy, there) = FaultProxy::before_url(url).await;
    *url = there;
    proxy
}

/// A free address, which no other test receives while this test runs.
pub(crate) fn free() -> SocketAddr {
    let port = servers::ports::free().expect("a port");
    ([127, 0, 0, 1], port).into()
}

/// Starts a program that serves and waits until it is ready. Dropping the handle kills the program.
pub(crate) async fn ready(mut command: tokio::process::Command, settings: &Settings) -> Child {
    let address = settings.http.internal_listen;
    let log = settings
        .blobs
        .folder
        .join(format!("{}.log", address.port()));
    let mut child = command
        .stdout(Stdio::null())
        .stderr(File::create(&log).expect("a log"))
        .kill_on_drop(true)
        .spawn()
        .expect("it starts");
    let probe = format!("http://{address}/health/ready");
    for _ in 0..200 {
        if reqwest::get(&probe)
            .await
            .is_ok_and(|answer| answer.status().is_success())
        {
            return child;
        }
        if child.try_wait().expect("a status").is_some() {
            break;
        }
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
    let said = std::fs::read_to_string(&log).expect("a log");
    panic!("it did not become ready: {said}");
}

/// Leaves the settings of a test's sites unchanged.
pub(crate) fn usual(_: &mut Settings) {}

/// Generates a test of each journey of a module, on a site in one process. The journeys after `split too:` get a second
/// test, on one process per service and two gateways, because they depend on the connections between processes: the
/// bus, stamps, the gateways' caches, streams, erasures, idempotency keys.
macro_rules! journeys {
    // The fixture's type starts the site and the stand-ins of each journey.
    (on $fixture:path; $($journey:ident),* $(,)? $(; split too: $($split:ident),* $(,)?)?) => {
        crate::site::journeys!(
            start <$fixture>::in_one_process(), <$fixture>::in_many_processes();
            $($journey),*; $($($split),*)?
        );
    };
    // A function changes the settings of the sites.
    (with $set:path; $($journey:ident),* $(,)? $(; split too: $($split:ident),* $(,)?)?) => {
        crate::site::journeys!(
            start crate::site::Site::in_one_process($set), crate::site::Site::in_many_processes($set);
            $($journey),*; $($($split),*)?
        );
    };
    (start $one:expr, $many:expr; $($journey:ident),*; $($split:ident),*) => {
        mod in_one_process {
            $(crate::site::journeys!(test $journey, $one);)*
            $(crate::site::journeys!(test $split, $one);)*
        }
        mod in_many_processes {
            $(crate::site::journeys!(test $split, $many);)*
        }
    };
    (test $journey:ident, $start:expr) => {
        #[tokio::test]
        async fn $journey() {
            super::$journey(&$start.await).await;
        }
    };
    (split too: $($split:ident),* $(,)?) => {
        crate::site::journeys!(with crate::site::usual; ; split too: $($split),*);
    };
    ($($journeys:tt)*) => {
        crate::site::journeys!(with crate::site::usual; $($journeys)*);
    };
}

pub(crate) use journeys;
