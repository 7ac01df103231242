//! A separate system for each test: a new database, free ports, everything in this process.

use std::{net::SocketAddr, path::PathBuf, sync::Arc, time::Duration};

use chassis::{
    clock::{SharedClock, SystemClock},
    error::Fault,
    limits::Rate,
    postgres,
};
use cityguide::{Running, Settings, System, Target};
use metrics_exporter_prometheus::PrometheusBuilder;
use reqwest::{Client, Method, Response, StatusCode, header, redirect::Policy};
use serde_json::{Value, json};
use tempfile::TempDir;
use testkit::database::TestDatabase;

use crate::{city, request::Request, site::KEY};

/// The path of a fixture file.
pub(crate) fn fixture(name: &str) -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR"))
        .join("tests/fixtures")
        .join(name)
}

/// A database with the schemas of all services.
pub(crate) async fn database() -> TestDatabase {
    TestDatabase::migrated("system", migrate).await
}

/// Like [`database`], with the city of [`crate::city`], whose files are written into a folder.
async fn database_of_city(blobs: &TempDir) -> TestDatabase {
    let database = TestDatabase::migrated("system_city", async |database| {
        let url = database.url.clone();
        migrate(database.clone()).await?;
        city::build_packed(database, &url).await;
        Ok(())
    })
    .await;
    city::unpack(&database, blobs.path()).await;
    database
}

async fn migrate(database: postgres::Settings) -> Result<(), Fault> {
    let mut settings = Settings::load(None)?;
    settings.database = database;
    System::migrate(&settings).await
}

/// The site's configured origin, regardless of its port; request origins are compared with it.
pub(crate) const ORIGIN: &str = "http://guide.test";

/// Settings for a system on its own database.
pub(crate) fn settings(database: &TestDatabase, blobs: &TempDir) -> Settings {
    settings_on(database.settings(), blobs)
}

/// Settings for a system on any database.
pub(crate) fn settings_on(database: postgres::Settings, blobs: &TempDir) -> Settings {
    let free: SocketAddr = ([127, 0, 0, 1], 0).into();
    let mut settings = Settings::load(None).expect("the defaults are valid");
    settings.database = database;
    settings.http.listen = free;
    settings.http.internal_listen = free;
    settings.site.url = ORIGIN.into();
    settings.site.file = fixture("site.toml");
    settings.web.root = fixture("web");
    settings.blobs.folder = blobs.path().into();
    settings.blobs.is_shared = true;
    settings.mail.folder = blobs.path().join("mail");
    settings.internal.key = KEY.into();
    settings.newsletters.webhooks.generic = WEBHOOK_SECRET.into();
    settings.newsletters.webhooks.postmark = "a password of the provider".into();
    set_timeouts(&mut settings, LONG_TIMEOUT);
    without_limits(&mut settings);
    settings
}

/// The secret of the mail program that reports deliveries.
pub(crate) const WEBHOOK_SECRET: &str = "a secret of the program that reports";

/// The timeout of calls and connections in most tests: long, so that a slow machine does not turn an answer into a 503.
const LONG_TIMEOUT: Duration = Duration::from_secs(20);

/// Restores the default timeouts, for tests that wait for a 503.
pub(crate) fn with_default_timeouts(settings: &mut Settings) {
    let real = Settings::load(None).expect("the defaults are valid");
    set_timeouts(
        settings,
        Duration::from_secs(real.http.request_timeout_seconds),
    );
    settings.database.acquire_timeout_seconds = real.database.acquire_timeout_seconds;
}

/// Sets the timeouts of calls and connections. An erasure can take twice as long, because it first waits for requests
/// that have already begun.
pub(crate) fn set_timeouts(settings: &mut Settings, longest: Duration) {
    settings.http.request_timeout_seconds = longest.as_secs();
    settings.rpc.read_timeout_milliseconds = 1_000 * longest.as_secs();
    settings.database.acquire_timeout_seconds = longest.as_secs();
}

/// Lifts the limits, because the tests act for many readers from a single address. Tests of limits set their own.
fn without_limits(settings: &mut Settings) {
    settings.http.max_connections_per_client = 1_000_000;
    let plenty = rate("1000000/s");
    let limits = &mut settings.limits;
    limits.sign_in = plenty;
    limits.failed_sign_in = plenty;
    limits.failed_sign_in_everywhere = plenty;
    limits.failed_sign_in_overall = plenty;
    limits.registration = plenty;
    (limits.contact, limits.entries) = (plenty, plenty);
    limits.guest_newsletters = plenty;
    (limits.mailed_links, limits.exports, limits.uploads) = (plenty, plenty, plenty);
    (limits.writes, limits.takeouts) = (plenty, plenty);
    (limits.ads, limits.ad_events, limits.ad_impressions) = (plenty, plenty, plenty);
    (limits.searches, limits.reads) = (plenty, plenty);
    limits.telemetry = plenty;
}

/// A rate, as written in settings.
pub(crate) fn rate(text: &str) -> Rate {
    text.parse().expect("a rate")
}

/// A running system.
pub(crate) struct App {
    running: Option<Running>,
    pub(crate) settings: Settings,
    _blobs: TempDir,
    base: String,
    internal: String,
}

impl App {
    /// Starts a system with the city of [`crate::city`] in it.
    pub(crate) async fn start() -> Self {
        Self::start_at(Arc::new(SystemClock)).await
    }

    /// Like [`Self::start`], with the given clock.
    pub(crate) async fn start_at(clock: SharedClock) -> Self {
        Self::start_with(clock, |_| {}).await
    }

    /// Like [`Self::start`], with the given clock and changed settings.
    pub(crate) async fn start_with(clock: SharedClock, set: impl FnOnce(&mut Settings)) -> Self {
        let blobs = tempfile::tempdir().expect("a folder");
        let database = database_of_city(&blobs).await;
        let mut settings = settings(&database, &blobs);
        set(&mut settings);
        Box::pin(Self::serve(settings, blobs, clock)).await
    }

    /// Serves from a database that the test has prepared.
    pub(crate) async fn serve(settings: Settings, blobs: TempDir, clock: SharedClock) -> Self {
        let system = System::create(&settings, Target::ALL, clock)
            .await
            .expect("connects");
        let metrics = PrometheusBuilder::new().build_recorder().handle();
        let running = system.serve(metrics).await.expect("serves");
        Self {
            base: format!("http://{}", running.public.expect("a gateway")),
            internal: format!("http://{}", running.internal),
            running: Some(running),
            settings,
            _blobs: blobs,
        }
    }

    pub(crate) fn browser(&self) -> Browser {
        Browser::at(&self.base)
    }

    /// The address of the public port.
    pub(crate) fn public(&self) -> SocketAddr {
        let running = self.running.as_ref().expect("it runs");
        running.public.expect("a gateway")
    }

    /// The URL of a path on the internal port.
    pub(crate) fn internal(&self, path: &str) -> String {
        format!("{}{path}", self.internal)
    }

    /// Stops the system, as after a signal.
    pub(crate) async fn stop(mut self) {
        if let Some(running) = self.running.take() {
            running.stop().await;
        }
    }
}

/// A client with its own cookies.
#[derive(Clone)]
pub(crate) struct Browser {
    client: Client,
    base: String,
}

impl Browser {
    /// A browser for one site.
    pub(crate) fn at(base: &str) -> Self {
        Self::with(base, Policy::default())
    }

    fn with(base: &str, redirects: Policy) -> Self {
        let client = Client::builder()
            .cookie_store(true)
            .redirect(redirects)
            .build()
            .expect("a client");
        Self {
            client,
            base: base.to_owned(),
        }
    }

    /// Returns a new browser for the same site, which does not follow redirects.
    pub(crate) fn without_redirects(&self) -> Self {
        Self::with(&self.base, Policy::none())
    }

    /// Returns the status of a guest's response at a path, and the target of a redirect.
    pub(crate) async fn redirect(&self, path: &str) -> (u16, Option<String>) {
        let answered = self.without_redirects().get(path).await;
        let location = answered.headers().get(header::LOCATION);
        let location = location.map(|value| value.to_str().expect("ASCII").to_owned());
        (answered.status().as_u16(), location)
    }

    pub(crate) fn request(&self, method: Method, path: &str) -> Request {
        let url = format!("{}{path}", self.base);
        Request::new(self.client.request(method, url))
    }

    pub(crate) async fn get(&self, path: &str) -> Response {
        self.request(Method::GET, path)
            .send()
            .await
            .expect("answers")
    }

    pub(crate) async fn post(&self, path: &str, body: &Value) -> Response {
        self.request(Method::POST, path)
            .json(body)
            .send()
            .await
            .expect("answers")
    }

    pub(crate) async fn patch(&self, path: &str, body: &Value) -> Response {
        self.request(Method::PATCH, path)
            .json(body)
            .send()
            .await
            .expect("answers")
    }

    pub(crate) async fn delete(&self, path: &str) -> Response {
        self.request(Method::DELETE, path)
            .send()
            .await
            .expect("answers")
    }

    /// Returns the JSON of a call that must succeed.
    pub(crate) async fn json(&self, path: &str) -> Value {
        let response = self.get(path).await;
        assert_eq!(response.status(), StatusCode::OK, "{path}");
        response.json().await.expect("JSON")
    }

    /// Signs up; returns the profile's id.
    pub(crate) async fn sign_up(&self, email: &str) -> i64 {
        let response = self
            .post("/api/v2/profiles/email-registration/", &registration(email))
            .await;
        assert_eq!(response.status(), StatusCode::CREATED);
        let body: Value = response.json().await.expect("JSON");
        body["id"].as_i64().expect("an id")
    }

    /// Signs in with the password of [`registration`].
    pub(crate) async fn sign_in(&self, email: &str) {
        let body = json!({"email": email, "password": PASSWORD});
        let response = self.post("/api/v2/profiles/email-login/", &body).await;
        assert_eq!(response.status(), StatusCode::OK);
    }
}

pub(crate) const PASSWORD: &str = "correct horse battery";

/// Returns a valid sign-up.
pub(crate) fn registration(email: &str) -> Value {
    json!({"full_name": "Ada King", "email": email, "password": PASSWORD, "password_repeat": PASSWORD})
}

/// A response's status and body, for comparing.
pub(crate) async fn answer(response: Response) -> (u16, Value) {
    let status = response.status().as_u16();
    let text = response.text().await.expect("a body");
    (
        status,
        serde_json::from_str(&text).unwrap_or(Value::String(text)),
    )
}
