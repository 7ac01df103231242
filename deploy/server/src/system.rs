//! The system in one process: connects the requested targets.

use std::{net::SocketAddr, sync::Arc, time::Duration};

use chassis::{
    blobs::Blobs,
    bus::{InProcessBus, RabbitMqBus, SharedBus},
    cache::{InProcessCache, RedisCache, SharedCache},
    call::CallerTokens,
    clock::SharedClock,
    entropy::{Entropy, OsEntropy, SharedEntropy, secret_token},
    error::{Code, Fault},
    keys::Keys,
    lifecycle::Lifecycle,
    limits::{FallbackBuckets, InProcessBuckets, RedisBuckets, SharedBuckets},
    mail::PostOffice,
    role::{Parts, Role},
    rpc::{self, Guard, Outgoing, Tls, Transport},
};
use gateway::{Gateway, GatewaySettings, Services, Stores};
use metrics_exporter_prometheus::PrometheusHandle;
use publishing::{import::EventServices, sources::Poller};
use site::Site;
use tokio::net::TcpListener;

use crate::{
    http::{self, Bounds, PerClient},
    internal,
    settings::{BusSettings, CacheSettings, Settings},
    targets::Target,
};

/// Timeout of an operator's call: an import of a whole city.
const OPERATORS_TIMEOUT: Duration = Duration::from_mins(30);

/// The services in this process, and the transports to all others.
pub struct System {
    settings: Settings,
    parts: Parts,
    tokens: CallerTokens,
    keys: Keys,
    tls: Option<Tls>,
    life: Lifecycle,
    roles: Vec<Box<dyn Role>>,
    guarded: Vec<(Target, Transport)>,
    /// Whether the gateway runs in this process.
    has_gateway: bool,
}

chassis::opaque_debug!(System);

/// A running system.
#[derive(Debug)]
pub struct Running {
    /// Public address, if the gateway runs in this process.
    pub public: Option<SocketAddr>,
    /// Address of probes and metrics.
    pub internal: SocketAddr,
    life: Lifecycle,
    delay: Duration,
    grace: Duration,
}

impl System {
    /// Updates every service's schema.
    pub async fn migrate(settings: &Settings) -> Result<(), Fault> {
        for target in Target::ALL {
            if let Some(schema) = target.schema() {
                schema.migrate(&settings.database).await?;
            }
        }
        Ok(())
    }

    /// Creates the targets and connects them to their servers.
    pub async fn create(
        settings: &Settings,
        targets: &[Target],
        clock: SharedClock,
    ) -> Result<Self, Fault> {
        only_known_services(settings)?;
        let entropy: SharedEntropy = Arc::new(OsEntropy);
        let life = Lifecycle::new();
        let shared = Shared {
            settings,
            is_whole: Target::ALL.iter().all(|target| targets.contains(target)),
        };
        let keys = shared.keys(entropy.as_ref())?;
        let tokens = CallerTokens::new(keys.clone(), Arc::clone(&clock));
        let parts = Parts {
            bus: shared.bus(&life)?,
            cache: shared.cache(&clock)?,
            clock,
            entropy,
            keys: keys.clone(),
            post: PostOffice::new(&settings.mail)?,
            blobs: shared.blobs(targets)?,
            database: settings.database.clone(),
            longest_call: settings.longest_call(),
            longest_request: settings.longest_request(),
        };
        let mut system = Self {
            settings: settings.clone(),
            parts,
            tokens,
            keys,
            tls: Tls::from_settings(&settings.rpc.tls)?,
            life,
            roles: Vec::new(),
            guarded: Vec::new(),
            has_gateway: targets.contains(&Target::Gateway),
        };
        for target in Target::ALL.iter().filter(|target| targets.contains(target)) {
            system.add(*target).await?;
        }
        Ok(system)
    }

    async fn add(&mut self, target: Target) -> Result<(), Fault> {
        // The gateway's transports are created after all services.
        if target == Target::Gateway {
            return Ok(());
        }
        let callees = target.callees(|other| self.transport(other))?;
        let parts = Parts {
            database: self.settings.database_of(target.name()),
            ..self.parts.clone()
        };
        let made = target.create(parts, &self.settings, callees).await?;
        let Some(role) = made else { return Ok(()) };
        let guard = Guard {
            tokens: self.tokens.clone(),
            concurrency: self.settings.rpc.concurrency,
            timeout: self.settings.longest_call(),
            operators_timeout: OPERATORS_TIMEOUT,
        };
        let guarded = rpc::guarded(target.name(), target.contract(), role.routes(), guard);
        self.guarded.push((target, guarded));
        self.roles.push(role);
        Ok(())
    }

    /// Returns the transport to a service, in this process or another.
    pub fn transport(&self, target: Target) -> Result<Transport, Fault> {
        let (name, contract) = (target.name(), target.contract());
        let outgoing = Outgoing {
            tokens: self.tokens.clone(),
            read_timeout: Duration::from_millis(self.settings.rpc.read_timeout_milliseconds),
        };
        let here = self.guarded.iter().find(|(name, _)| *name == target);
        if let Some((_, guarded)) = here {
            return Ok(rpc::local(name, contract, guarded.clone(), outgoing));
        }
        match self.settings.services.get(name) {
            Some(service) if !service.url.is_empty() => {
                rpc::remote(name, contract, &service.url, self.tls.as_ref(), outgoing)
            }
            _ => {
                let message =
                    format!("settings: services.{name}.url is missing: {name} does not run here");
                Err(Fault::new(Code::Invalid, message))
            }
        }
    }

    /// Serves until stopped. Addresses are bound first, consumers subscribe before events are published, and the public
    /// port opens last.
    pub async fn serve(self, metrics: PrometheusHandle) -> Result<Running, Fault> {
        let settings = &self.settings;
        let life = self.life.clone();
        let internal = listen("http.internal_listen", settings.http.internal_listen).await?;
        let public = match self.gateway()? {
            Some(gateway) => Some((gateway, listen("http.listen", settings.http.listen).await?)),
            None => None,
        };
        // In a complete system, services call each other directly and need no port.
        let is_whole = self.guarded.len() + usize::from(self.has_gateway) == Target::ALL.len();
        let rpc = if is_whole || self.guarded.is_empty() {
            None
        } else {
            Some(listen("rpc.listen", settings.rpc.listen).await?)
        };
        for role in &self.roles {
            role.subscribe().await?;
        }
        if let Some((gateway, _)) = &public {
            gateway.subscribe().await?;
        }
        let poller = self.poller()?;
        if self.is_copy() {
            tracing::warn!(
                "the database is a restored copy: no mail is sent and no sources are polled until `cityguide promote`"
            );
        }
        for role in &self.roles {
            role.start(&life);
        }
        if let Some((gateway, _)) = &public {
            gateway.start(&life);
        }
        if let Some(poller) = poller {
            poller.start(&life);
        }
        let running = Running {
            public: public.as_ref().map(|(_, (_, address))| *address),
            internal: internal.1,
            delay: Duration::from_secs(settings.shutdown.delay_seconds),
            grace: Duration::from_secs(settings.shutdown.grace_seconds),
            life: life.clone(),
        };
        let roles: Arc<[Box<dyn Role>]> = self.roles.into();
        let probes = internal::router(life.clone(), roles, metrics);
        let bounds = Bounds::new(&settings.http);
        let clients = PerClient::new(&settings.http);
        http::serve("internal http", internal.0, probes, bounds, None, &life);
        if let Some((listener, _)) = rpc {
            answer_rpc(listener, self.guarded, self.tls, &life);
        }
        if let Some((gateway, (listener, _))) = public {
            let service = gateway.service();
            http::serve(
                "public http",
                listener,
                service,
                bounds,
                Some(clients),
                &life,
            );
        }
        Ok(running)
    }

    /// Returns the poller of the site's sources, if the editorial service, which imports their content, runs in this
    /// process. A process with a single service may have no site file.
    fn poller(&self) -> Result<Option<Poller>, Fault> {
        let file = &self.settings.site.file;
        if !self.is_here(Target::Editorial) || !file.exists() || self.is_copy() {
            return Ok(None);
        }
        let site = Site::read(file)?;
        if site.sources.is_empty() {
            return Ok(None);
        }
        let services = EventServices {
            editorial: self.transport(Target::Editorial)?,
            places: self.transport(Target::Places)?,
        };
        let parts = &self.parts;
        let chance = (Arc::clone(&parts.clock), Arc::clone(&parts.entropy));
        Poller::new(site, &self.settings.sources, services, chance).map(Some)
    }

    /// Whether the database is a restored copy, which sends no mail and polls no sources.
    pub(crate) fn is_copy(&self) -> bool {
        self.roles.iter().any(|role| role.core().is_copy)
    }

    fn is_here(&self, service: Target) -> bool {
        self.guarded.iter().any(|(target, _)| *target == service)
    }

    /// Returns the gateway, if it runs in this process.
    fn gateway(&self) -> Result<Option<Gateway>, Fault> {
        let blobs = self.parts.blobs.clone();
        let Some(blobs) = blobs.filter(|_| self.has_gateway) else {
            return Ok(None);
        };
        let settings = &self.settings;
        let services = Services::connect(&Target::Gateway.callees(|other| self.transport(other))?)?;
        let stores = Stores {
            blobs,
            buckets: buckets(&settings.cache, &self.parts.clock)?,
            keys: self.keys.clone(),
        };
        let sections = GatewaySettings {
            http: &settings.http,
            public_cache: &settings.public_cache,
            site: &settings.site,
            web: &settings.web,
            limits: &settings.limits,
            has_calendars: settings.calendar.is_configured(),
            has_facebook: settings.facebook.is_configured(),
            max_name_bytes: if self.is_here(Target::Editorial) {
                0
            } else {
                settings.public_cache.max_name_bytes
            },
            trace_ratio: settings
                .otlp
                .sends_spans()
                .then_some(settings.otlp.trace_ratio),
        };
        Gateway::create(self.parts.clone(), services, stores, sections, &self.life).map(Some)
    }
}

/// Rejects settings of unknown services: with a misspelt name, the service would use the shared role.
fn only_known_services(settings: &Settings) -> Result<(), Fault> {
    let refuse = |what: String| Err(Fault::new(Code::Invalid, format!("settings: {what}")));
    for (name, service) in &settings.services {
        let target: Target = match name.parse() {
            Ok(target) => target,
            Err(why) => return refuse(format!("services.{name}: {why}")),
        };
        if target.schema().is_none() && !service.database_url.is_empty() {
            return refuse(format!(
                "services.{name}.database_url: {name} has no tables"
            ));
        }
    }
    Ok(())
}

/// Returns the store of the rate limits' token buckets: Redis, shared by all gateways, with an in-process fallback; or
/// only in-process without Redis.
fn buckets(cache: &CacheSettings, clock: &SharedClock) -> Result<SharedBuckets, Fault> {
    let clock = || Arc::clone(clock);
    if cache.url.is_empty() {
        return Ok(Arc::new(InProcessBuckets::new(clock())));
    }
    let shared = RedisBuckets::new(&cache.url, &cache.ca, &cache.namespace, clock())?;
    Ok(Arc::new(FallbackBuckets::behind(Arc::new(shared), clock())))
}

/// Resources that several processes of a system must share.
struct Shared<'a> {
    settings: &'a Settings,
    is_whole: bool,
}

impl Shared<'_> {
    fn keys(&self, entropy: &dyn Entropy) -> Result<Keys, Fault> {
        let keys = &self.settings.internal.key;
        if keys.is_empty() {
            self.only_in_one_process("internal.key")?;
            return Ok(Keys::one(secret_token(entropy).as_bytes()));
        }
        Keys::parse(keys)
    }

    fn bus(&self, life: &Lifecycle) -> Result<SharedBus, Fault> {
        let BusSettings { url, ca, namespace } = &self.settings.bus;
        if url.is_empty() {
            self.only_in_one_process("bus.url")?;
            return Ok(Arc::new(InProcessBus::default()));
        }
        Ok(Arc::new(RabbitMqBus::new(url, ca, namespace, life)?))
    }

    fn cache(&self, clock: &SharedClock) -> Result<SharedCache, Fault> {
        let CacheSettings {
            url,
            ca,
            namespace,
            max_bytes,
        } = &self.settings.cache;
        if url.is_empty() {
            self.only_in_one_process("cache.url")?;
            return Ok(Arc::new(InProcessCache::new(*max_bytes)));
        }
        Ok(Arc::new(RedisCache::new(
            url,
            ca,
            namespace,
            Arc::clone(clock),
        )?))
    }

    /// Opens the blob store, if a target uses it.
    fn blobs(&self, targets: &[Target]) -> Result<Option<Blobs>, Fault> {
        if !targets.iter().any(|target| target.uses_blobs()) {
            return Ok(None);
        }
        let settings = &self.settings.blobs;
        if settings.is_private() {
            self.only_in_one_process("blobs.s3.bucket or blobs.is_shared")?;
        }
        Blobs::open(settings).map(Some)
    }

    /// Rejects the settings if a shared resource is only available in this process but not all targets run here.
    fn only_in_one_process(&self, key: &str) -> Result<(), Fault> {
        if self.is_whole {
            return Ok(());
        }
        let message = format!("settings: {key} is missing: not every target runs in this process");
        Err(Fault::new(Code::Invalid, message))
    }
}

impl Running {
    /// Turns readiness off, continues until load balancers have noticed, then completes current requests within the
    /// grace period.
    pub async fn stop(self) {
        self.life.retire();
        tokio::time::sleep(self.delay).await;
        self.life.finish(self.grace).await;
    }
}

async fn listen(key: &str, address: SocketAddr) -> Result<(TcpListener, SocketAddr), Fault> {
    let refuse = |error: std::io::Error| {
        let variable = key.to_uppercase().replace('.', "__");
        let hint = format!("choose another address (CITYGUIDE__{variable}) or stop who holds it");
        Fault::new(
            Code::Unavailable,
            format!("{key} {address} cannot be taken: {error}; {hint}"),
        )
    };
    let listener = TcpListener::bind(address).await.map_err(refuse)?;
    let address = listener.local_addr().map_err(refuse)?;
    Ok((listener, address))
}

fn answer_rpc(
    listener: TcpListener,
    guarded: Vec<(Target, Transport)>,
    tls: Option<Tls>,
    life: &Lifecycle,
) {
    let services = guarded
        .into_iter()
        .map(|(target, guarded)| (target.name(), guarded))
        .collect();
    let serving = rpc::serve(listener, rpc::together(services), tls, life.clone());
    life.spawn("rpc", async move {
        if let Err(error) = serving.await {
            tracing::error!(%error, "the server ended");
        }
    });
}
