//! The page about advertising on the site (`web/src/routes/advertising.tsx`).

use std::{cmp::Reverse, collections::BTreeMap};

use ad_delivery::Size;
use maud::{Markup, html};
use site::{
    Site,
    ads::slot::{AdSlot, Screen},
};

use crate::{
    edge::error::ApiError,
    pages::{
        content::head::{deck, head},
        meta::Meta,
        opening::{Opening, PageContext},
    },
    v2::ads::advertisers::{self, Advertiser},
};

/// Kinds of devices and their screens.
const DEVICES: [(&str, &[Screen]); 3] = [
    ("phones", &[Screen::XSmall]),
    ("tablets", &[Screen::Small]),
    ("computers", &[Screen::Medium, Screen::Large]),
];

pub(in crate::pages) fn meta(site: &Site, path: &str) -> Meta {
    Meta {
        description: Some(welcome(site)),
        ..Meta::page("Advertising", path)
    }
}

fn welcome(site: &Site) -> String {
    format!(
        "How ads work on {}, who advertises now, and how to book.",
        site.name
    )
}

pub(in crate::pages) async fn open(page: &PageContext<'_>) -> Result<Opening, ApiError> {
    let site = page.site();
    let (found, answer) = page.get(advertisers::list_call()).await?;
    Ok(Opening {
        meta: meta(site, page.path),
        content: content(site, &found.results),
        answers: vec![answer],
    })
}

fn content(site: &Site, advertisers: &[Advertiser]) -> Markup {
    let sizes = sizes(&site.ads.slots);
    html! {
        (head(None, "Advertising", &deck(&welcome(site))))
        div class="Prose_prose" {
            (how_it_works(site))
            section aria-labelledby="advertisers" {
                h2 id="advertisers" { "Who advertises now" }
                @if advertisers.is_empty() {
                    p { "Nobody advertises at the moment." }
                } @else {
                    ul {
                        @for advertiser in advertisers { li { (advertiser.name) } }
                    }
                }
            }
            @if !sizes.is_empty() {
                h2 { "Sizes" }
                p { "An ad is a picture, a document or a text in the style of the page, in one of these sizes." }
                table {
                    thead {
                        tr { th scope="col" { "Pixels" } th scope="col" { "Shown on" } }
                    }
                    tbody {
                        @for (size, devices) in sizes {
                            tr {
                                td { (size.width) " × " (size.height) }
                                td { (devices.join(", ")) }
                            }
                        }
                    }
                }
            }
            h2 { "How to book" }
            p {
                a href="/contact/?advertise" { "Write to us" }
                " with what you would like " (site.city) " to know about, and when. We answer with a price."
            }
        }
    }
}

fn how_it_works(site: &Site) -> Markup {
    html! {
        h2 { "How it works" }
        ul {
            li {
                "We choose ads ourselves, by what a page is about: its section, its tags, the kind of place, the part of the \
                 city. Nobody’s reading is followed from page to page."
            }
            li {
                "No reader is identified. A page asks for its ads without a cookie, and says what it is about and how wide \
                 the screen is, and nothing else."
            }
            li { "Every ad says that it is one, and none stands above what its page opens with." }
            li { "Nothing is advertised beside a text or a place that has an age limit." }
            @if site.ads.google.is_some() {
                li {
                    "Room that nobody has booked may be filled by an advertising network, which follows rules of its own. It \
                     is asked only for readers who allow content of other companies ("
                    a href="/privacy/" { "Privacy" }
                    ")."
                }
            }
        }
        h2 { "What is counted" }
        p {
            "An ad counts as seen once half of it, or 30% of a large one, has been in view for one second: the rule of the \
             Media Rating Council. Each time that one is shown, seen or clicked is an entry in a signed log. Invoices are \
             made from that log, and an advertiser can check every figure with a copy of it and our public key."
        }
    }
}

/// Returns the sizes that slots offer, widest first, with the devices that show them. Sizes one pixel wide are for text
/// ads and are omitted.
fn sizes(slots: &[AdSlot]) -> Vec<(Size, Vec<&'static str>)> {
    let mut offered: BTreeMap<Reverse<Size>, [bool; DEVICES.len()]> = BTreeMap::new();
    for slot in slots {
        for (at, (_, screens)) in DEVICES.iter().enumerate() {
            let on_device = screens.iter().flat_map(|screen| slot.sizes_on(*screen));
            for size in on_device.filter(|size| size.width > 1) {
                offered.entry(Reverse(size)).or_default()[at] = true;
            }
        }
    }
    let named = |shown: [bool; DEVICES.len()]| {
        let devices = DEVICES.iter().zip(shown);
        devices
            .filter_map(|((name, _), is_shown)| is_shown.then_some(*name))
            .collect()
    };
    let offered = offered.into_iter();
    offered
        .map(|(Reverse(size), shown)| (size, named(shown)))
        .collect()
}
