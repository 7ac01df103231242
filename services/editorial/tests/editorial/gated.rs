//! Age-restricted items: responses to readers who have not confirmed their age omit the content.

use editorial_proto::v1::{ImportItem, Kind, item::Detail};

use crate::fixture::{Fixture, all, article, contest, video};

fn restricted(item: ImportItem) -> ImportItem {
    ImportItem {
        is_age_restricted: true,
        image_url: Some("/media/leaf.jpg".to_owned()),
        excerpt: "The secret excerpt.".to_owned(),
        body_markdown: "The secret text.".to_owned(),
        ..item
    }
}

#[tokio::test]
async fn only_who_is_of_age_sees_text_excerpt_picture_and_video() {
    let fixture = Fixture::with([
        restricted(article("Cannabis shops", "news", 5)),
        restricted(video("A harvest")),
        restricted(contest(
            "A pipe",
            "2026-01-01T00:00:00Z",
            "2027-01-01T00:00:00Z",
        )),
    ])
    .await;
    for kind in [Kind::Article, Kind::Video, Kind::Contest] {
        let card = fixture.only(kind).await;
        assert!(card.is_age_restricted && !card.name.is_empty());
        let shown = fixture.get(kind, card.id, false).await.expect("there");
        for answer in [format!("{card:?}"), format!("{shown:?}")] {
            for secret in ["secret", "leaf", "video.example", "river", "entry"] {
                assert!(!answer.contains(secret), "{answer}");
            }
        }
        let full = fixture.get(kind, card.id, true).await.expect("there");
        assert_eq!(full.body_html, "<p>The secret text.</p>\n");
        let item = full.item.expect("an item");
        assert_eq!(item.excerpt, "The secret excerpt.");
        match item.detail {
            Some(Detail::Video(video)) => assert_eq!(video.url, "https://video.example/1"),
            Some(Detail::Contest(contest)) => assert_eq!(contest.question, "Which river?"),
            _ => {}
        }
    }
}

#[tokio::test]
async fn what_is_for_everyone_is_whole() {
    let fixture = Fixture::with([article("Bridges", "news", 5)]).await;
    let card = fixture
        .list(all(Kind::Article))
        .await
        .expect("answers")
        .items;
    assert_eq!(card[0].excerpt, "About Bridges.");
    let shown = fixture.get(Kind::Article, card[0].id, false).await;
    assert!(!shown.expect("there").body_html.is_empty());
}
