//! The gateway's public interface.

use std::{sync::Arc, time::Duration};

use axum::{Router, middleware};
use chassis::{
    blobs::{AddressSigner, Blobs},
    bus::{Durability, Subscription},
    error::Fault,
    keys::Keys,
    lifecycle::Lifecycle,
    limits::{InProcessBuckets, SharedBuckets},
    origin::Origin,
    role::Parts,
    trace::ClientTraces,
};
use cityguide_proto::exchange;
use http::{Extensions, HeaderMap, StatusCode, Version};
use site::{PageSite, Site};
use tower::{Layer, util::MapRequestLayer};
use tower_http::compression::{
    CompressionLayer, DefaultPredicate, Predicate,
    predicate::{NotForContentType, SizeAbove},
};

use crate::{
    ads::AdServer,
    catalogue::Catalogue,
    edge::{
        cross_site,
        device::KnownDevices,
        error,
        limits::Limits,
        public::{self, Public, PublicCache},
        replay::ReplayService,
        request_scope::{self, RequestIds},
        security_headers::{self, SecurityHeaders},
        sign_in::SignInGuard,
        slashes,
        upload::{Timeouts, Uploads},
    },
    facebook_login, feeds,
    live::LiveUpdates,
    media::{self, hot::HotPictures, signed::PictureAddresses},
    oauth_callback,
    page_reports::PageReports,
    pages::{self, OwnApi, PagesState, Shell},
    services::{Clients, Services},
    settings::{HttpSettings, LimitSettings, PublicCacheSettings, SiteSettings, WebSettings},
    state::{AppState, StateParts},
    suggester::Suggester,
    v2,
};

/// The HTTP edge.
pub struct Gateway {
    state: AppState,
    shell: Arc<Shell>,
    parts: Parts,
}

chassis::opaque_debug!(Gateway);

/// Settings of the gateway.
#[derive(Debug, Clone, Copy)]
pub struct GatewaySettings<'a> {
    /// HTTP addresses and proxies.
    pub http: &'a HttpSettings,
    /// Cache of public responses.
    pub public_cache: &'a PublicCacheSettings,
    /// The site to serve.
    pub site: &'a SiteSettings,
    /// The web application.
    pub web: &'a WebSettings,
    /// Rate limits.
    pub limits: &'a LimitSettings,
    /// Whether saved events can be copied to readers' own calendars.
    pub has_calendars: bool,
    /// Whether readers can log in with Facebook.
    pub has_facebook: bool,
    /// Maximum bytes of suggestion names in memory; 0 if the editorial service runs in this process, as it has the
    /// names.
    pub max_name_bytes: u64,
    /// The ratio of recorded traces, 0 to 1; `None` if spans are not exported.
    pub trace_ratio: Option<f64>,
}

/// Stores of the gateway, in addition to the parts of every role.
#[derive(Clone)]
pub struct Stores {
    /// Picture store.
    pub blobs: Blobs,
    /// Token buckets of the rate limits.
    pub buckets: SharedBuckets,
    /// The secret keys of this system.
    pub keys: Keys,
}

chassis::opaque_debug!(Stores);

impl Gateway {
    /// Loads the site's file and the built web application.
    pub fn create(
        parts: Parts,
        services: Services,
        stores: Stores,
        settings: GatewaySettings<'_>,
        life: &Lifecycle,
    ) -> Result<Self, Fault> {
        let GatewaySettings {
            http,
            public_cache,
            site: site_settings,
            web,
            limits,
            has_calendars,
            has_facebook,
            max_name_bytes,
            trace_ratio,
        } = settings;
        let mut site = Site::read(&site_settings.file)?.without_disabled(pages::section_at);
        site.has_calendars = has_calendars;
        site.facebook = has_facebook;
        site.load_logo(&site_settings.file)?;
        let site = Arc::new(site);
        let origin = Origin::parse(&site_settings.url)?;
        let shell = Arc::new(Shell::read(&web.root, &PageSite::new(&site, &origin))?);
        let clock = Arc::clone(&parts.clock);
        let timeout = Duration::from_secs(http.request_timeout_seconds);
        let services = Clients::new(services, timeout);
        let limits = Limits {
            buckets: stores.buckets,
            own_buckets: Arc::new(InProcessBuckets::new(Arc::clone(&clock))),
            keys: stores.keys.derive("limits"),
            settings: limits.clone(),
            trusted_proxies: http.trusted_proxies.as_slice().into(),
        };
        let cache = PublicCache::new(
            Arc::clone(&clock),
            Arc::clone(&parts.cache),
            limits.clone(),
            life.clone(),
            public_cache.max_bytes,
        );
        let devices = KnownDevices {
            keys: stores.keys.derive("devices"),
            origin: origin.clone(),
            clock: Arc::clone(&clock),
            entropy: Arc::clone(&parts.entropy),
        };
        let injected = (Arc::clone(&clock), Arc::clone(&parts.entropy));
        let ads = AdServer::new(services.clone(), &stores.keys, injected, site.timezone);
        let suggester = Suggester::new(services.clone(), Arc::clone(&clock), max_name_bytes);
        let traces = ClientTraces::new(&stores.keys, trace_ratio);
        let reports = PageReports::new(
            shell.scripts.files().clone(),
            &limits,
            traces.clone(),
            Arc::clone(&clock),
        );
        let state = AppState::new(StateParts {
            services: services.clone(),
            ads,
            traces,
            reports,
            catalogue: Arc::new(Catalogue {
                services,
                site: Arc::clone(&site),
                origin: origin.clone(),
                clock: Arc::clone(&clock),
                cache,
                suggester,
                pictures: PictureAddresses::new(&stores.keys),
            }),
            site,
            origin,
            clock,
            entropy: Arc::clone(&parts.entropy),
            request_ids: RequestIds::new(Arc::clone(&parts.entropy)),
            limits: limits.clone(),
            sign_in_guard: SignInGuard { limits, devices },
            live: LiveUpdates::new(http.max_streams),
            addresses: AddressSigner::new(&stores.keys),
            pictures: HotPictures::new(
                stores.blobs.clone(),
                public_cache.max_picture_bytes,
                Arc::clone(&parts.clock),
            ),
            uploads: Uploads::new(
                stores.blobs,
                Arc::clone(&parts.entropy),
                http.max_uploads,
                Timeouts {
                    whole: Duration::from_secs(http.upload_timeout_seconds),
                    stalled: Duration::from_secs(http.upload_stall_seconds),
                },
            ),
            life: life.clone(),
        });
        Ok(Self {
            state,
            shell,
            parts,
        })
    }

    /// Subscribes to readers' updates (for open streams), catalogue changes (for the public cache) and campaign
    /// changes.
    pub async fn subscribe(&self) -> Result<(), Fault> {
        let all_of = |queue, exchange| Subscription {
            queue,
            exchange,
            key: "#",
            durability: Durability::Ephemeral,
        };
        let updates = all_of("gateway.last_updates", exchange::LAST_UPDATES);
        let changes = all_of("gateway.catalog", exchange::CATALOG);
        let plans = all_of("gateway.ads", exchange::ADS);
        let bus = &self.parts.bus;
        bus.subscribe(updates, Arc::new(self.state.live.clone()))
            .await?;
        let cache = self.state.catalogue.cache.clone();
        bus.subscribe(changes, Arc::new(cache)).await?;
        bus.subscribe(plans, Arc::new(self.state.ads.clone())).await
    }

    /// Starts background tasks, which run until the process stops. The services must already be running.
    pub fn start(&self, life: &Lifecycle) {
        if !self.state.site.ads.slots.is_empty() {
            self.state.ads.start(life);
        }
        self.state.catalogue.suggester.start(life);
    }

    /// Returns the public service. Each request must have its client's address as a `ConnectInfo<SocketAddr>`.
    #[must_use]
    pub fn service(&self) -> ReplayService {
        let state = self.state.clone();
        let pages = PagesState {
            catalogue: Arc::clone(&state.catalogue),
            shell: Arc::clone(&self.shell),
            limits: state.limits.clone(),
            api: OwnApi::new(v2::router().with_state(state.clone())),
        };
        let page = axum::routing::any(pages::page).with_state(pages);
        let routes = Router::new()
            .merge(v2::router())
            .merge(feeds::router())
            .merge(media::router())
            .merge(oauth_callback::router())
            .merge(facebook_login::router())
            .merge(pages::ad_previews::router(
                state.clone(),
                Arc::clone(&self.shell),
            ))
            .merge(pages::issues::router(
                state.clone(),
                Arc::clone(&self.shell),
            ))
            .merge(pages::mailed::router(
                state.clone(),
                Arc::clone(&self.shell),
            ))
            .fallback_service(page)
            .layer(middleware::from_fn_with_state(
                state.clone(),
                cross_site::refuse,
            ))
            .layer(middleware::from_fn(error::negotiate))
            .layer(middleware::from_fn_with_state(
                SecurityHeaders::new(&state.origin, &state.site),
                security_headers::add,
            ))
            .layer(middleware::from_fn_with_state(
                state.clone(),
                request_scope::enter,
            ))
            .layer(CompressionLayer::new().compress_when(not_yet_encoded()))
            .with_state(state.clone());
        // Must run before routing, because the router needs the path with its slash.
        let read = |request| public::relax(slashes::complete(request));
        let completed = MapRequestLayer::new(read).layer(routes);
        let routes = Router::new().fallback_service(completed);
        let cache = state.catalogue.cache.clone();
        let ids = state.request_ids.clone();
        ReplayService::new(cache, ids, state.traces.clone(), routes)
    }
}

/// Selects responses for compression; public responses are already encoded.
fn not_yet_encoded() -> impl Predicate {
    let is_not_public = |_: StatusCode, _: Version, _: &HeaderMap, extensions: &Extensions| {
        extensions.get::<Public>().is_none()
    };
    // WOFF2 fonts and ZIP archives are already compressed.
    let is_no_font = NotForContentType::const_new("font/woff2");
    let is_no_archive = NotForContentType::const_new("application/zip");
    // A smaller response takes one packet in any case.
    DefaultPredicate::new()
        .and(SizeAbove::new(1_024))
        .and(is_not_public)
        .and(is_no_font)
        .and(is_no_archive)
}
