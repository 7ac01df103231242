//! A place (`web/src/routes/place.tsx`).

use maud::{Markup, html};
use serde_json::Value;

use super::{all, bleed, date, hours::in_words, link, sanitised, text};

/// Of a closed place it shows neither rating nor where it was; of one of an age-restricted type the answer
/// has neither review nor picture.
pub(super) fn place(place: &Value) -> Markup {
    html! {
        article {
            header class="Detail_head" {
                p class="Kicker_kicker" {
                    (link(&place["type"]))
                    @if place["default_neighborhood"].is_object() {
                        (link(&place["default_neighborhood"]))
                    }
                }
                h1 class="Headline_large" { (text(place, "name")) }
            }
            div class="Detail_columns" {
                div class="Detail_picture" { (bleed(place)) }
                div class="Detail_side" { (badge(place)) }
                div class="Detail_story" { (story(place)) }
            }
        }
        @if place["is_closed"] != true && place["coordinates"].is_object() { (map(place)) }
    }
}

/// `web/src/features/listings/PlaceMap.tsx`, without the button that needs scripts.
fn map(place: &Value) -> Markup {
    let parts = [
        text(place, "address"),
        text(&place["default_neighborhood"], "name"),
    ];
    let parts: Vec<&str> = parts.into_iter().filter(|part| !part.is_empty()).collect();
    let (lat, lng) = (&place["coordinates"]["lat"], &place["coordinates"]["lng"]);
    html! {
        section class="PlaceMap_section" aria-label={ "Where " (text(place, "name")) " is" } {
            div class="PlaceMap_frame" {
                div class="PlaceMap_poster" { p class="PlaceMap_where" { (parts.join(", ")) } }
            }
            p class="PlaceMap_elsewhere" {
                a href={ "https://www.openstreetmap.org/?mlat=" (lat) "&mlon=" (lng) "#map=17/" (lat) "/" (lng) }
                    rel="noopener" { "Open in OpenStreetMap" }
            }
        }
    }
}

fn badge(place: &Value) -> Markup {
    let is_closed = place["is_closed"] == true;
    html! {
        aside aria-label="About this place" {
            @if is_closed { p class="Badge_closed" { "Closed" } }
            dl class="Facts_facts" {
                @if !is_closed { (contact(place)) }
                @if place["default_neighborhood"].is_object() {
                    (fact("Neighbourhood", &link(&place["default_neighborhood"])))
                }
                (fact("Type", &html! {
                    span class="Badge_line" { (link(&place["type"])) }
                    @if place["sub_type"].is_object() {
                        span class="Badge_sub" { (link(&place["sub_type"])) }
                    }
                }))
                @let lists = all(place, "appears_in_best_of_lists");
                @if !lists.is_empty() {
                    (fact("Best of", &html! {
                        @for list in lists {
                            span class="Badge_line" {
                                a href=(text(list, "share_url")) {
                                    "No. " (list["rank"]) " of " (text(list, "name"))
                                }
                            }
                        }
                    }))
                }
            }
        }
    }
}

/// What only an open place has.
fn contact(place: &Value) -> Markup {
    let (phone, website) = (text(place, "phone"), text(place, "website"));
    let is_web = website.starts_with("https://") || website.starts_with("http://");
    let rating = place["rating"].as_f64();
    let establishment = text(place, "dinesafe_establishment_id");
    let is_inspected = place["type"]["is_food"] == true && !establishment.is_empty();
    html! {
        @if let Some(rating) = rating {
            (fact("Rating", &html! { (format!("{rating:.1}")) " (" (place["voters"]) ")" }))
        }
        @if !text(place, "address").is_empty() {
            (fact("Address", &html! { (text(place, "address")) }))
        }
        @if !phone.is_empty() {
            (fact("Phone", &html! { a href={ "tel:" (dialled(phone)) } { (phone) } }))
        }
        @if is_web {
            (fact("Website", &html! { a href=(website) rel="noopener nofollow" { (host(website)) } }))
        }
        @if is_inspected { (fact("Inspection", &html! { "DineSafe results" })) }
        (opening(place))
    }
}

fn opening(place: &Value) -> Markup {
    let hours = text(place, "opening_hours");
    html! {
        @if !hours.is_empty() {
            (fact("Hours", &html! {
                @if let Some(is_open) = place["is_open_now"].as_bool() {
                    b class=(if is_open { "Badge_open" } else { "Badge_shut" }) {
                        (if is_open { "Open now" } else { "Closed now" })
                    }
                }
                @for line in in_words(hours) { span class="Badge_line" { (line) } }
            }))
        }
    }
}

fn fact(name: &str, told: &Markup) -> Markup {
    html! {
        div class="Facts_fact" {
            dt { (name) }
            dd { (told) }
        }
    }
}

fn story(place: &Value) -> Markup {
    let review = &place["review"];
    let author = text(review, "author");
    html! {
        @if review.is_object() {
            div {
                p class="Story_byline" {
                    @if !author.is_empty() { span class="Story_author" { "By " (author) } }
                    time datetime=(text(review, "date")) { (date(text(review, "date"))) }
                }
                div class="Prose_prose Prose_opening" { (sanitised(text(review, "body"))) }
            }
        } @else if place["type"]["is_age_restricted"] != true {
            p class="Story_none" {
                "We have not written about " (text(place, "name"))
                " yet. Everything we know about it is on this page."
            }
        }
    }
}

/// A number as telephones take it.
fn dialled(phone: &str) -> String {
    let is_dialled = |letter: &char| letter.is_ascii_digit() || *letter == '+';
    phone.chars().filter(is_dialled).collect()
}

/// The host of a web address, as the application shows it.
fn host(address: &str) -> &str {
    let rest = address.split_once("//").map_or(address, |(_, rest)| rest);
    let host = rest.split(['/', '?', '#']).next().unwrap_or(rest);
    host.strip_prefix("www.").unwrap_or(host)
}
