//! The system in one process: the targets asked for, wired together.

use std::{collections::HashMap, net::SocketAddr, sync::Arc, time::Duration};

use axum::{Router, serve::ListenerExt};
use chassis::{
    blobs,
    bus::InProcessBus,
    cache::InProcessCache,
    call::CallerTokens,
    clock::SharedClock,
    entropy::{OsEntropy, SharedEntropy},
    error::{Code, Fault},
    lifecycle::Lifecycle,
    role::{Parts, Role},
    rpc::{self, Guard, Transport},
};
use gateway::{Gateway, Services};
use metrics_exporter_prometheus::PrometheusHandle;
use tokio::net::TcpListener;

use crate::{internal, settings::Settings, targets::Target};

/// The services of this process and the ways to all others.
pub struct System {
    settings: Settings,
    parts: Parts,
    tokens: CallerTokens,
    roles: Vec<Box<dyn Role>>,
    local: HashMap<Target, Transport>,
}

impl std::fmt::Debug for System {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("System").finish_non_exhaustive()
    }
}

/// A system that serves.
#[derive(Debug)]
pub struct Running {
    /// Where the public is answered.
    pub public: SocketAddr,
    /// Where probes and metrics are.
    pub internal: SocketAddr,
    life: Lifecycle,
    grace: Duration,
}

impl System {
    /// Brings every service's schema up to date.
    pub async fn migrate(settings: &Settings) -> Result<(), Fault> {
        for target in Target::ALL {
            target.migrate(&settings.database).await?;
        }
        Ok(())
    }

    /// Makes the targets and connects them to what they stand on.
    pub async fn create(
        settings: &Settings,
        targets: &[Target],
        clock: SharedClock,
    ) -> Result<Self, Fault> {
        let entropy: SharedEntropy = Arc::new(OsEntropy);
        let is_whole = Target::ALL.iter().all(|target| targets.contains(target));
        let tokens = if settings.internal.key.is_empty() {
            if !is_whole {
                let why = "internal.key is missing: processes that call each other share it";
                return Err(Fault::new(Code::Invalid, format!("settings: {why}")));
            }
            CallerTokens::with_own_key(entropy.as_ref(), Arc::clone(&clock))
        } else {
            CallerTokens::new(settings.internal.key.as_bytes(), Arc::clone(&clock))
        };
        let parts = Parts {
            clock,
            entropy,
            bus: Arc::new(InProcessBus::default()),
            cache: Arc::new(InProcessCache::new(settings.cache.max_bytes)),
            database: settings.database.clone(),
        };
        let mut system = Self {
            settings: settings.clone(),
            parts,
            tokens,
            roles: Vec::new(),
            local: HashMap::new(),
        };
        for target in Target::ALL
            .into_iter()
            .filter(|target| targets.contains(target))
        {
            system.add(target).await?;
        }
        Ok(system)
    }

    async fn add(&mut self, target: Target) -> Result<(), Fault> {
        let made = target
            .create(self.parts.clone(), |other| self.transport(other))
            .await?;
        let Some(role) = made else { return Ok(()) };
        let guard = Guard {
            tokens: self.tokens.clone(),
            concurrency: self.settings.rpc.concurrency,
            patience: Duration::from_secs(self.settings.http.request_timeout_seconds),
        };
        let guarded = rpc::guarded(target.name(), role.routes(), guard);
        self.local
            .insert(target, rpc::local(guarded, self.tokens.clone()));
        self.roles.push(role);
        Ok(())
    }

    /// The way to a service, here or elsewhere.
    pub(crate) fn transport(&self, target: Target) -> Result<Transport, Fault> {
        if let Some(transport) = self.local.get(&target) {
            return Ok(transport.clone());
        }
        let name = target.name();
        let Some(service) = self.settings.services.get(name) else {
            let message =
                format!("settings: services.{name}.url is missing: {name} does not run here");
            return Err(Fault::new(Code::Invalid, message));
        };
        rpc::remote(name, &service.url, self.tokens.clone())
    }

    /// Serves the whole system until it is stopped. Addresses are taken first, consumers listen before
    /// anything is published, and the public is answered last.
    pub async fn serve(self, metrics: PrometheusHandle) -> Result<Running, Fault> {
        let settings = &self.settings;
        let public = listen("http.listen", settings.http.listen).await?;
        let internal = listen("http.internal_listen", settings.http.internal_listen).await?;
        let life = Lifecycle::new();
        let services = Services {
            identity: self.transport(Target::Identity)?,
            places: self.transport(Target::Places)?,
            bookmarks: self.transport(Target::Bookmarks)?,
        };
        let gateway = Gateway::create(
            self.parts.clone(),
            services,
            blobs::in_folder(&settings.blobs.folder)?,
            &settings.http,
            &settings.site,
            &settings.web.root,
            &life,
        )?;
        for role in &self.roles {
            role.subscribe().await?;
        }
        gateway.subscribe().await?;
        for role in &self.roles {
            role.start(&life);
        }
        let roles: Arc<[Box<dyn Role>]> = self.roles.into();
        let running = Running {
            public: public.1,
            internal: internal.1,
            grace: Duration::from_secs(settings.shutdown.grace_seconds),
            life: life.clone(),
        };
        answer(
            "internal http",
            internal.0,
            internal::router(life.clone(), roles, metrics),
            &life,
        );
        answer("public http", public.0, gateway.router(), &life);
        Ok(running)
    }
}

impl Running {
    /// Asks the system to stop and waits until work under way is done, or its grace is over.
    pub async fn stop(self) {
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

fn answer(name: &'static str, listener: TcpListener, router: Router, life: &Lifecycle) {
    let stopping = life.clone();
    let listener = listener.tap_io(|connection| {
        if let Err(error) = connection.set_nodelay(true) {
            tracing::debug!(%error, "TCP_NODELAY could not be set");
        }
    });
    life.spawn(name, async move {
        let serving = axum::serve(listener, router)
            .with_graceful_shutdown(async move { stopping.stopping().await });
        if let Err(error) = serving.await {
            tracing::error!(name, %error, "the server ended");
        }
    });
}
