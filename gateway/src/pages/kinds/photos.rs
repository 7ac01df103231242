//! Readers' photos on a place's page (`web/src/features/photos/PlacePhotos.tsx`).

use maud::{Markup, html};

use crate::{
    pages::content::markup::button_space,
    v2::{
        listing::Listing,
        photos::{FirstPhotos, Photo},
    },
    words::numbers::grouped,
};

/// Number of photos shown: a large photo and four beside it.
const BESIDE: usize = 5;

/// The initial photos on a place's page.
pub(super) fn of_place(place: &Listing, photos: &FirstPhotos) -> Markup {
    let upload = format!("{}photos/upload/", place.share_url);
    let is_empty = photos.results.is_empty();
    html! {
        @if !(is_empty && place.is_closed) {
            section class="PlacePhotos_section" aria-labelledby="photos" {
                div class="SectionHeading_heading" {
                    h2 class="SectionHeading_title" id="photos" { "Photos" }
                    @if !place.is_closed {
                        div class="SectionHeading_aside" { a href=(upload) { "Upload a Photo" } }
                    }
                }
                @if is_empty {
                    p class="PlacePhotos_empty" {
                        "There are no user photos yet. "
                        a href=(upload) { "Add the first photo" }
                    }
                } @else {
                    (mosaic(&photos.results))
                    (more(photos))
                }
            }
        }
    }
}

fn mosaic(photos: &[Photo]) -> Markup {
    let few = (photos.len() < BESIDE).then_some("true");
    html! {
        ul class="Mosaic_mosaic" data-few=[few] {
            @for (position, photo) in photos.iter().enumerate() {
                li {
                    a class="Mosaic_photo" href=[&photo.share_path] {
                        @if let (Some(small), Some(large)) = (&photo.thumbnail_url, &photo.prism_image_url) {
                            img src=(small) srcset={ (small) " 300w, " (large) " 610w" }
                                sizes=(if position == 0 { LARGE } else { SMALL }) alt=(alt(photo))
                                width="300" height="300" loading="lazy" decoding="async";
                        }
                    }
                }
            }
        }
    }
}

const LARGE: &str = "(max-width: 639px) 100vw, 40rem";
const SMALL: &str = "(max-width: 639px) 50vw, 20rem";

/// Returns a text alternative for a photo.
fn alt(photo: &Photo) -> String {
    if !photo.description.is_empty() {
        return photo.description.clone();
    }
    let name = &photo.listing.name;
    match photo.profile.as_ref().or(photo.instagram_user.as_ref()) {
        Some(author) => format!("{name}, by {}", author.full_name),
        None => name.clone(),
    }
}

/// The progress of a list that can load more (`web/src/ui/LoadMore.tsx`); its button needs scripts.
fn more(photos: &FirstPhotos) -> Markup {
    let loaded = i64::try_from(photos.results.len()).unwrap_or(i64::MAX);
    html! {
        div class="LoadMore_more" {
            @if photos.count > loaded {
                p class="LoadMore_progress" { (grouped(loaded)) " of " (grouped(photos.count)) }
            }
            @if photos.next.is_some() { (button_space("")) }
        }
    }
}
