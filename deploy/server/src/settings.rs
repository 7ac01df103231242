//! All settings of the program. The type of each section belongs to the module that uses it.

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
use identity::{
    AuditSettings, CalendarSettings, FacebookSettings, PasswordSettings, RegisterSettings,
};
use newsletters::NewsletterSettings;
use photos::PhotoSettings;
use places::RatingSettings;
use publishing::sources::SourcesSettings;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use site::Site;

use crate::backup::BackupSettings;

/// The documented defaults file, from which the defaults are read.
pub(crate) const DEFAULTS: &str = include_str!("../defaults.toml");

/// Minimum that prevents deadlocks: the relay uses a connection while a consumer writes, and an import uses one until
/// its end.
const LEAST_BACKGROUND_CONNECTIONS: u32 = 3;

/// All settings.
#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Settings {
    /// Public and internal addresses.
    pub http: HttpSettings,
    /// Cache of public responses.
    pub public_cache: PublicCacheSettings,
    /// Rate limits.
    pub limits: LimitSettings,
    /// The site to serve.
    pub site: SiteSettings,
    /// Polling of external feeds and calendars.
    pub sources: SourcesSettings,
    /// The web application.
    pub web: WebSettings,
    /// PostgreSQL.
    pub database: postgres::Settings,
    /// Pictures.
    pub blobs: blobs::Settings,
    /// Backups.
    pub backup: BackupSettings,
    /// The register of erasures.
    pub erasures: RegisterSettings,
    /// Visitors' messages to the site.
    pub contact: ContactSettings,
    /// Mail.
    pub mail: mail::Settings,
    /// Contests.
    pub contests: ContestSettings,
    /// The audit log.
    pub audit: AuditSettings,
    /// Readers' calendars.
    pub calendar: CalendarSettings,
    /// Facebook log-ins.
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
    /// Services with their own address or database role, by name.
    pub services: BTreeMap<String, ServiceSettings>,
    /// Logs.
    pub log: telemetry::Settings,
    /// Export of spans and metrics to a collector.
    pub otlp: telemetry::OtlpSettings,
    /// The shutdown of the program.
    pub shutdown: ShutdownSettings,
}

/// `[bus]` of the settings.
#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct BusSettings {
    /// RabbitMQ, shared by several processes: `amqp://user:password@host:5672/vhost`, or amqps with TLS. If empty, the
    /// bus is in-process. A secret; may come from `bus.url_file`.
    pub url: String,
    /// Certificate authority of the server in PEM; may come from `bus.ca_file`. If empty, public authorities are
    /// trusted.
    pub ca: String,
    /// Prefix of this system's exchanges and queues.
    pub namespace: String,
}

/// `[cache]` of the settings.
#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct CacheSettings {
    /// Redis, shared by several processes: `redis://host:6379/0`, or rediss with TLS. If empty, the cache is
    /// in-process. A secret; may come from `cache.url_file`.
    pub url: String,
    /// Certificate authority of the server in PEM; may come from `cache.ca_file`. If empty, public authorities are
    /// trusted.
    pub ca: String,
    /// Prefix of this system's keys.
    pub namespace: String,
    /// Maximum size of the in-process cache in bytes.
    pub max_bytes: u64,
}

/// `[rpc]` of the settings.
#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct RpcSettings {
    /// Address for calls between services.
    pub listen: SocketAddr,
    /// Maximum number of concurrent calls of a service.
    pub concurrency: usize,
    /// Timeout of read-only calls between services, in milliseconds.
    pub read_timeout_milliseconds: u64,
    /// TLS between processes.
    pub tls: TlsSettings,
}

/// `[internal]` of the settings.
#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct InternalSettings {
    /// Keys that sign callers, known devices and private addresses, one per line: the first signs, all verify. A
    /// secret; may come from `internal.key_file`.
    pub key: String,
}

/// `[services.<name>]` of the settings.
#[derive(Debug, Clone, Default, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct ServiceSettings {
    /// Address of a service in another process: `http://places:8082`, or https if `[rpc.tls]` is set.
    pub url: String,
    /// PostgreSQL URL for a service in this process, with a role that can only access its own schema. If empty,
    /// `database.url` is used. A secret; may come from `services.<name>.database_url_file`.
    pub database_url: String,
}

/// `[shutdown]` of the settings.
#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ShutdownSettings {
    /// Seconds for which requests are still answered after a stop signal, without readiness, until load balancers have
    /// noticed.
    pub delay_seconds: u64,
    /// Seconds after `delay_seconds` in which current work may finish.
    pub grace_seconds: u64,
}

impl Settings {
    /// Loads and validates the settings.
    pub fn load(file: Option<&Path>) -> Result<Self, Fault> {
        let settings: Self = settings::load(DEFAULTS, file)?;
        settings.validate()?;
        Ok(settings)
    }

    /// Returns the maximum duration of a reader's call: the timeout of the request that it is made for.
    pub(crate) fn longest_call(&self) -> Duration {
        Duration::from_secs(self.http.request_timeout_seconds)
    }

    /// Returns the maximum duration of a reader's request. A request may find its session at the last moment, and then
    /// make another call on the reader's behalf.
    pub(crate) fn longest_request(&self) -> Duration {
        let upload = Duration::from_secs(self.http.upload_timeout_seconds);
        upload.max(2 * self.longest_call())
    }

    /// Returns the PostgreSQL settings of a service, with the URL of its own role if configured.
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

    /// Returns the site's file; a process with a single service may have none.
    fn site_file(&self) -> Option<Site> {
        Site::read(&self.site.file).ok()
    }

    /// The site, for the services that send mails.
    fn sender(&self) -> mail::SiteSettings {
        let file = self.site_file();
        mail::SiteSettings {
            url: self.site.url.clone(),
            color: file.as_ref().map(|site| site.accent.color()),
            name: file.map(|site| site.name),
        }
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
        self.backup.validate()?;
        self.erasures.validate()?;
        if self.erasures.is_configured() && self.internal.key.is_empty() {
            return refuse(
                "internal.key is missing: the entries of the register of erasures are signed with it",
            );
        }
        let http = &self.http;
        for (key, value) in [
            ("request_timeout_seconds", http.request_timeout_seconds),
            ("idle_timeout_seconds", http.idle_timeout_seconds),
            ("head_timeout_seconds", http.head_timeout_seconds),
            ("write_timeout_seconds", http.write_timeout_seconds),
            ("upload_timeout_seconds", http.upload_timeout_seconds),
            ("upload_stall_seconds", http.upload_stall_seconds),
        ] {
            if value == 0 {
                return refuse(&format!("http.{key} must be 1 or more"));
            }
        }
        if http.max_connections == 0 {
            return refuse("http.max_connections must be 1 or more");
        }
        if http.max_connections_per_client == 0 {
            return refuse("http.max_connections_per_client must be 1 or more");
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

/// Settings of the editorial service.
impl From<&Settings> for editorial::Settings {
    fn from(settings: &Settings) -> Self {
        Self {
            site: settings.sender(),
            contests: settings.contests.clone(),
            contact: settings.contact.clone(),
        }
    }
}

/// Settings of the identity service.
impl From<&Settings> for identity::Settings {
    fn from(settings: &Settings) -> Self {
        Self {
            audit: settings.audit.clone(),
            passwords: settings.passwords.clone(),
            site: settings.sender(),
            calendar: settings.calendar.clone(),
            facebook: settings.facebook.clone(),
            erasures: settings.erasures.clone(),
        }
    }
}

/// Settings of the newsletters service.
impl From<&Settings> for newsletters::Settings {
    fn from(settings: &Settings) -> Self {
        Self {
            newsletters: settings.newsletters.clone(),
            site: settings.sender(),
            timezone: settings.site_file().map(|site| site.timezone),
        }
    }
}

/// Settings of the ads service.
impl From<&Settings> for ads::Settings {
    fn from(settings: &Settings) -> Self {
        Self {
            ads: settings.ads.clone(),
            timezone: settings.site_file().map(|site| site.timezone),
        }
    }
}

/// Settings of the photos service.
impl From<&Settings> for PhotoSettings {
    fn from(settings: &Settings) -> Self {
        settings.photos.clone()
    }
}

/// Settings of the places service.
impl From<&Settings> for RatingSettings {
    fn from(settings: &Settings) -> Self {
        settings.ratings.clone()
    }
}

/// Services without settings have the type `()`.
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
