//! A video (`web/src/routes/video.tsx`).

use maud::{Markup, html};
use serde_json::{Value, json};
use site::ads::slot::{PageKind, Spot};

use crate::{
    edge::error::ApiError,
    pages::{
        content::{
            ads,
            detail::Detail,
            icons,
            markup::{Loading, duration, fact, frame, headline, item_text, link, published},
            share::share,
        },
        meta::Meta,
        opening::{Opening, PageContext},
        schema_org::{self, breadcrumbs},
    },
    v2::items::{resource, videos::Video},
};

pub(in crate::pages) async fn open(page: &PageContext<'_>, id: i64) -> Result<Opening, ApiError> {
    let (video, answers) = page
        .get_resolved(resource::detail_call::<Video>(id))
        .await?;
    let item = &video.card;
    let steps = [("Videos", "/videos/"), (&*item.name, &*item.share_url)];
    let crumbs = breadcrumbs(page.site(), page.origin(), &steps);
    Ok(Opening {
        meta: Meta {
            structured: vec![structured(page.origin(), &video), crumbs],
            ..Meta::item(item, page.path)
        },
        content: content(page, &video),
        answers,
    })
}

fn content(page: &PageContext<'_>, video: &Video) -> Markup {
    let site = page.site();
    let item = &video.card;
    let authors = item.authors.iter().map(|author| &*author.name);
    let authors = authors.collect::<Vec<_>>().join(", ");
    let facts = html! {
        aside aria-label="About this video" {
            dl class="Facts_facts" {
                @if video.duration_seconds > 0 { (fact("Length", &duration(video))) }
                @if !authors.is_empty() { (fact("By", &html! { (authors) })) }
                @if let Some(day) = published(item) { (fact("Published", &day)) }
            }
            div class="video_control" data-reserved {}
        }
    };
    let detail = Detail {
        headline: headline(&link("/videos/", "Videos"), &item.name, &item.excerpt),
        picture: poster(video),
        side: facts,
        below: Markup::default(),
        share: share(page.origin(), &item.share_url, &item.name),
        is_story_first: false,
        story: item_text(site, item, video.body.as_deref().unwrap_or_default()),
    };
    html! {
        (detail.html())
        (ads::beside(site, PageKind::Video, Spot::Lead, item.is_age_restricted))
    }
}

/// The poster (`web/src/features/videos/Poster.tsx`). The response for a restricted video contains no video address.
fn poster(video: &Video) -> Markup {
    let still = frame(video.card.image_url.as_deref(), Loading::AtOnce);
    html! {
        @if let Some(host) = &video.source_host {
            a class="Poster_poster" href=(video.source_url) target="_blank"
                rel="noopener noreferrer" {
                (still)
                span class="Poster_play" {
                    span class="Poster_disc" { (icons::play("Poster_icon")) }
                    span class="Poster_words" {
                        span class="Poster_title" {
                            "Play" span class="visually-hidden" { " " (video.card.name) ", " } " "
                            (duration(video))
                        }
                        " "
                        span class="Poster_where" {
                            "on " (host) span class="visually-hidden" { " in a new tab" }
                        }
                    }
                }
            }
        } @else {
            (still)
        }
    }
}

fn structured(origin: &str, video: &Video) -> Value {
    let mut object = schema_org::card(origin, "VideoObject", &video.card);
    object["duration"] = json!(format!("PT{}S", video.duration_seconds));
    if let Some(published) = &video.card.date_published {
        object["uploadDate"] = json!(published);
    }
    // `source_url` is the address of a page with the video, not of a video file.
    if !video.source_url.is_empty() {
        object["sameAs"] = json!(video.source_url);
    }
    if object["image"].is_array() {
        object["thumbnailUrl"] = object["image"].clone();
    }
    object
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_video_without_a_still_names_none() {
        let mut video: Video = serde_json::from_value(json!({
            "id": 1, "name": "Ferry", "share_url": "/videos/ferry/", "excerpt": "",
            "is_age_restricted": false, "date_published": "2026-01-01T03:00:00.000Z",
            "authors": [], "tags": [], "source_url": "https://video.example/ferry",
            "source_host": "video.example", "duration": "1:30",
            "duration_spoken": "1 minute 30 seconds",
            "duration_seconds": 90,
        }))
        .expect("a video");
        assert_eq!(
            structured("https://x.example", &video),
            json!({"@type": "VideoObject", "name": "Ferry",
                "url": "https://x.example/videos/ferry/", "duration": "PT90S",
                "uploadDate": "2026-01-01T03:00:00.000Z", "sameAs": "https://video.example/ferry"})
        );
        video.card.date_published = None;
        video.card.image_url = Some("/media/a.jpg".to_owned());
        video.source_url.clear();
        let object = structured("https://x.example", &video);
        assert_eq!(object["thumbnailUrl"][0], "https://x.example/media/a.jpg");
        assert!(object.get("uploadDate").is_none() && object.get("sameAs").is_none());
    }
}
