//! Photos by people on Instagram that editors import.

use chassis::{
    error::{Code, Fault},
    instant,
};
use photos_proto::v1::{
    ImportPhotoRequest, ImportPhotoResponse, Photo, SetBanRequest, import_photo_response::Outcome,
};
use sha2::{Digest as _, Sha256};
use testkit::{calls, outbox::assert_drains, picture, until};

use crate::fixture::{ADA, Fixture, PAI, page};

/// A photo of the place, without its file.
fn photo(file: &[u8]) -> ImportPhotoRequest {
    ImportPhotoRequest {
        listing_id: PAI,
        digest: Sha256::digest(file).to_vec(),
        instagram_user: "Hungry.in_Parkdale".to_owned(),
        description: "Khao soi".to_owned(),
        ..ImportPhotoRequest::default()
    }
}

async fn import(
    fixture: &Fixture,
    request: ImportPhotoRequest,
) -> Result<ImportPhotoResponse, Fault> {
    let mut client = fixture.imports.clone();
    let answer = client.import_photo(calls::operator(request)).await?;
    Ok(answer.into_inner())
}

async fn send(
    fixture: &Fixture,
    request: ImportPhotoRequest,
    file: Vec<u8>,
) -> Result<ImportPhotoResponse, Fault> {
    let blob = fixture.receive(file).await.to_string();
    import(fixture, ImportPhotoRequest { blob, ..request }).await
}

/// The published photos, once there are some.
async fn published(fixture: &Fixture) -> Vec<Photo> {
    until("its sizes are made", async || {
        let photos = fixture.list(None, page(5)).await.photos;
        (!photos.is_empty()).then_some(photos)
    })
    .await
}

#[tokio::test]
async fn a_photo_by_a_person_on_instagram_is_published_at_once_and_later_only_its_texts_change() {
    let fixture = Fixture::new().await;
    let file = picture::jpeg(900, 600, 1);
    for dry_run in [true, false] {
        let request = ImportPhotoRequest {
            dry_run,
            ..photo(&file)
        };
        let answer = import(&fixture, request).await.expect("answers");
        assert_eq!(answer.outcome(), Outcome::BlobNeeded);
    }
    let answer = send(&fixture, photo(&file), file.clone()).await;
    assert_eq!(answer.expect("taken").outcome(), Outcome::Created);
    let listed = published(&fixture).await.remove(0);
    assert_eq!(fixture.published().await, [PAI]);
    let author = listed.author.expect("an author");
    assert!(author.is_on_instagram);
    assert_eq!(author.full_name, "@hungry.in_parkdale");
    assert_eq!(listed.description, "Khao soi");
    let kept = fixture.parts.blob_files();
    assert_eq!(kept.len(), 10, "its sizes, and no received file: {kept:?}");

    // A repeated import changes nothing, with or without the file.
    let answer = import(&fixture, photo(&file)).await.expect("answers");
    assert_eq!(answer.outcome(), Outcome::Unchanged);
    let answer = send(&fixture, photo(&file), file.clone()).await;
    assert_eq!(answer.expect("taken").outcome(), Outcome::Unchanged);
    let taken = instant::from_rfc3339("2026-05-01T12:00:00.000Z").expect("an instant");
    let other = ImportPhotoRequest {
        description: "Khao soi, extra noodles".to_owned(),
        created: Some(instant::to_proto(taken)),
        ..photo(&file)
    };
    let foreseen = ImportPhotoRequest {
        dry_run: true,
        ..other.clone()
    };
    for request in [foreseen, other] {
        let is_foreseen = request.dry_run;
        let answer = import(&fixture, request).await.expect("answers");
        assert_eq!(answer.outcome(), Outcome::Changed);
        assert_eq!(answer.fields, ["description", "date"]);
        let listed = fixture.list(Some(PAI), page(5)).await.photos.remove(0);
        let is_changed = listed.description == "Khao soi, extra noodles";
        assert_eq!(is_changed, !is_foreseen);
    }
    assert_eq!(fixture.published().await, [PAI, PAI]);
    assert_eq!(fixture.parts.blob_files(), kept);
}

#[tokio::test]
async fn what_is_refused_leaves_nothing() {
    let fixture = Fixture::new().await;
    let file = picture::jpeg(300, 200, 1);
    let wrong_name = ImportPhotoRequest {
        instagram_user: "two words".to_owned(),
        ..photo(&file)
    };
    let cut = file[..file.len() / 2].to_vec();
    for (request, file, field) in [
        (wrong_name, file.clone(), "instagram_user"),
        (photo(b"another file"), file.clone(), "digest"),
        (photo(&cut), cut.clone(), "image"),
        (photo(b"text"), b"text".to_vec(), "image"),
    ] {
        let fault = send(&fixture, request, file).await.expect_err("refused");
        assert_eq!(
            (fault.code, fault.fields[0].field.as_str()),
            (Code::Invalid, field)
        );
    }
    let blob = fixture.receive(file.clone()).await.to_string();
    let request = calls::reader(
        ADA,
        ImportPhotoRequest {
            blob: blob.clone(),
            ..photo(&file)
        },
    );
    let refused = fixture.imports.clone().import_photo(request).await;
    let fault = Fault::from(refused.expect_err("for operators alone"));
    assert_eq!(fault.code, Code::Forbidden);
    assert!(fixture.list(None, page(5)).await.photos.is_empty());
    // A caller who is not an operator must not cause the named blob to be discarded.
    assert_eq!(fixture.parts.blob_files(), [format!("incoming/{blob}")]);
}

#[tokio::test]
async fn a_refused_one_stays_away_and_a_banned_person_brings_no_more() {
    let fixture = Fixture::new().await;
    let file = picture::jpeg(300, 200, 1);
    let made = send(&fixture, photo(&file), file.clone()).await;
    made.expect("taken");
    let id = published(&fixture).await[0].id;
    fixture
        .decide(id, Some("Not theirs."))
        .await
        .expect("refused");
    let again = send(&fixture, photo(&file), file.clone()).await;
    assert_eq!(again.expect("taken").outcome(), Outcome::Unchanged);
    assert!(fixture.list(None, page(5)).await.photos.is_empty());
    assert_drains(&fixture.parts.database, "photos").await;
    assert!(fixture.refusals.payloads().is_empty(), "nobody gets mail");

    let profile_id = fixture.show(id).await.profile_id;
    let ban = SetBanRequest {
        profile_id,
        is_banned: true,
        reason: "Not theirs.".to_owned(),
    };
    let banned = fixture.review.clone().set_ban(calls::operator(ban)).await;
    banned.expect("banned");
    let other = picture::jpeg(300, 200, 2);
    let made = send(&fixture, photo(&other), other.clone()).await;
    made.expect("taken");
    let refused = "SELECT count(*) FROM photos.photos WHERE status = 'refused'";
    until("the other one is refused too", async || {
        (fixture.parts.database.number(refused).await == 2).then_some(())
    })
    .await;
    assert!(fixture.list(None, page(5)).await.photos.is_empty());
}
