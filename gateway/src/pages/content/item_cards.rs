//! Cards of each kind of item, rendered like `web/src/features/*/*Card.tsx`.

use maud::{Markup, html};
use site::Site;

use super::{
    card::{Card, Look},
    icons,
    markup::{Loading, duration, frame, published, section_heading},
    stars,
};
use crate::{
    v2::{
        best_of_lists::BestOfList,
        items::{self, articles::Article, contests::Contest, events::Event, videos::Video},
        listing::Listing,
    },
    words::numbers::counted,
};

/// An article's card. In a list of its own section, it shows the first tag instead of the section.
pub(in crate::pages) fn article(
    site: &Site,
    article: &Article,
    is_in_its_section: bool,
    look: Look,
    loading: Loading,
) -> Markup {
    let item = &article.card;
    let tag = item.tags.first().map_or("", |tag| &tag.name);
    let card = Card {
        kicker: if is_in_its_section {
            tag
        } else {
            &article.section.name
        },
        deck: &item.excerpt,
        meta: published(item),
        ..of_item(site, item, loading)
    };
    card.html(look)
}

pub(in crate::pages) fn place(place: &Listing, look: Look, loading: Loading) -> Markup {
    let sub_type = place.sub_type.as_ref();
    let area = place.default_neighborhood.as_ref();
    let line = place.line.as_deref().unwrap_or_default();
    let (sentence, deck) = if look == Look::Cover {
        (line, "")
    } else {
        ("", line)
    };
    let card = Card {
        href: &place.share_url,
        name: &place.name,
        picture: frame(place.image_url.as_deref(), loading),
        kicker: sub_type.map_or(&place.r#type.name_singular, |sub_type| &sub_type.name),
        note: place.is_closed.then(|| "Closed".to_owned()),
        sentence,
        deck,
        has_whole_deck: false,
        rating: stars::listed(place),
        meta: area.map(|area| html! { (area.name) }),
    };
    card.html(look)
}

/// The card of a place to which a page refers (`web/src/features/listings/PlaceNote.tsx`).
pub(in crate::pages) fn place_note(listing: &Listing) -> Markup {
    html! { div class="PlaceNote_note" { (place(listing, Look::Note, Loading::Lazy)) } }
}

/// A row of articles (`web/src/features/articles/ArticleShelf.tsx`).
pub(in crate::pages) fn article_shelf(site: &Site, title: &str, articles: &[Article]) -> Markup {
    html! {
        @if !articles.is_empty() {
            section {
                (section_heading(title))
                ul class="Shelf_shelf" {
                    @for one in articles {
                        li { (article(site, one, false, Look::Card, Loading::Lazy)) }
                    }
                }
            }
        }
    }
}

/// A row of events with their days (`web/src/features/events/EventRow.tsx`).
pub(in crate::pages) fn event_row(site: &Site, title: &str, events: &[Event]) -> Markup {
    html! {
        @if !events.is_empty() {
            section {
                (section_heading(title))
                (diary(site, events))
            }
        }
    }
}

/// Events by day, each with its time (`web/src/features/events/Diary.tsx`).
pub(in crate::pages) fn diary(site: &Site, events: &[Event]) -> Markup {
    let days = events.chunk_by(|one, next| one.diary_day == next.diary_day);
    html! {
        @for day in days {
            section class="Diary_day" {
                h2 class="Diary_heading" { (day[0].diary_day.as_deref().unwrap_or_default()) }
                (event_lines(site, day))
            }
        }
    }
}

/// Events with their times, without pictures.
pub(in crate::pages) fn event_lines<'a>(
    site: &Site,
    events: impl IntoIterator<Item = &'a Event>,
) -> Markup {
    html! {
        ul class="Diary_events" { @for event in events { li { (event_line(site, event)) } } }
    }
}

fn event_line(site: &Site, event: &Event) -> Markup {
    let item = &event.card;
    let parts = [&*event.venue, event.price()];
    let parts: Vec<_> = parts.into_iter().filter(|part| !part.is_empty()).collect();
    let card = Card {
        picture: html! {
            p class="Diary_time" {
                @if let Some(weekday) = &event.diary_weekday { span { (weekday) " " } }
                time datetime=[&event.occurrence.starts_at] { (event.start_time) }
            }
        },
        deck: &item.excerpt,
        meta: (!parts.is_empty()).then(|| html! { (parts.join("\u{a0}· ")) }),
        ..of_item(site, item, Loading::Lazy)
    };
    card.html(Look::Line)
}

/// An event's card with its day (`web/src/features/events/EventCard.tsx`).
pub(in crate::pages) fn event(site: &Site, event: &Event, loading: Loading) -> Markup {
    let item = &event.card;
    let parts = [&*event.start_time, &*event.venue, event.price()];
    let parts: Vec<_> = parts.into_iter().filter(|part| !part.is_empty()).collect();
    let card = Card {
        picture: html! {
            div class="EventCard_frame" {
                (frame(item.image_url.as_deref(), loading))
                div class="EventCard_date" { (date_block(event)) }
            }
        },
        kicker: event.category_name.as_deref().unwrap_or_default(),
        deck: &item.excerpt,
        meta: (!parts.is_empty()).then(|| html! { (parts.join("\u{a0}· ")) }),
        ..of_item(site, item, loading)
    };
    card.html(Look::Card)
}

/// The day of an event, like a page of a calendar (`web/src/features/events/DateBlock.tsx`).
fn date_block(event: &Event) -> Markup {
    html! {
        @if let Some(leaf) = &event.calendar_day {
            time class="DateBlock_block DateBlock_badge" datetime=[&event.occurrence.starts_at] {
                span class="DateBlock_weekday" { (leaf.weekday) " " }
                span class="DateBlock_day" { (leaf.day) " " }
                span { (leaf.month) }
            }
        }
    }
}

/// A contest's card. The remaining time is reserved because it depends on the reader's clock.
pub(in crate::pages) fn contest(site: &Site, contest: &Contest, loading: Loading) -> Markup {
    let card = Card {
        note: None,
        deck: &contest.card.excerpt,
        has_whole_deck: true,
        meta: Some(html! { span data-reserved { "\u{a0}" } }),
        ..of_item(site, &contest.card, loading)
    };
    card.html(Look::Card)
}

pub(in crate::pages) fn video(site: &Site, video: &Video, loading: Loading) -> Markup {
    let item = &video.card;
    let card = Card {
        picture: html! {
            div class="VideoCard_frame" {
                (frame(item.image_url.as_deref(), loading))
                span class="VideoCard_play" { (icons::play("VideoCard_icon")) }
                @if video.duration_seconds > 0 { p class="VideoCard_length" { (duration(video)) } }
            }
        },
        deck: &item.excerpt,
        meta: published(item),
        ..of_item(site, item, loading)
    };
    card.html(Look::Card)
}

pub(in crate::pages) fn best_of(list: &BestOfList, look: Look, loading: Loading) -> Markup {
    let count = counted(list.count, ["place", "places"]);
    let card = Card {
        href: &list.share_url,
        name: &list.name,
        picture: frame(list.image_url.as_deref(), loading),
        kicker: &count,
        note: None,
        sentence: "",
        deck: &list.line,
        has_whole_deck: false,
        rating: Markup::default(),
        meta: None,
    };
    card.html(look)
}

/// An item's card, marked if the item is age-restricted.
fn of_item<'a>(site: &Site, item: &'a items::Card, loading: Loading) -> Card<'a> {
    Card {
        href: &item.share_url,
        name: &item.name,
        picture: frame(item.image_url.as_deref(), loading),
        kicker: "",
        note: item
            .is_age_restricted
            .then(|| format!("{}+", site.legal_age)),
        sentence: "",
        deck: "",
        has_whole_deck: false,
        rating: Markup::default(),
        meta: None,
    }
}
