//! Uploads: accepted and refused files.

use chassis::error::Code;
use photos_proto::v1::CreatePhotoRequest;
use testkit::{picture, until};

use crate::fixture::{ADA, BAR, BOB, CLOSED, Fixture, PAI, new};

/// The files that a photo has once its sizes are made.
const FILES: [&str; 10] = [
    "300x300.jpg",
    "300x300.webp",
    "600x400.jpg",
    "600x400.webp",
    "610x610.jpg",
    "610x610.webp",
    "720x480.jpg",
    "720x480.webp",
    "whole.jpg",
    "whole.webp",
];

#[tokio::test]
async fn an_upload_becomes_a_photo_in_every_size_that_waits_for_a_look() {
    let fixture = Fixture::new().await;
    let made = fixture.upload(ADA, PAI, picture::jpeg(900, 600, 1)).await;
    let made = made.expect("uploaded");
    let photo = made.photo.expect("a photo");
    assert!(made.is_new && photo.is_own);
    assert_eq!(
        (photo.status.as_str(), photo.reason.as_str()),
        ("waiting", "")
    );
    assert_eq!(photo.licence, "all-rights-reserved");
    assert_eq!(photo.author.expect("an author").full_name, "Ada King");
    let picture = photo.picture.expect("its sizes");
    assert_eq!((picture.width, picture.height), (900, 600));
    assert!(!picture.thumbhash.is_empty());
    let folder = format!("photos/{}", picture.name);
    let expected: Vec<_> = FILES
        .iter()
        .map(|file| format!("{folder}/{file}"))
        .collect();
    assert_eq!(fixture.parts.blob_files(), expected, "and no received file");
    assert_eq!(fixture.show(photo.id).await.suspicion, "new-reader");
    assert_eq!(fixture.published().await, [0_i64; 0]);
}

#[tokio::test]
async fn the_same_file_is_one_photo_of_a_reader_and_a_place_however_often_it_is_sent_at_once() {
    let fixture = Fixture::new().await;
    let file = || picture::jpeg(300, 200, 1);
    let (one, two, three) = tokio::join!(
        fixture.upload(ADA, PAI, file()),
        fixture.upload(ADA, PAI, file()),
        fixture.upload(ADA, PAI, file()),
    );
    let all = [one, two, three].map(|made| made.expect("uploaded"));
    let new = all.iter().filter(|made| made.is_new).count();
    assert_eq!(new, 1);
    let ids = all.map(|made| made.photo.expect("a photo").id);
    assert_eq!(ids, [ids[0]; 3]);
    for (reader, place) in [(ADA, BAR), (BOB, PAI)] {
        let other = fixture
            .upload(reader, place, file())
            .await
            .expect("uploaded");
        assert!(other.is_new);
    }
    assert_eq!(fixture.own(ADA).await.len(), 2);
    assert_eq!(fixture.parts.blob_files().len(), 3 * FILES.len());
}

#[tokio::test]
async fn a_repeated_attempt_has_no_further_effect_and_another_one_under_its_key_conflicts() {
    let fixture = Fixture::new().await;
    let request = || CreatePhotoRequest {
        attempt: "the key".to_owned(),
        ..new(PAI)
    };
    let file = || picture::jpeg(300, 200, 1);
    let first = fixture
        .upload_as(ADA, file(), request())
        .await
        .expect("made");
    let again = fixture
        .upload_as(ADA, file(), request())
        .await
        .expect("known");
    let id = first.photo.expect("a photo").id;
    assert_eq!(again.photo.expect("a photo").id, id);
    assert!(first.is_new && again.is_new, "it gets the first answer");
    let other = CreatePhotoRequest {
        description: "Something else".to_owned(),
        ..request()
    };
    let refused = fixture.upload_as(ADA, file(), other).await;
    assert_eq!(refused.expect_err("another request").code, Code::Conflict);
    assert_eq!(fixture.own(ADA).await.len(), 1);
    assert_eq!(fixture.parts.blob_files().len(), FILES.len());
}

/// A JPEG with an intact structure but without the tables that are needed to decode its data.
fn damaged() -> Vec<u8> {
    let mut file = picture::jpeg(600, 400, 1);
    while let Some(at) = file.windows(2).position(|marker| marker == [0xFF, 0xC4]) {
        let length = usize::from(u16::from_be_bytes([file[at + 2], file[at + 3]]));
        file.drain(at..at + 2 + length);
    }
    file
}

#[tokio::test]
async fn what_is_refused_leaves_nothing() {
    let fixture = Fixture::new().await;
    let jpeg = picture::jpeg(300, 200, 1);
    let mut polyglot = jpeg.clone();
    polyglot.extend(b"PK\x03\x04 an archive");
    let svg = br#"<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>"#;
    for (file, words) in [
        (b"not a picture at all".to_vec(), "not a picture"),
        (svg.to_vec(), "SVG"),
        (jpeg[..jpeg.len() / 2].to_vec(), "ends too early"),
        (polyglot, "besides the picture"),
        (damaged(), "damaged"),
        (picture::jpeg(8, 8, 1), "too small"),
    ] {
        let refused = fixture.upload(ADA, PAI, file).await.expect_err(words);
        let field = refused.fields.first().expect("a field");
        assert_eq!(
            (refused.code, field.field.as_str()),
            (Code::Invalid, "image")
        );
        assert!(field.message.contains(words), "{}", field.message);
    }
    for (place, words) in [(CLOSED, "has closed"), (99, "does not exist")] {
        let refused = fixture.upload(ADA, place, jpeg.clone()).await;
        let refused = refused.expect_err(words);
        let field = refused.fields.first().expect("a field");
        assert_eq!(field.field, "listing");
        assert!(field.message.contains(words), "{}", field.message);
    }
    for (request, name) in [
        (
            CreatePhotoRequest {
                licence: "MIT".to_owned(),
                ..new(PAI)
            },
            "licence",
        ),
        (
            CreatePhotoRequest {
                credit: "c".repeat(101),
                ..new(PAI)
            },
            "credit",
        ),
        (
            CreatePhotoRequest {
                description: "d".repeat(1_001),
                ..new(PAI)
            },
            "description",
        ),
        (
            CreatePhotoRequest {
                description: "\0".to_owned(),
                ..new(PAI)
            },
            "description",
        ),
    ] {
        let refused = fixture.upload_as(ADA, jpeg.clone(), request).await;
        let refused = refused.expect_err(name);
        assert_eq!(refused.fields.first().expect("a field").field, name);
    }
    until("nothing is left", async || {
        fixture.parts.blob_files().is_empty().then_some(())
    })
    .await;
    assert_eq!(fixture.own(ADA).await, []);
}

#[tokio::test]
async fn photos_of_a_trusted_reader_are_published_at_once_within_bounds() {
    let fixture = Fixture::with(|settings| settings.unreviewed_per_hour = 5).await;
    for seed in 1..=3 {
        fixture.publish(ADA, PAI, seed).await;
    }
    let trusted = async |seed, description: &str| {
        let request = CreatePhotoRequest {
            description: description.to_owned(),
            ..new(BAR)
        };
        let made = fixture.upload_as(ADA, picture::jpeg(400, 300, seed), request);
        made.await.expect("uploaded").photo.expect("a photo")
    };
    let advertisement = trusted(4, "Cheap at https://a.test").await;
    assert_eq!(advertisement.status, "waiting");
    assert_eq!(
        fixture.show(advertisement.id).await.suspicion,
        "link-in-text"
    );
    assert_eq!(trusted(5, "The bar").await.status, "published");
    let sixth = trusted(6, "The bar").await;
    assert_eq!(sixth.status, "waiting", "the sixth within an hour");
    assert_eq!(fixture.show(sixth.id).await.suspicion, "many-at-once");
    fixture.parts.clock.advance(chrono::TimeDelta::hours(1));
    assert_eq!(trusted(7, "The bar").await.status, "published");
    // After a refusal, the reader's photos wait for review again.
    fixture
        .decide(sixth.id, Some("Not this bar."))
        .await
        .expect("refused");
    assert_eq!(trusted(8, "The bar").await.status, "waiting");
    assert_eq!(fixture.published().await, [PAI, PAI, PAI, BAR, BAR]);
}
