//! All settings of the program, in sections; the type of a section belongs to the module that reads it.

use std::{collections::BTreeMap, net::SocketAddr, path::Path, time::Duration};

use ads::AdSettings;
use chassis::{
    blobs,
    error::{Code, Fault},
    keys::Keys,
    mail, postgres,
    rpc::TlsSettings,
    settings, telemetry,
};
use editorial::{ContactSettings, ContestSettings};
use gateway::{HttpSettings, LimitSettings, PublicCacheSettings, SiteSettings, WebSettings};
use identity::{AuditSettings, CalendarSettings, FacebookSettings, PasswordSettings};
use newsletters::NewsletterSettings;
use photos::PhotoSettings;
use places::RatingSettings;
use publishing::sources::SourcesSettings;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use site::Site;

/// The documented defaults file, which is the source of the defaults.
pub(crate) const DEFAULTS: &str = include_str!("../defaults.toml");

/// Fewer connections would wait for each other: the relay holds one while a consumer writes, an import one to its end.
const LEAST_BACKGROUND_CONNECTIONS: u32 = 3;

/// Everything that can be set.
#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Settings {
    /// Public and internal addresses.
    pub http: HttpSettings,
    /// Public answers that are kept.
    pub public_cache: PublicCacheSettings,
    /// Rate limits.
    pub limits: LimitSettings,
    /// Which site this is.
    pub site: SiteSettings,
    /// Polls of feeds and calendars of others.
    pub sources: SourcesSettings,
    /// The web application.
    pub web: WebSettings,
    /// PostgreSQL.
    pub database: postgres::Settings,
    /// Pictures.
    pub blobs: blobs::Settings,
    /// Messages of visitors to the site.
    pub contact: ContactSettings,
    /// Mail.
    pub mail: mail::Settings,
    /// Contests.
    pub contests: ContestSettings,
    /// The audit log.
    pub audit: AuditSettings,
    /// Readers' calendars.
    pub calendar: CalendarSettings,
    /// Logging in with Facebook.
    pub facebook: FacebookSettings,
    /// Passwords.
    pub passwords: PasswordSettings,
    /// Readers' votes on places.
    pub ratings: RatingSettings,
    /// Readers' photos of places.
    pub photos: PhotoSettings,
    /// Newsletters.
    pub newsletters: NewsletterSettings,
    /// Ads.
    pub ads: AdSettings,
    /// Events between services.
    pub bus: BusSettings,
    /// The shared cache.
    pub cache: CacheSettings,
    /// Calls between services.
    pub rpc: RpcSettings,
    /// Trust between processes.
    pub internal: InternalSettings,
    /// Services with an address or a database role of their own, by name.
    pub services: BTreeMap<String, ServiceSettings>,
    /// Logs.
    pub log: telemetry::Settings,
    /// Spans and metrics for a collector.
    pub otlp: telemetry::OtlpSettings,
    /// The shutdown of the program.
    pub shutdown: ShutdownSettings,
}

/// `[bus]`.
#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct BusSettings {
    /// RabbitMQ, which several processes share: `amqp://user:password@host:5672/vhost`, or amqps with TLS. Empty: in
    /// process. A secret; may come from `bus.url_file`.
    pub url: String,
    /// The authority that has signed the server's certificate, in PEM; may come from `bus.ca_file`. Empty: a public one.
    pub ca: String,
    /// The prefix of this system's exchanges and queues.
    pub namespace: String,
}

/// `[cache]`.
#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct CacheSettings {
    /// Redis, which several processes share: `redis://host:6379/0`, or rediss with TLS. Empty: in process. A secret;
    /// may come from `cache.url_file`.
    pub url: String,
    /// The authority that has signed the server's certificate, in PEM; may come from `cache.ca_file`. Empty: a public
    /// one.
    pub ca: String,
    /// The prefix of this system's keys.
    pub namespace: String,
    /// Bytes that the in-process cache may hold.
    pub max_bytes: u64,
}

/// `[rpc]`.
#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct RpcSettings {
    /// The address on which services answer each other.
    pub listen: SocketAddr,
    /// Calls that a service handles at a time.
    pub concurrency: usize,
    /// Milliseconds that a call between services may take if it only reads.
    pub read_timeout_milliseconds: u64,
    /// TLS between processes.
    pub tls: TlsSettings,
}

/// `[internal]`.
#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct InternalSettings {
    /// The keys that sign callers, known devices and private addresses, one per line: the first signs, and all
    /// verify. A secret; may come from `internal.key_file`.
    pub key: String,
}

/// `[services.<name>]`.
#[derive(Debug, Clone, Default, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct ServiceSettings {
    /// The address of a service that runs in another process: `http://places:8082`, or https if `[rpc.tls]` is set.
    pub url: String,
    /// The URL of PostgreSQL for a service that runs here, with a role that reaches its own schema alone. Empty:
    /// `database.url`. A secret; may come from `services.<name>.database_url_file`.
    pub database_url: String,
}

/// `[shutdown]`.
#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ShutdownSettings {
    /// Seconds to go on answering after a request to stop, with readiness off, until load balancers have
    /// noticed.
    pub delay_seconds: u64,
    /// Seconds after that in which work under way may finish.
    pub grace_seconds: u64,
}

impl Settings {
    /// Reads and checks the settings.
    pub fn load(file: Option<&Path>) -> Result<Self, Fault> {
        let settings: Self = settings::load(DEFAULTS, file)?;
        settings.validate()?;
        Ok(settings)
    }

    /// The longest that a call of a reader may take: as long as the request that it is made for.
    pub(crate) fn longest_call(&self) -> Duration {
        Duration::from_secs(self.http.request_timeout_seconds)
    }

    /// The settings of PostgreSQL for a service: with the URL of its own role, if it has one.
    pub(crate) fn database_of(&self, service: &str) -> postgres::Settings {
        let own = self.services.get(service);
        let own = own.map_or("", |service| service.database_url.as_str());
        let url = if own.is_empty() {
            &self.database.url
        } else {
            own
        };
        postgres::Settings {
            url: url.to_owned(),
            ..self.database.clone()
        }
    }

    /// What the site's file says; a process of its own may have none.
    fn site_facts(&self) -> Option<Site> {
        Site::read(&self.site.file).ok()
    }

    fn site_name(&self) -> Option<String> {
        self.site_facts().map(|site| site.name)
    }

    fn validate(&self) -> Result<(), Fault> {
        let refuse = |what: &str| Err(Fault::new(Code::Invalid, format!("settings: {what}")));
        if self.database.max_connections == 0 {
            return refuse("database.max_connections must be 1 or more");
        }
        if self.database.background_connections < LEAST_BACKGROUND_CONNECTIONS {
            return refuse(&format!(
                "database.background_connections must be {LEAST_BACKGROUND_CONNECTIONS} or more"
            ));
        }
        if self.rpc.concurrency == 0 {
            return refuse("rpc.concurrency must be 1 or more");
        }
        if self.rpc.read_timeout_milliseconds == 0 {
            return refuse("rpc.read_timeout_milliseconds must be 1 or more");
        }
        self.otlp.validate()?;
        self.calendar.validate()?;
        self.facebook.validate()?;
        if self.calendar.is_configured() && self.internal.key.is_empty() {
            return refuse(
                "internal.key is missing: readers' calendars stay connected by tokens that are encrypted with it",
            );
        }
        self.contests.validate()?;
        self.sources.validate()?;
        self.audit.validate()?;
        self.passwords.validate()?;
        self.ratings.validate()?;
        self.photos.validate()?;
        self.newsletters.validate()?;
        self.ads.validate()?;
        self.mail.validate()?;
        self.blobs.validate()?;
        let http = &self.http;
        for (key, value) in [
            ("request_timeout_seconds", http.request_timeout_seconds),
            ("idle_timeout_seconds", http.idle_timeout_seconds),
            ("write_timeout_seconds", http.write_timeout_seconds),
            ("upload_stall_seconds", http.upload_stall_seconds),
        ] {
            if value == 0 {
                return refuse(&format!("http.{key} must be 1 or more"));
            }
        }
        if http.max_connections == 0 {
            return refuse("http.max_connections must be 1 or more");
        }
        let keys = &self.internal.key;
        if !keys.is_empty()
            && let Err(fault) = Keys::parse(keys)
        {
            return refuse(&format!("internal.key: {}", fault.message));
        }
        Ok(())
    }
}

/// The sections that editorial reads.
impl From<&Settings> for editorial::Settings {
    fn from(settings: &Settings) -> Self {
        Self {
            contests: settings.contests.clone(),
            contact: settings.contact.clone(),
        }
    }
}

/// The sections that identity reads.
impl From<&Settings> for identity::Settings {
    fn from(settings: &Settings) -> Self {
        Self {
            audit: settings.audit.clone(),
            passwords: settings.passwords.clone(),
            site_url: settings.site.url.clone(),
            site_name: settings.site_name(),
            calendar: settings.calendar.clone(),
            facebook: settings.facebook.clone(),
        }
    }
}

/// The sections that newsletters reads.
impl From<&Settings> for newsletters::Settings {
    fn from(settings: &Settings) -> Self {
        Self {
            newsletters: settings.newsletters.clone(),
            site_url: settings.site.url.clone(),
            site_name: settings.site_name(),
            timezone: settings.site_facts().map(|site| site.timezone),
        }
    }
}

/// The sections that ads reads.
impl From<&Settings> for ads::Settings {
    fn from(settings: &Settings) -> Self {
        Self {
            ads: settings.ads.clone(),
            timezone: settings.site_facts().map(|site| site.timezone),
        }
    }
}

/// The section that photos reads.
impl From<&Settings> for PhotoSettings {
    fn from(settings: &Settings) -> Self {
        settings.photos.clone()
    }
}

/// The section that places reads.
impl From<&Settings> for RatingSettings {
    fn from(settings: &Settings) -> Self {
        settings.ratings.clone()
    }
}

/// Services without a section of their own.
impl From<&Settings> for () {
    fn from(_: &Settings) {}
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_documented_defaults_are_valid_settings() {
        let settings: Settings = toml::from_str(DEFAULTS).expect("complete");
        settings.validate().expect("valid");
    }

    #[test]
    fn services_go_by_the_clocks_that_the_sites_file_names() {
        let mut settings: Settings = toml::from_str(DEFAULTS).expect("complete");
        settings.site.file = format!("{}/../sites/guide.toml", env!("CARGO_MANIFEST_DIR")).into();
        let (ads, newsletters): (ads::Settings, newsletters::Settings) =
            ((&settings).into(), (&settings).into());
        for timezone in [ads.timezone, newsletters.timezone] {
            let name = timezone.map(|zone| zone.to_string());
            assert_eq!(name.as_deref(), Some("Canada/Eastern"));
        }
        settings.site.file = "/nonexistent/site.toml".into();
        assert_eq!(ads::Settings::from(&settings).timezone, None);
    }

    #[test]
    fn calendars_need_a_key_that_outlives_the_process() {
        let mut settings: Settings = toml::from_str(DEFAULTS).expect("complete");
        settings.calendar.google.client_id = "client".to_owned();
        settings.calendar.google.client_secret = "secret".to_owned();
        let refused = settings.validate().expect_err("no key");
        assert!(refused.message.contains("internal.key"), "{refused}");
        settings.internal.key = "k".repeat(32);
        settings.validate().expect("valid");
    }
}
