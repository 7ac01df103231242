//! Erasure and export of a reader's data.

use chassis::{
    clock::Clock as _,
    entropy::{OsEntropy, uuid},
    instant,
};
use cityguide_proto::readers::v1::{EraseRequest, ExportRequest, Record};
use photos_proto::v1::ReportPhotoRequest;
use testkit::{calls, picture, until};

use crate::fixture::{ADA, BAR, BOB, Fixture, PAI, page};

async fn export(fixture: &Fixture) -> Vec<Record> {
    let (mut records, mut after) = (Vec::new(), String::new());
    loop {
        let request = ExportRequest {
            after,
            ..ExportRequest::default()
        };
        let request = calls::reader(ADA, request);
        let page = fixture
            .readers
            .clone()
            .export(request)
            .await
            .expect("answers");
        let page = page.into_inner();
        records.extend(page.records);
        match page.next {
            Some(next) => after = next,
            None => return records,
        }
    }
}

#[tokio::test]
async fn an_erasure_leaves_nothing_of_the_reader_and_counts_what_the_export_held() {
    let fixture = Fixture::new().await;
    fixture.publish(ADA, PAI, 1).await;
    fixture.publish(ADA, BAR, 2).await;
    let avatar = fixture.set_avatar(ADA, picture::jpeg(300, 200, 5)).await;
    avatar.expect("set");
    let waiting = fixture.upload(ADA, PAI, picture::jpeg(300, 200, 3)).await;
    waiting.expect("uploaded");
    let others = fixture.publish(BOB, PAI, 4).await;
    let report = ReportPhotoRequest {
        id: others,
        reason: "other".to_owned(),
        comment: "Hm.".to_owned(),
    };
    let report = calls::reader(ADA, report);
    fixture
        .client
        .clone()
        .report_photo(report)
        .await
        .expect("reported");

    let records = export(&fixture).await;
    let kinds: Vec<_> = records.iter().map(|record| record.kind.as_str()).collect();
    let expected = [
        "photos",
        "photos",
        "photos",
        "photo_reports",
        "photo_decisions",
        "photo_decisions",
        "photo_uploaders",
    ];
    assert_eq!(kinds, expected);
    assert!(
        records[0].json.contains("\"file\":\"photos/"),
        "{}",
        records[0].json
    );
    let uploader = &records[6].json;
    assert!(uploader.contains("/80x80.jpg"), "{uploader}");

    let request = EraseRequest {
        erasure_id: uuid(&OsEntropy).to_string(),
        profile_id: ADA,
        verified_email: String::new(),
        requested: Some(instant::to_proto(fixture.parts.clock.now())),
        ..EraseRequest::default()
    };
    for _ in 0..2 {
        let request = calls::operator(request.clone());
        let erased = fixture
            .readers
            .clone()
            .erase(request)
            .await
            .expect("erased");
        let counts = erased.into_inner().counts;
        for kind in [
            "photos",
            "photo_reports",
            "photo_decisions",
            "photo_uploaders",
        ] {
            let count = counts.iter().find(|count| count.kind == kind).expect(kind);
            let held = records.iter().filter(|record| record.kind == kind).count();
            assert_eq!(usize::try_from(count.count), Ok(held), "{kind}");
        }
    }
    assert!(export(&fixture).await.is_empty());
    let left = fixture.list(Some(PAI), page(5)).await;
    assert_eq!(
        (left.photos.len(), left.page.expect("a page").count),
        (1, 1)
    );
    assert_eq!(
        fixture
            .list(Some(BAR), page(5))
            .await
            .page
            .expect("a page")
            .count,
        0
    );
    until("only the other reader's files are left", async || {
        (fixture.parts.blob_files().len() == 10).then_some(())
    })
    .await;
}
