//! The gateway as the process sees it.

use std::{net::SocketAddr, sync::Arc, time::Duration};

use axum::{Router, ServiceExt, extract::connect_info::IntoMakeServiceWithConnectInfo, middleware};
use chassis::{
    blobs::Blobs,
    bus::{Durability, Subscription, exchange},
    entropy::EntropyAhead,
    error::Fault,
    key::Key,
    lifecycle::Lifecycle,
    limits::SharedBuckets,
    role::Parts,
};
use http::{Extensions, HeaderMap, StatusCode, Version};
use tower::{Layer, util::MapRequestLayer};
use tower_http::compression::{
    CompressionLayer, DefaultPredicate, Predicate, predicate::NotForContentType,
};

use crate::{
    edge::{
        cross_site, error,
        front::Front,
        limits::Limits,
        public::{self, Public, PublicAnswers},
        request_scope, security_headers, slashes,
    },
    feeds,
    live::LiveUpdates,
    media,
    pages::{self, OwnApi, Pages},
    settings::{
        HttpSettings, LimitSettings, Origin, PublicCacheSettings, SiteSettings, WebSettings,
    },
    site::Site,
    state::{Edge, Services, Surroundings},
    v2,
};

/// The HTTP edge.
pub struct Gateway {
    edge: Edge,
    parts: Parts,
}

impl std::fmt::Debug for Gateway {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Gateway").finish_non_exhaustive()
    }
}

/// The sections of the settings that the gateway reads.
#[derive(Debug, Clone, Copy)]
pub struct GatewaySettings<'a> {
    /// Addresses and proxies.
    pub http: &'a HttpSettings,
    /// Answers that are kept.
    pub public_cache: &'a PublicCacheSettings,
    /// Which site this is.
    pub site: &'a SiteSettings,
    /// The web application.
    pub web: &'a WebSettings,
    /// How often what may be done.
    pub limits: &'a LimitSettings,
    /// Whether spans are sent anywhere.
    pub is_traced: bool,
}

/// What the gateway stands on beside the parts of every role.
#[derive(Clone)]
pub struct Stores {
    /// Pictures.
    pub blobs: Blobs,
    /// What limits count in.
    pub buckets: SharedBuckets,
    /// The secret of this system.
    pub key: Key,
}

impl std::fmt::Debug for Stores {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Stores").finish_non_exhaustive()
    }
}

impl Gateway {
    /// Reads the site's file and the built web application.
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
            site,
            web,
            limits,
            is_traced,
        } = settings;
        let site_file = Arc::new(Site::read(&site.file)?);
        let edge = Edge::new(Surroundings {
            services,
            origin: Origin::parse(&site.url)?,
            pages: Arc::new(Pages::read(&web.root, &site_file)?),
            site: site_file,
            clock: Arc::clone(&parts.clock),
            entropy: Arc::clone(&parts.entropy),
            ids: EntropyAhead::of(Arc::clone(&parts.entropy)),
            is_traced,
            limits: Limits {
                buckets: stores.buckets,
                key: stores.key.derive("limits"),
                settings: limits.clone(),
            },
            trusted_proxies: http.trusted_proxies.as_slice().into(),
            device_key: stores.key.derive("devices"),
            public: PublicAnswers::new(
                Arc::clone(&parts.clock),
                Arc::clone(&parts.cache),
                life.clone(),
                public_cache.max_bytes,
            ),
            live: LiveUpdates::default(),
            blobs: stores.blobs,
            life: life.clone(),
            patience: Duration::from_secs(http.request_timeout_seconds),
        });
        Ok(Self { edge, parts })
    }

    /// Starts to listen for readers' updates, for their open streams, and for changes of the catalogue,
    /// for the answers that are kept.
    pub async fn subscribe(&self) -> Result<(), Fault> {
        let all_of = |queue, exchange| Subscription {
            queue,
            exchange,
            key: "#",
            durability: Durability::Ephemeral,
        };
        let updates = all_of("gateway.last_updates", exchange::LAST_UPDATES);
        let changes = all_of("gateway.catalog", exchange::CATALOG);
        let bus = &self.parts.bus;
        bus.subscribe(updates, Arc::new(self.edge.live.clone()))
            .await?;
        bus.subscribe(changes, Arc::new(self.edge.public.clone()))
            .await
    }

    /// Everything the public sees; it wants to know each connection's peer.
    pub fn service(&self) -> IntoMakeServiceWithConnectInfo<Front, SocketAddr> {
        let edge = self.edge.clone();
        let api = OwnApi::new(v2::router().with_state(edge.clone()));
        let page = move |edge, request| pages::page(edge, api.clone(), request);
        let routes = Router::new()
            .merge(v2::router())
            .merge(feeds::router())
            .route("/media/{key}", axum::routing::get(media::media))
            .fallback(page)
            .layer(middleware::from_fn_with_state(
                edge.clone(),
                cross_site::refuse,
            ))
            .layer(middleware::from_fn(error::negotiate))
            .layer(middleware::from_fn_with_state(
                security_headers::Headers::of(&edge.origin, &edge.site),
                security_headers::add,
            ))
            .layer(middleware::from_fn_with_state(
                edge.clone(),
                request_scope::enter,
            ))
            .layer(CompressionLayer::new().compress_when(not_yet_encoded()))
            .with_state(edge.clone());
        // Routing sees the path with its slash, so this stands around the router, not within.
        let read = |request| public::relax(slashes::complete(request));
        let completed = MapRequestLayer::new(read).layer(routes);
        let routes = Router::new().fallback_service(completed);
        Front::of(edge, routes).into_make_service_with_connect_info()
    }
}

/// What is worth it, and is not encoded as its client wants it: public answers are kept so.
fn not_yet_encoded() -> impl Predicate {
    let is_ours = |_: StatusCode, _: Version, _: &HeaderMap, extensions: &Extensions| {
        extensions.get::<Public>().is_none()
    };
    // Such fonts are compressed already.
    let is_no_font = NotForContentType::const_new("font/woff2");
    DefaultPredicate::new().and(is_ours).and(is_no_font)
}
