//! A reader leaves, or wants to see all that is stored.

use chassis::{
    clock::Clock as _,
    entropy::{OsEntropy, uuid},
    instant,
};
use cityguide_proto::{
    photos::v1::ReportPhotoRequest,
    readers::v1::{EraseRequest, ExportRequest, Record},
};
use testkit::{calls, picture, until};

use crate::bench::{ADA, BAR, BOB, Bench, PAI, page};

async fn export(bench: &Bench) -> Vec<Record> {
    let (mut records, mut after) = (Vec::new(), String::new());
    loop {
        let request = ExportRequest {
            after,
            ..ExportRequest::default()
        };
        let request = calls::reader(ADA, request);
        let page = bench
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
    let bench = Bench::new().await;
    bench.publish(ADA, PAI, 1).await;
    bench.publish(ADA, BAR, 2).await;
    let avatar = bench.set_avatar(ADA, picture::jpeg(300, 200, 5)).await;
    avatar.expect("set");
    let waiting = bench.upload(ADA, PAI, picture::jpeg(300, 200, 3)).await;
    waiting.expect("uploaded");
    let others = bench.publish(BOB, PAI, 4).await;
    let report = ReportPhotoRequest {
        id: others,
        reason: "other".to_owned(),
        comment: "Hm.".to_owned(),
    };
    let report = calls::reader(ADA, report);
    bench
        .client
        .clone()
        .report_photo(report)
        .await
        .expect("told");

    let records = export(&bench).await;
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
        requested: Some(instant::to_proto(bench.parts.clock.now())),
        ..EraseRequest::default()
    };
    for _ in 0..2 {
        let request = calls::operator(request.clone());
        let erased = bench.readers.clone().erase(request).await.expect("erased");
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
    assert!(export(&bench).await.is_empty());
    let left = bench.list(Some(PAI), page(5)).await;
    assert_eq!(
        (left.photos.len(), left.page.expect("a page").count),
        (1, 1)
    );
    assert_eq!(
        bench
            .list(Some(BAR), page(5))
            .await
            .page
            .expect("a page")
            .count,
        0
    );
    until("only the other reader's files are left", async || {
        (bench.parts.blob_files().len() == 10).then_some(())
    })
    .await;
}
