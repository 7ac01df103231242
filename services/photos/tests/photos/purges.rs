//! Deletions after the retention periods.

use chassis::clock::Clock as _;
use chrono::TimeDelta;
use photos_proto::v1::CreatePhotoRequest;
use sqlx::Executor as _;
use testkit::{calls, picture, within_hours};

use crate::fixture::{ADA, BAR, Fixture, PAI, new};

#[tokio::test]
async fn refused_photos_and_abandoned_files_are_deleted_and_what_is_needed_stays() {
    let fixture = Fixture::new().await;
    let refused = fixture.publish(ADA, PAI, 1).await;
    fixture
        .decide(refused, Some("Blurred."))
        .await
        .expect("refused");
    let published = fixture.publish(ADA, PAI, 2).await;
    fixture.receive(picture::jpeg(300, 200, 3)).await;
    // The sizes of this photo are not made yet.
    let needed = fixture.receive(picture::jpeg(300, 200, 4)).await;
    let request = calls::reader(
        ADA,
        CreatePhotoRequest {
            blob: needed.to_string(),
            ..new(BAR)
        },
    );
    fixture
        .client
        .clone()
        .create_photo(request)
        .await
        .expect("made");
    let again = fixture.receive(picture::jpeg(300, 200, 4)).await;
    let mut connection = fixture.parts.database.connection().await;
    let wait =
        "UPDATE photos.photos SET status = 'processing', incoming = $1 WHERE listing_id = $2";
    let wait = sqlx::query(wait).bind(again).bind(BAR);
    connection.execute(wait).await.expect("updates");

    // The store dates files by the machine's clock.
    #[expect(clippy::disallowed_methods, reason = "the store's own clock")]
    let now = chrono::Utc::now();
    let clock = &fixture.parts.clock;
    clock.advance(now.max(clock.now()) - clock.now() + TimeDelta::days(91));
    within_hours("they are deleted", async || {
        let own: Vec<_> = fixture
            .own(ADA)
            .await
            .into_iter()
            .map(|photo| photo.id)
            .collect();
        let files = fixture.parts.blob_files();
        let incoming: Vec<_> = files
            .iter()
            .filter(|file| file.starts_with("incoming/"))
            .collect();
        let is_done = own.len() == 2 && own.contains(&published) && files.len() == 21;
        (is_done && incoming == [&format!("incoming/{again}")]).then_some(())
    })
    .await;
}
