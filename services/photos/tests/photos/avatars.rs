//! Readers' avatars.

use chassis::error::{Code, Fault};
use photos_proto::v1::{
    Avatar, GetAvatarRequest, RemoveAvatarRequest, SetAvatarRequest, SetBanRequest,
    TakeDownAvatarRequest, avatars_client::AvatarsClient,
};
use testkit::{calls, picture, until};

use crate::fixture::{ADA, BOB, Fixture, PAI, page};

impl Fixture {
    pub(crate) async fn set_avatar(&self, reader: i64, file: Vec<u8>) -> Result<Avatar, Fault> {
        let request = SetAvatarRequest {
            blob: self.receive(file).await.to_string(),
            full_name: "Ada King".to_owned(),
        };
        let request = calls::reader(reader, request);
        Ok(self.avatars().set_avatar(request).await?.into_inner())
    }

    async fn avatar(&self, reader: i64) -> Avatar {
        let request = calls::reader(reader, GetAvatarRequest {});
        let found = self.avatars().get_avatar(request).await;
        found.expect("answers").into_inner()
    }

    async fn remove_avatar(&self, reader: i64) {
        let request = calls::reader(reader, RemoveAvatarRequest {});
        self.avatars().remove_avatar(request).await.expect("done");
    }

    fn avatars(&self) -> AvatarsClient<chassis::rpc::Transport> {
        AvatarsClient::new(self.transport())
    }

    /// Waits until the service has only these files.
    async fn keeps(&self, files: &[String]) {
        until("the files are these", async || {
            (self.parts.blob_files() == files).then_some(())
        })
        .await;
    }
}

fn files(avatar: &Avatar) -> Vec<String> {
    let name = avatar.name.as_ref().expect("an avatar");
    ["jpg", "webp"]
        .map(|extension| format!("photos/{name}/80x80.{extension}"))
        .into()
}

#[tokio::test]
async fn an_avatar_takes_the_place_of_the_former_one_whose_files_go() {
    let fixture = Fixture::new().await;
    assert_eq!(fixture.avatar(ADA).await, Avatar::default());
    let first = fixture.set_avatar(ADA, picture::jpeg(300, 200, 1)).await;
    let first = first.expect("set");
    assert!(!first.is_processing);
    fixture.keeps(&files(&first)).await;
    let second = fixture.set_avatar(ADA, picture::jpeg(300, 200, 2)).await;
    let second = second.expect("set");
    assert_ne!(second.name, first.name);
    fixture.keeps(&files(&second)).await;
    assert_eq!(fixture.avatar(ADA).await, second);
    fixture.remove_avatar(ADA).await;
    fixture.remove_avatar(ADA).await;
    assert_eq!(fixture.avatar(ADA).await, Avatar::default());
    fixture.keeps(&[]).await;
}

#[tokio::test]
async fn a_file_that_is_no_whole_picture_is_refused_and_the_former_avatar_stays() {
    let fixture = Fixture::new().await;
    let former = fixture.set_avatar(ADA, picture::jpeg(300, 200, 1)).await;
    let former = former.expect("set");
    let mut damaged = picture::jpeg(300, 200, 2);
    let middle = damaged.len() / 2;
    damaged.truncate(middle);
    for file in [b"text".to_vec(), damaged] {
        let refused = fixture.set_avatar(ADA, file).await.expect_err("refused");
        assert_eq!(refused.fields[0].field, "image");
    }
    assert_eq!(fixture.avatar(ADA).await, former);
    fixture.keeps(&files(&former)).await;
}

#[tokio::test]
async fn an_avatar_stands_beside_its_readers_photos_which_are_announced() {
    let fixture = Fixture::new().await;
    fixture.publish(ADA, PAI, 1).await;
    fixture.publish(BOB, PAI, 2).await;
    let beside = async || {
        let photos = fixture.list(Some(PAI), page(5)).await.photos;
        let authors = photos.into_iter().map(|photo| photo.author);
        let avatars = authors.map(|author| author.expect("an author").avatar);
        avatars.collect::<Vec<_>>()
    };
    let before = fixture.published().await.len();
    let avatar = fixture.set_avatar(ADA, picture::jpeg(300, 200, 3)).await;
    let avatar = avatar.expect("set");
    assert_eq!(beside().await, [None, avatar.name]);
    assert_eq!(fixture.published().await[before..], [PAI]);
    fixture.remove_avatar(ADA).await;
    assert_eq!(beside().await, [None, None]);
    assert_eq!(fixture.published().await[before..], [PAI, PAI]);
}

#[tokio::test]
async fn an_avatar_whose_process_died_is_made_by_another_and_one_that_was_replaced_leaves_nothing()
{
    let fixture = Fixture::idle(|_| {}).await;
    for seed in [1, 2] {
        let waits = fixture.set_avatar(ADA, picture::jpeg(300, 200, seed)).await;
        assert!(waits.expect("stored").is_processing);
    }
    let _other = fixture.another().await;
    let made = until("the second one is made", async || {
        Some(fixture.avatar(ADA).await).filter(|avatar| avatar.name.is_some())
    })
    .await;
    assert!(!made.is_processing);
    fixture.keeps(&files(&made)).await;
}

#[tokio::test]
async fn an_operator_takes_an_avatar_down_and_a_banned_reader_has_none() {
    let fixture = Fixture::new().await;
    let photo = fixture.publish(ADA, PAI, 1).await;
    let take_down = async || {
        let request = calls::operator(TakeDownAvatarRequest {
            profile_id: ADA,
            reason: "Not a person.".to_owned(),
        });
        let done = fixture.review.clone().take_down_avatar(request).await;
        done.map_err(|status| Fault::from(status).code)
    };
    assert_eq!(take_down().await.err(), Some(Code::NotFound));
    let set = async |seed| fixture.set_avatar(ADA, picture::jpeg(300, 200, seed)).await;
    set(2).await.expect("set");
    take_down().await.expect("taken down");
    assert_eq!(fixture.avatar(ADA).await, Avatar::default());
    let decided = fixture.show(photo).await.decisions;
    let last = decided.last().expect("a decision");
    assert_eq!(
        (last.act.as_str(), last.reason.as_str()),
        ("avatar-removed", "Not a person.")
    );

    set(3).await.expect("set again");
    let ban = SetBanRequest {
        profile_id: ADA,
        is_banned: true,
        reason: "Again.".to_owned(),
    };
    let ban = calls::operator(ban);
    fixture.review.clone().set_ban(ban).await.expect("banned");
    assert_eq!(fixture.avatar(ADA).await, Avatar::default());
    assert_eq!(set(4).await.expect_err("banned").code, Code::Forbidden);
    until("only the photo's files are left", async || {
        (fixture.parts.blob_files().len() == 10).then_some(())
    })
    .await;
}
