//! The HTTP edge: `/api/v2` over the services, reader sessions, the site's pages and its feeds.

mod ads;
mod calendar;
mod catalogue;
mod edge;
mod facebook_login;
mod feeds;
mod gateway;
mod live;
mod media;
mod oauth_callback;
mod page_reports;
mod pages;
mod services;
mod settings;
mod state;
mod suggester;
mod takeout;
mod v2;
mod words;

pub use edge::replay::ReplayService;
pub use gateway::{Gateway, GatewaySettings, Stores};
pub use pages::{fixed_routes, page_table};
pub use services::Services;
pub use settings::{HttpSettings, LimitSettings, PublicCacheSettings, SiteSettings, WebSettings};
pub use v2::openapi;
