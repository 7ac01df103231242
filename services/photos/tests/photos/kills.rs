//! A process that is killed at any step leaves either no photo or a photo that is completed later.

use chassis::error::{Code, Fault};
use photos_proto::v1::GetPhotoRequest;
use sqlx::Executor as _;
use testkit::{calls, picture, until};

use crate::fixture::{ADA, Fixture, PAI, new};

#[tokio::test]
async fn a_photo_whose_process_died_before_its_sizes_were_made_is_made_by_another() {
    let fixture = Fixture::idle(|_| {}).await;
    let made = fixture.upload(ADA, PAI, picture::jpeg(300, 200, 1)).await;
    let photo = made.expect("uploaded").photo.expect("a photo");
    assert_eq!((photo.status.as_str(), photo.picture), ("processing", None));
    let received = fixture.parts.blob_files();
    assert!(received[0].starts_with("incoming/"), "{received:?}");
    assert_eq!(received.len(), 1);
    // The process was killed during a write, after it had written some files.
    let name = fixture.folder(photo.id).await;
    let half = format!("photos/{name}/610x610.jpg");
    fixture
        .parts
        .blobs
        .keep(&half, "half".into())
        .await
        .expect("kept");
    let _other = fixture.another().await;
    until("its sizes are made", async || {
        (fixture.own(ADA).await[0].status == "waiting").then_some(())
    })
    .await;
    until("the received file is discarded", async || {
        (fixture.parts.blob_files().len() == 10).then_some(())
    })
    .await;
    let file = fixture
        .parts
        .blobs
        .read(&half, None)
        .await
        .expect("answers");
    assert!(file.expect("there").size > 100);
}

#[tokio::test]
async fn a_photo_that_is_deleted_while_its_sizes_are_made_leaves_no_file() {
    let fixture = Fixture::idle(|_| {}).await;
    let made = fixture.upload(ADA, PAI, picture::jpeg(300, 200, 1)).await;
    let photo = made.expect("uploaded").photo.expect("a photo");
    let name = fixture.folder(photo.id).await;
    fixture.delete(ADA, photo.id).await.expect("deleted");
    // A file from a process that has not yet noticed the deletion.
    let late = format!("photos/{name}/610x610.jpg");
    fixture
        .parts
        .blobs
        .keep(&late, "late".into())
        .await
        .expect("kept");
    let _other = fixture.another().await;
    until("nothing is left", async || {
        fixture.parts.blob_files().is_empty().then_some(())
    })
    .await;
}

#[tokio::test]
async fn a_photo_whose_received_file_is_lost_says_so() {
    let fixture = Fixture::idle(|_| {}).await;
    let blob = fixture.receive(picture::jpeg(300, 200, 1)).await;
    let request = photos_proto::v1::CreatePhotoRequest {
        blob: blob.to_string(),
        ..new(PAI)
    };
    let request = testkit::calls::reader(ADA, request);
    fixture
        .client
        .clone()
        .create_photo(request)
        .await
        .expect("made");
    fixture
        .parts
        .blobs
        .discard_incoming(blob)
        .await
        .expect("lost");
    let _other = fixture.another().await;
    let photo = until("it is refused", async || {
        let own = fixture.own(ADA).await.remove(0);
        (own.status == "refused").then_some(own)
    })
    .await;
    assert!(photo.reason.contains("upload it again"), "{}", photo.reason);
}

#[tokio::test]
async fn while_the_store_of_blobs_is_away_nothing_is_half_written_and_photos_are_read() {
    let fixture = Fixture::new().await;
    let published = fixture.publish(ADA, PAI, 1).await;
    let away = fixture.without_blobs().await;
    let request = photos_proto::v1::CreatePhotoRequest {
        blob: fixture
            .receive(picture::jpeg(300, 200, 2))
            .await
            .to_string(),
        ..new(PAI)
    };
    let refused = away.clone().create_photo(calls::reader(ADA, request)).await;
    let refused = Fault::from(refused.expect_err("the store is away"));
    assert_eq!(refused.code, Code::Unavailable);
    assert_eq!(fixture.own(ADA).await.len(), 1);
    let request = calls::guest(GetPhotoRequest { id: published });
    let found = away.clone().get_photo(request).await.expect("is read");
    assert_eq!(found.into_inner().total, 1);
}

#[tokio::test]
async fn a_picture_that_kills_its_worker_each_time_is_given_up() {
    let fixture = Fixture::idle(|_| {}).await;
    fixture
        .upload(ADA, PAI, picture::jpeg(300, 200, 1))
        .await
        .expect("made");
    let mut connection = fixture.parts.database.connection().await;
    let exhaust = "UPDATE photos.jobs SET attempts = 7 WHERE kind = 'make_photo_sizes'";
    connection.execute(exhaust).await.expect("updates");
    let _other = fixture.another().await;
    let photo = until("it is refused", async || {
        let own = fixture.own(ADA).await.remove(0);
        (own.status == "refused").then_some(own)
    })
    .await;
    assert!(
        photo.reason.contains("could not be read"),
        "{}",
        photo.reason
    );
}

impl Fixture {
    /// The folder of a photo's files.
    pub(crate) async fn folder(&self, id: i64) -> String {
        let mut connection = self.parts.database.connection().await;
        let name: uuid::Uuid = sqlx::query_scalar("SELECT name FROM photos.photos WHERE id = $1")
            .bind(id)
            .fetch_one(&mut connection)
            .await
            .expect("a photo");
        name.simple().to_string()
    }
}
