//! The gateway as the process sees it.

use std::{path::Path, sync::Arc, time::Duration};

use axum::{Router, middleware};
use chassis::{
    blobs::Blobs,
    bus::{Durability, Subscription, exchange},
    error::Fault,
    lifecycle::Lifecycle,
    role::Parts,
};
use tower::{Layer, util::MapRequestLayer};
use tower_http::compression::CompressionLayer;

use crate::{
    edge::{cross_site, error, public::PublicAnswers, request_scope, security_headers, slashes},
    live::LiveUpdates,
    media,
    pages::{self, Pages},
    settings::{HttpSettings, Origin, SiteSettings},
    site::Site,
    state::{Edge, Services},
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

impl Gateway {
    /// Reads the site's file and the built web application.
    pub fn create(
        parts: Parts,
        services: Services,
        blobs: Blobs,
        http: &HttpSettings,
        site: &SiteSettings,
        web_root: &Path,
        life: &Lifecycle,
    ) -> Result<Self, Fault> {
        let site_file = Arc::new(Site::read(&site.file)?);
        let edge = Edge {
            services,
            origin: Origin::parse(&site.url)?,
            pages: Arc::new(Pages::read(web_root, &site_file)?),
            site: site_file,
            clock: Arc::clone(&parts.clock),
            entropy: Arc::clone(&parts.entropy),
            public: PublicAnswers::new(Arc::clone(&parts.clock), Arc::clone(&parts.cache)),
            live: LiveUpdates::default(),
            blobs,
            life: life.clone(),
            patience: Duration::from_secs(http.request_timeout_seconds),
        };
        Ok(Self { edge, parts })
    }

    /// Starts to listen for readers' updates, for their open streams.
    pub async fn subscribe(&self) -> Result<(), Fault> {
        let subscription = Subscription {
            queue: "gateway.last_updates",
            exchange: exchange::LAST_UPDATES,
            key: "#",
            durability: Durability::Ephemeral,
        };
        self.parts
            .bus
            .subscribe(subscription, Arc::new(self.edge.live.clone()))
            .await
    }

    /// Everything the public sees.
    pub fn router(&self) -> Router {
        let edge = self.edge.clone();
        let routes = Router::new()
            .merge(v2::router())
            .route("/media/{key}", axum::routing::get(media::media))
            .fallback(pages::page)
            .layer(middleware::from_fn_with_state(
                edge.clone(),
                cross_site::refuse,
            ))
            .layer(middleware::from_fn(error::negotiate))
            .layer(middleware::from_fn_with_state(
                edge.clone(),
                security_headers::add,
            ))
            .layer(middleware::from_fn_with_state(
                edge.clone(),
                request_scope::enter,
            ))
            .layer(CompressionLayer::new())
            .with_state(edge);
        // Routing sees the path with its slash, so this stands around the router, not within.
        let completed = MapRequestLayer::new(slashes::complete).layer(routes);
        Router::new().fallback_service(completed)
    }
}
