//! Previews of creatives, for anyone with an operator's link. Each creative is shown at its size and labelled as on the
//! site's pages; nothing is counted.

use std::sync::Arc;

use ad_delivery::{Campaign, Content, Creative, Native, Size, campaign_from_wire};
use ads_proto::v1::GetCampaignRequest;
use axum::{
    Router,
    extract::{FromRef, Path, State},
    response::{Html, IntoResponse, Response},
    routing::get,
};
use chassis::call::Caller;
use chrono::{DateTime, Datelike, Utc};
use http::{
    HeaderName, HeaderValue, StatusCode,
    header::{CACHE_CONTROL, CONTENT_SECURITY_POLICY},
};
use maud::{Markup, html};

use super::{content::frame as site_frame, meta::Meta, shell::Shell};
use crate::{
    ads::frame,
    edge::{
        answer::PRIVATE,
        error::ApiError,
        limits::{CountedRead, Limits},
    },
    state::AppState,
};

const PAGE: &str = "/ads/previews/{token}/";
/// The document of an image or HTML creative, for the page's frame.
const DOCUMENT: &str = "/ads/previews/{token}/creative/";
const ROBOTS: HeaderName = HeaderName::from_static("x-robots-tag");
const UNLISTED: HeaderValue = HeaderValue::from_static("noindex");

/// These pages run no scripts, so inline styles are safe; they set the size of the ad.
const POLICY: HeaderValue = HeaderValue::from_static(
    "default-src 'none'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; font-src 'self'; \
     manifest-src 'self'; frame-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
);

/// State of the preview pages.
#[derive(Clone)]
struct AdPreviews {
    app: AppState,
    shell: Arc<Shell>,
}

impl FromRef<AdPreviews> for Limits {
    fn from_ref(state: &AdPreviews) -> Self {
        state.app.limits.clone()
    }
}

pub(crate) fn router(app: AppState, shell: Arc<Shell>) -> Router<AppState> {
    Router::new()
        .route(PAGE, get(page))
        .route(DOCUMENT, get(document))
        .with_state(AdPreviews { app, shell })
}

/// The target of a preview link.
struct Found {
    campaign: Campaign,
    line_item: String,
    creative: Creative,
    expires_at: DateTime<Utc>,
}

async fn page(
    State(state): State<AdPreviews>,
    _counted: CountedRead,
    Path(token): Path<String>,
) -> Response {
    match state.find(&token).await {
        Ok(found) => {
            let content = preview(&found, &token);
            state.page(StatusCode::OK, "Preview of an ad", &content)
        }
        Err(error) => state.failed(&error),
    }
}

async fn document(
    State(state): State<AdPreviews>,
    _counted: CountedRead,
    Path(token): Path<String>,
) -> Response {
    let found = state.find(&token).await.and_then(|found| {
        let document = frame::document(&found.creative, &state.app.origin);
        document.ok_or_else(ApiError::not_found)
    });
    match found {
        Ok(document) => unlisted(document),
        Err(error) => state.failed(&error),
    }
}

impl AdPreviews {
    /// Finds the target of a link. The token is verified before any service call.
    async fn find(&self, token: &str) -> Result<Found, ApiError> {
        let preview = self.app.ads.preview(token);
        let preview = preview.ok_or_else(ApiError::not_found)?;
        let services = &self.app.services;
        let request = services.call(Caller::Guest).request(GetCampaignRequest {
            source_id: preview.campaign,
        });
        let campaign = services.ads().get_campaign(request).await?.into_inner();
        let campaign = campaign_from_wire(&campaign).map_err(|_| ApiError::not_found())?;
        let mut creatives = campaign
            .line_items
            .iter()
            .flat_map(|item| item.creatives.iter().map(move |creative| (item, creative)));
        let found = creatives.find(|(_, creative)| creative.id == preview.creative_id);
        let (item, creative) = found.ok_or_else(ApiError::not_found)?;
        Ok(Found {
            line_item: item.source_id.clone(),
            creative: creative.clone(),
            expires_at: preview.expires_at,
            campaign,
        })
    }

    fn page(&self, status: StatusCode, title: &str, content: &Markup) -> Response {
        let site = &self.app.site;
        let year = self.app.clock.now().with_timezone(&site.timezone).year();
        let framed = site_frame::around(site, "/ads/previews/", year, false, content);
        let head = Meta::unlisted(title).html(self.app.origin.as_str(), &site.name, &site.tagline);
        let html = self.shell.without_scripts(&head, &framed.into_string());
        let mut response = unlisted((status, Html(html)).into_response());
        let headers = response.headers_mut();
        headers.insert(CONTENT_SECURITY_POLICY, POLICY);
        response
    }

    fn failed(&self, error: &ApiError) -> Response {
        let status = error.status();
        let (title, text) = if status == StatusCode::NOT_FOUND {
            let text = "Links to previews work for a day. Please ask for another one.";
            ("This link does not work any more", text)
        } else {
            let text = "This cannot be done right now. Please open the link again in a minute.";
            ("Please try again", text)
        };
        let content = words(title, &html! { p class="Mailed_text" { (text) } });
        let mut response = self.page(status, title, &content);
        error.tell_retry(response.headers_mut());
        response
    }
}

fn unlisted(mut response: Response) -> Response {
    let headers = response.headers_mut();
    headers.insert(CACHE_CONTROL, PRIVATE);
    headers.insert(ROBOTS, UNLISTED);
    response
}

fn words(title: &str, content: &Markup) -> Markup {
    html! {
        div class="Mailed_page" {
            h1 class="Mailed_title" { (title) }
            (content)
        }
    }
}

/// Renders the slot with its ad as in the application (`web/src/features/ads/AdSpot.tsx`), and its description.
fn preview(found: &Found, token: &str) -> Markup {
    let Found {
        campaign,
        line_item,
        creative,
        expires_at,
    } = found;
    let Size { width, height } = creative.size;
    let style = format!("--room:{height}px;max-inline-size:{width}px;margin:var(--space-4) auto 0");
    html! {
        div class="AdSlot_slot" style=(style) role="group" aria-label="Advertisement"
            data-x-small=(height) data-small=(height) data-medium=(height) data-large=(height) {
            p class="AdSlot_label" aria-hidden="true" { "Advertisement" }
            div class="AdSlot_box" {
                @match &creative.content {
                    Content::Native(text) => (native(&campaign.advertiser_name, text)),
                    Content::Image(_) => (framed(found, token, "")),
                    Content::Html(_) => (framed(found, token, "allow-scripts")),
                }
            }
        }
        (words("Preview of an ad", &html! {
            p class="Mailed_text" {
                (campaign.name) " for " (campaign.advertiser_name) ": " (line_item) ", " (creative.source_id) ", "
                (creative.size.to_string()) "."
            }
            p class="Mailed_text" {
                "A click leads to " a href=(creative.landing) rel="sponsored noopener" { (creative.landing) }
                ". Nothing on this page is counted, and its link works until "
                (expires_at.format("%Y-%m-%d %H:%M").to_string()) " UTC."
            }
        }))
    }
}

fn framed(found: &Found, token: &str, sandbox: &str) -> Markup {
    let Found {
        campaign, creative, ..
    } = found;
    html! {
        div class="AdSlot_frame" {
            iframe src={ "/ads/previews/" (token) "/creative/" } width=(creative.size.width)
                height=(creative.size.height) title={ "Advertisement of " (campaign.advertiser_name) }
                sandbox=(sandbox) referrerpolicy="no-referrer" inert {}
        }
    }
}

fn native(advertiser: &str, native: &Native) -> Markup {
    html! {
        div class="AdSlot_native" {
            @if !native.image.is_empty() {
                img class="AdSlot_picture" src=(native.image) alt="";
            }
            div class="AdSlot_words" {
                p class="AdSlot_advertiser" { (advertiser) }
                p class="AdSlot_headline" { (native.headline) }
                @if !native.text.is_empty() { p class="AdSlot_text" { (native.text) } }
            }
            @if !native.call.is_empty() { p class="AdSlot_call" { (native.call) } }
        }
    }
}
