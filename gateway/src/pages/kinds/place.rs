//! A place (`web/src/routes/place.tsx`).

use maud::{Markup, html};
use serde_json::{Value, json};
use site::{
    Site,
    ads::slot::{PageKind, Spot},
};

use super::{inspections, photos};
use crate::{
    edge::error::ApiError,
    pages::{
        content::{
            ads,
            detail::Detail,
            item_cards,
            markup::{Loading, deck, fact, frame, link, map_poster, story},
            share::share,
            stars::stars,
        },
        meta::Meta,
        opening::{Opening, PageContext},
        schema_org::breadcrumbs,
    },
    v2::{
        listing::{BestOfRanking, Listing, NamedLink, Wheelchair},
        listings::{self, ListingDetail},
    },
};

pub(in crate::pages) async fn open(page: &PageContext<'_>, id: i64) -> Result<Opening, ApiError> {
    let site = page.site();
    let (detail, answers) = page.get_resolved(listings::detail_call(id)).await?;
    let place = &detail.listing;
    let area = place.default_neighborhood.as_ref();
    let within = area.map_or(&site.city, |area| &area.name);
    let about = format!("{} in {within}", place.r#type.name_singular);
    Ok(Opening {
        meta: Meta {
            description: Some(place.line.clone().unwrap_or(about)),
            structured: structured(site, page.origin(), place),
            image: place.image_url.clone(),
            ..Meta::page(&place.name, page.path)
        },
        content: content(page, &detail),
        answers,
    })
}

/// A closed place is shown without rating and address. The response for a place of an age-restricted type contains
/// neither review nor picture.
fn content(page: &PageContext<'_>, detail: &ListingDetail) -> Markup {
    let site = page.site();
    let place = &detail.listing;
    let ads = |spot| ads::beside(site, PageKind::Place, spot, place.r#type.is_age_restricted);
    let body = detail.review.as_ref().map(|review| &*review.body);
    let line = deck(place.line.as_deref().unwrap_or_default(), body);
    let detailed = Detail {
        headline: html! {
            p class="Kicker_kicker" { (link(&place.r#type.share_url, &place.r#type.name)) }
            h1 class="Headline_large" { (place.name) }
            @if !line.is_empty() { p class="Headline_deck" { (line) } }
            (strip(detail))
        },
        picture: frame(place.image_url.as_deref(), Loading::AtOnce),
        side: badge(&site.city, detail),
        below: ads(Spot::Side),
        story: review(detail),
        share: share(page.origin(), &place.share_url, &place.name),
        is_story_first: true,
    };
    html! {
        (detailed.html())
        (ads(Spot::Lead))
        @if !place.is_closed { (map(place)) }
        (rows(site, detail))
        @if let Some(all) = detail.photos.as_ref().filter(|_| !place.r#type.is_age_restricted) {
            (photos::of_place(place, all))
        }
        @if let Some(latest) = &detail.inspections { (inspections::timeline(latest)) }
    }
}

/// The next events at the place, and the articles that name it.
fn rows(site: &Site, detail: &ListingDetail) -> Markup {
    let events = detail.events.as_deref().unwrap_or_default();
    let articles = detail.articles.as_deref().unwrap_or_default();
    html! {
        @if !events.is_empty() || !articles.is_empty() {
            div class="place_rows" {
                (item_cards::event_row(site, "What’s on here", events))
                (item_cards::article_shelf(site, "In our stories", articles))
            }
        }
    }
}

/// The facts that a reader needs first; a closed place has only its neighbourhood.
fn strip(detail: &ListingDetail) -> Markup {
    let place = &detail.listing;
    let status = detail.open_status.as_ref();
    let phone = said(place.phone.as_ref()).filter(|_| !place.is_closed);
    html! {
        ul class="Strip_strip" {
            @if let Some(status) = status { li { b { (status) } } }
            @if let Some(area) = &place.default_neighborhood { li { (named(area)) } }
            @if let Some(phone) = phone { li { (call(phone)) } }
        }
    }
}

fn call(phone: &str) -> Markup {
    html! { a href={ "tel:" (dialled(phone)) } { (phone) } }
}

fn said(text: Option<&String>) -> Option<&String> {
    text.filter(|text| !text.is_empty())
}

fn named(to: &NamedLink) -> Markup {
    link(&to.share_url, &to.name)
}

/// The map (`web/src/features/listings/PlaceMap.tsx`).
fn map(place: &Listing) -> Markup {
    let area = place.default_neighborhood.as_ref();
    let address = place.address.as_deref().unwrap_or_default();
    let parts = [address, area.map_or("", |area| &area.name)];
    let parts: Vec<&str> = parts.into_iter().filter(|part| !part.is_empty()).collect();
    html! {
        @if let Some(at) = &place.coordinates {
            section class="PlaceMap_section" aria-label={ "Where " (place.name) " is" } {
                div class="PlaceMap_frame" { (map_poster(&parts.join(", "))) }
                p class="PlaceMap_elsewhere" {
                    a href={
                        "https://www.openstreetmap.org/?mlat=" (at.lat) "&mlon=" (at.lng)
                        "#map=17/" (at.lat) "/" (at.lng)
                    } rel="noopener" target="_blank" { "Open in OpenStreetMap" }
                }
            }
        }
    }
}

fn badge(city: &str, detail: &ListingDetail) -> Markup {
    let place = &detail.listing;
    let lists = &place.appears_in_best_of_lists;
    html! {
        aside aria-label="About this place" {
            @if place.is_closed { p class="Badge_closed" { "Closed" } }
            dl class="Facts_facts" {
                @if !place.is_closed { (contact(detail)) }
                @if let Some(area) = &place.default_neighborhood {
                    (fact("Neighbourhood", &named(area)))
                }
                (fact("Type", &html! {
                    span class="Badge_line" { (link(&place.r#type.share_url, &place.r#type.name)) }
                    @if let Some(sub_type) = &place.sub_type {
                        span class="Badge_sub" { (named(sub_type)) }
                    }
                }))
                @if !lists.is_empty() {
                    (fact("Best of", &html! {
                        @for list in lists {
                            span class="Badge_line" {
                                a href=(list.share_url) { (ranked(list, city)) }
                            }
                        }
                    }))
                }
            }
            @if !place.is_closed { div class="Badge_controls" data-reserved {} }
        }
    }
}

/// Facts shown only for open places.
fn contact(detail: &ListingDetail) -> Markup {
    let place = &detail.listing;
    html! {
        (fact("Rating", &html! {
            @if let Some(rating) = place.rating {
                (stars(rating, place.voters))
            } @else {
                "No votes yet"
            }
        }))
        @if let Some(address) = said(place.address.as_ref()) { (fact("Address", &html! { (address) })) }
        @if let Some(phone) = said(place.phone.as_ref()) {
            (fact("Phone", &call(phone)))
        }
        @if let (Some(website), Some(host)) = (&place.website, &detail.website_host) {
            (fact("Website", &html! {
                a href=(website) rel="noopener nofollow" target="_blank" { (host) }
            }))
        }
        @let last = detail.inspections.as_ref().and_then(inspections::last);
        @if last.is_some() || detail.inspection_url.is_some() {
            (fact("Inspection", &html! {
                @if let Some(last) = last { (last) }
                @if let Some(inspection) = &detail.inspection_url {
                    a href=(inspection) rel="noopener" target="_blank" { "DineSafe results" }
                }
            }))
        }
        @if let Some(wheelchair) = place.wheelchair {
            (fact("Wheelchair access", &html! {
                (match wheelchair {
                    Wheelchair::Yes => "Step-free",
                    Wheelchair::Limited => "Partly step-free",
                    Wheelchair::No => "Not step-free",
                })
            }))
        }
        @if !detail.hours.is_empty() {
            (fact("Hours", &html! {
                @if let (Some(is_open), Some(status)) = (detail.is_open_now, &detail.open_status) {
                    b class=(if is_open { "Badge_open" } else { "Badge_shut" }) { (status) }
                }
                @for line in &detail.hours { span class="Badge_line" { (line) } }
            }))
        }
    }
}

fn review(detail: &ListingDetail) -> Markup {
    html! {
        @if let Some(review) = detail.review.as_ref().filter(|review| !review.body.is_empty()) {
            div {
                (story(&review.body))
                p class="Story_byline" {
                    @if !review.author.is_empty() {
                        span class="Story_author" { "By " (review.author) }
                    }
                    time datetime=(review.date) { (review.written_on) }
                }
            }
        }
    }
}

/// Formats a phone number for a `tel:` link.
fn dialled(phone: &str) -> String {
    let is_dialled = |letter: &char| letter.is_ascii_digit() || *letter == '+';
    phone.chars().filter(is_dialled).collect()
}

/// A place's rank in a list of the site: "No. 1 in our best bars", for "The best bars in Toronto".
fn ranked(list: &BestOfRanking, city: &str) -> String {
    let name = list.name.strip_prefix("The ").unwrap_or(&list.name);
    let short = name.strip_suffix(city);
    let short = short.and_then(|name| name.strip_suffix(" in "));
    format!("No. {} in our {}", list.rank, short.unwrap_or(name))
}

/// Structured data: `Restaurant` for a place that serves food, otherwise `LocalBusiness`.
fn structured(site: &Site, origin: &str, place: &Listing) -> Vec<Value> {
    let kind = &place.r#type;
    let schema = if kind.is_food {
        "Restaurant"
    } else {
        "LocalBusiness"
    };
    let url = format!("{origin}{}", place.share_url);
    let mut object = json!({"@type": schema, "name": place.name, "url": url});
    if let Some(image) = &place.image_url {
        object["image"] = json!(format!("{origin}{image}"));
    }
    // A closed place has no data that invites a visit.
    if !place.is_closed {
        open_place(site, place, &mut object);
    }
    let steps = [
        (&*kind.name, &*kind.share_url),
        (&*place.name, &*place.share_url),
    ];
    vec![object, breadcrumbs(site, origin, &steps)]
}

fn open_place(site: &Site, place: &Listing, object: &mut Value) {
    if let Some(address) = &place.address {
        object["address"] = json!({"@type": "PostalAddress", "streetAddress": address,
            "addressLocality": site.city});
    }
    if let Some(phone) = &place.phone {
        object["telephone"] = json!(phone);
    }
    if let Some(website) = &place.website {
        object["sameAs"] = json!(website);
    }
    // Partial access is neither true nor false.
    if let Some(wheelchair @ (Wheelchair::Yes | Wheelchair::No)) = place.wheelchair {
        object["amenityFeature"] = json!({"@type": "LocationFeatureSpecification",
            "name": "Wheelchair accessible", "value": wheelchair == Wheelchair::Yes});
    }
    if let Some(at) = &place.coordinates {
        object["geo"] = json!({"@type": "GeoCoordinates", "latitude": at.lat, "longitude": at.lng});
    }
    if let Some(rating) = place.rating {
        object["aggregateRating"] = json!({"@type": "AggregateRating", "ratingValue": rating,
            "ratingCount": place.voters, "bestRating": 5, "worstRating": 1});
    }
    if place.r#type.is_food
        && let Some(cuisine) = &place.sub_type
    {
        object["servesCuisine"] = json!(cuisine.name);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_rank_names_the_list_without_the_city() {
        let words = |name: &str| {
            let list = BestOfRanking {
                name: name.to_owned(),
                share_url: String::new(),
                rank: 2,
            };
            ranked(&list, "Toronto")
        };
        assert_eq!(words("The best bars in Toronto"), "No. 2 in our best bars");
        assert_eq!(words("Best Toronto"), "No. 2 in our Best Toronto");
    }
}
