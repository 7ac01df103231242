//! Changes in the report of an import.

use cityguide_proto::intake::v1::Finish;
use editorial_proto::v1::import_item::Detail;

use crate::{
    fixture::{Fixture, article},
    import::one_of_each,
};

#[tokio::test]
async fn a_report_names_what_is_new_and_what_differs() {
    let fixture = Fixture::new().await;
    let first = fixture.import(one_of_each()).await;
    assert_eq!(first.changes.len(), 5);
    assert!(first.changes.iter().all(|change| change.is_new));
    assert_eq!(first.changes[0].position, "a-new-streetcar.md");

    let mut items = one_of_each();
    items[0].excerpt = "It is quiet.".to_owned();
    items[0].image_url = Some("/media/a.svg".to_owned());
    items[0].moved_from = vec!["/stories/tram/".to_owned()];
    if let Some(Detail::Event(event)) = &mut items[1].detail {
        event.ends_local = "2026-06-01T22:00:00".to_owned();
        event.venue = "The yard".to_owned();
    }
    if let Some(Detail::Contest(contest)) = &mut items[2].detail {
        contest.question = "Which lake?".to_owned();
    }
    if let Some(Detail::Video(video)) = &mut items[3].detail {
        video.duration_seconds += 1;
    }
    let dry = Finish {
        dry_run: true,
        all_or_nothing: true,
        ..Finish::default()
    };
    let foreseen = fixture.import_with(items.clone(), Some(dry)).await;
    let foreseen = foreseen.expect("reports").changes;
    let changes: Vec<_> = foreseen
        .iter()
        .map(|change| (change.source_id.as_str(), change.fields.join(", ")))
        .collect();
    assert_eq!(
        changes,
        [
            (
                "test:a-new-streetcar",
                "excerpt, picture, moved_from".to_owned()
            ),
            ("test:night-market", "ends, venue".to_owned()),
            ("test:win-a-canoe", "question".to_owned()),
            ("test:the-last-ferry", "duration".to_owned()),
        ]
    );
    assert!(foreseen.iter().all(|change| !change.is_new));
    assert_eq!(fixture.import(items.clone()).await.changes, foreseen);
    assert_eq!(fixture.import(items).await.changes, []);
}

#[tokio::test]
async fn a_report_tells_of_at_most_500_changes() {
    let fixture = Fixture::new().await;
    let items = (0..501).map(|number| article(&format!("Article {number}"), "news", 5));
    let report = fixture.import(items).await;
    assert_eq!(report.changes.len(), 500);
    assert_eq!(report.kinds[0].counts.expect("counts").created, 501);
}
