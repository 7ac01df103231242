//! GET `ads/`: ads for the slots of a page.

use std::sync::Arc;

use ad_delivery::{Content, PageContext, Size, Slot};
use axum::{extract::State, response::Response};
use chassis::{clock::SharedClock, instant, slug::is_slug};
use http::StatusCode;
use serde::{
    Serialize,
    de::{DeserializeOwned, IntoDeserializer as _, value},
};
use site::ads::slot::{AdSlot, BoxType, PageKind, Screen};
use utoipa::ToSchema;

use crate::{
    ads::{AdServer, Chosen},
    catalogue::Catalogue,
    edge::{
        answer::personal,
        error::{ApiError, ErrorBody},
        id,
        limits::{ADS, Client, Limits, TooMany},
        params::Params,
    },
};

/// Maximum number of tags of a page.
const MAX_TAGS: usize = 20;

/// A slot of a page and its ad.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub(crate) struct Ad {
    /// A UUID, unique to this response.
    id: String,
    #[serde(rename = "boxType")]
    box_type: BoxType,
    /// In CSS pixels: the creative's size, or the slot's first size if it is empty.
    width: u16,
    height: u16,
    /// The id of the slot's HTML element.
    #[serde(rename = "elementId")]
    element_id: String,
    /// The screen types that show the slot.
    #[serde(rename = "screenTypes")]
    screen_types: Vec<Screen>,
    /// The name of the slot.
    advert_position: String,
    /// The article in the request.
    #[schema(required = true)]
    article_id: Option<i64>,
    /// The section in the request.
    #[schema(required = true)]
    article_category: Option<String>,
    /// Null if no ad is available for the slot.
    #[schema(required = true)]
    creative: Option<ShownCreative>,
}

/// The format of a creative.
#[derive(Debug, Clone, Copy, Serialize, ToSchema)]
#[serde(rename_all = "snake_case")]
enum CreativeKind {
    /// An image, in a frame.
    Image,
    /// An HTML document, in a frame.
    Html,
    /// A text in the style of the page.
    Native,
}

/// The creative shown in a slot.
#[derive(Debug, Serialize, ToSchema)]
struct ShownCreative {
    kind: CreativeKind,
    advertiser: String,
    /// Text alternative of the creative.
    alt: String,
    /// Address of the document for a sandboxed frame; null for a native creative.
    #[schema(required = true)]
    frame_url: Option<String>,
    #[schema(required = true)]
    headline: Option<String>,
    #[schema(required = true)]
    text: Option<String>,
    /// Link text of a native creative.
    #[schema(required = true)]
    call: Option<String>,
    #[schema(required = true)]
    picture_url: Option<String>,
    /// Address that counts the click and redirects to the advertiser.
    click_url: String,
    /// Token to send with each event; valid for an hour and for one event of each kind.
    token: String,
}

/// The slots of a page.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct Ads {
    results: Vec<Ad>,
    #[schema(format = DateTime)]
    server_time: String,
}

/// Chooses ads for all slots that a page has on a screen. The response depends only on the page: no reader is
/// identified, and no cookie is read.
#[utoipa::path(get, path = "/api/v2/ads/", operation_id = "listAds", tag = "ads",
    params(("page" = inline(PageKind), Query, description = "The kind of the page."),
        ("screen" = inline(Screen), Query, description = "The screen type."),
        ("section" = Option<String>, Query, description = "The section of an article, a slug."),
        ("article_id" = Option<i64>, Query),
        ("listing_type" = Option<String>, Query, description = "The type of a place, a slug."),
        ("neighbourhood" = Option<String>, Query, description = "A part of the city, a slug."),
        ("tags" = Option<String>, Query, description = "Tags of the page: at most 20 slugs, separated by commas.")),
    responses((status = 200, body = Ads), (status = 400, body = ErrorBody), TooMany))]
pub(crate) async fn list(
    State(catalogue): State<Arc<Catalogue>>,
    State(server): State<AdServer>,
    State(clock): State<SharedClock>,
    State(limits): State<Limits>,
    client: Client,
    params: Params,
) -> Result<Response, ApiError> {
    let page: PageKind = required(&params, "page")?;
    let screen: Screen = required(&params, "screen")?;
    let context = PageContext {
        page: page.name().to_owned(),
        section: slug(&params, "section")?,
        article_id: article_id(&params)?,
        listing_type: slug(&params, "listing_type")?,
        neighbourhood: slug(&params, "neighbourhood")?,
        keywords: tags(&params)?,
        screen: screen.name().to_owned(),
    };
    let slots = catalogue.site.ads.slots.iter();
    let slots: Vec<&AdSlot> = slots
        .filter(|slot| slot.pages.contains(&page) && slot.screens.contains(&screen))
        .collect();
    let wanted: Vec<Slot> = slots
        .iter()
        .map(|slot| Slot {
            position: slot.position.clone(),
            sizes: slot.sizes_on(screen),
        })
        .collect();
    let asked = u32::try_from(wanted.len()).unwrap_or(u32::MAX);
    client.pass_to_compute(&limits, ADS, asked).await?;
    let chosen = server.choose(&context, &wanted);
    let results = slots.iter().zip(&wanted).zip(chosen);
    let answer = Ads {
        results: results
            .map(|((slot, wanted), chosen)| ad(slot, &wanted.sizes, &context, chosen))
            .collect(),
        server_time: instant::to_rfc3339(clock.now()),
    };
    Ok(personal(StatusCode::OK, &answer))
}

fn ad(slot: &AdSlot, sizes: &[Size], page: &PageContext, chosen: Option<Chosen>) -> Ad {
    let size = chosen.as_ref().map(|chosen| chosen.creative.size);
    let (width, height) = size
        .or_else(|| sizes.first().copied())
        .map_or((0, 0), |size| (size.width, size.height));
    Ad {
        id: chosen
            .as_ref()
            .map_or_else(String::new, |chosen| chosen.id.to_string()),
        box_type: slot.box_type,
        width,
        height,
        element_id: slot.element_id(),
        screen_types: slot.screens.clone(),
        advert_position: slot.position.clone(),
        article_id: page.article_id,
        article_category: page.section.clone(),
        creative: chosen.map(shown),
    }
}

fn shown(chosen: Chosen) -> ShownCreative {
    let creative = chosen.creative;
    let (kind, native) = match creative.content {
        Content::Image(_) => (CreativeKind::Image, None),
        Content::Html(_) => (CreativeKind::Html, None),
        Content::Native(native) => (CreativeKind::Native, Some(native)),
    };
    let frame = format!("/api/v2/ads/creatives/{}/", creative.id);
    let picture = native.as_ref().map(|native| native.image.clone());
    ShownCreative {
        kind,
        advertiser: chosen.advertiser,
        alt: creative.alternative,
        frame_url: native.is_none().then_some(frame),
        picture_url: picture.filter(|address| !address.is_empty()),
        headline: native.as_ref().map(|native| native.headline.clone()),
        text: native.as_ref().map(|native| native.text.clone()),
        call: native.map(|native| native.call),
        click_url: format!("/api/v2/ads/clicks/{}/", chosen.token),
        token: chosen.token,
    }
}

/// Parses a required parameter that must be one of a set of words.
fn required<T: DeserializeOwned>(params: &Params, name: &str) -> Result<T, ApiError> {
    let word = params.text(name)?;
    let word = word.ok_or_else(|| ApiError::field(name, "This field is required."))?;
    let read: Result<T, value::Error> = T::deserialize(word.into_deserializer());
    read.map_err(|_| ApiError::field(name, format!("There is no {name} of this name.")))
}

fn slug(params: &Params, name: &str) -> Result<Option<String>, ApiError> {
    let slug = params.slug(name)?;
    Ok(Some(slug).filter(|slug| !slug.is_empty()))
}

fn article_id(params: &Params) -> Result<Option<i64>, ApiError> {
    let Some(text) = params.text("article_id")? else {
        return Ok(None);
    };
    let read = id::parse(text);
    read.map(Some)
        .ok_or_else(|| ApiError::field("article_id", "Give an id."))
}

fn tags(params: &Params) -> Result<Vec<String>, ApiError> {
    let Some(text) = params.text("tags")? else {
        return Ok(Vec::new());
    };
    let words: Vec<&str> = text.split(',').collect();
    if words.len() > MAX_TAGS || !words.iter().all(|word| is_slug(word)) {
        let message = format!("Give at most {MAX_TAGS} slugs separated by commas.");
        return Err(ApiError::field("tags", message));
    }
    Ok(words.into_iter().map(str::to_owned).collect())
}
