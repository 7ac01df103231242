//! `cityguide photos`: review of readers' photos by editors.

use std::time::Duration;

use chassis::call::{Call, Caller};
use clap::Subcommand;
use photos_proto::v1::{
    DecidePhotoRequest, ListWaitingRequest, ReviewedPhoto, SetBanRequest, ShowPhotoRequest,
    TakeDownAvatarRequest, review_client::ReviewClient,
};
use prost_types::Timestamp;

use super::{
    console::{moment, print},
    operated::{Operated, failure},
};
use crate::{settings::Settings, targets::Target};

/// Timeout of a call: banning a reader refuses all of their waiting photos.
const TIMEOUT: Duration = Duration::from_mins(1);

#[derive(Debug, Clone, Subcommand)]
pub(crate) enum Photos {
    /// List photos that await review, and decide about them.
    #[command(subcommand)]
    Review(Review),
}

#[derive(Debug, Clone, Subcommand)]
pub(crate) enum Review {
    /// List the photos that await review, oldest first, at most 100.
    List,
    /// Show a photo with its reports, and the decisions about the photo and its uploader.
    Show {
        /// The photo's id
        id: i64,
    },
    /// Publish photos.
    Accept {
        /// Ids from the list
        #[arg(required = true)]
        ids: Vec<i64>,
    },
    /// Refuse photos, or take published photos down. Their uploaders are sent the reason by email.
    Refuse {
        /// Ids from the list
        #[arg(required = true)]
        ids: Vec<i64>,
        /// The reason that is sent to the uploader
        #[arg(long)]
        reason: String,
    },
    /// Ban a reader from uploading, refuse the reader's waiting photos, and remove the reader's profile picture.
    Ban {
        /// The id of the reader's profile, as in the list
        profile: i64,
        /// The reason that is recorded with the refused photos
        #[arg(long)]
        reason: String,
    },
    /// Remove a reader's profile picture.
    RemoveAvatar {
        /// The id of the reader's profile, as in the list
        profile: i64,
        /// The reason, for the audit trail and the reader's export
        #[arg(long)]
        reason: String,
    },
    /// Allow a reader to upload again.
    Allow {
        /// The id of the reader's profile
        profile: i64,
        /// The reason, for the audit trail
        #[arg(long)]
        reason: String,
    },
}

pub(super) async fn photos(
    settings: &Settings,
    Photos::Review(what): Photos,
) -> Result<(), String> {
    let system = Operated::connect(settings).await?;
    let mut review = ReviewClient::new(system.transport(Target::Photos)?);
    let call = Call::new(Caller::Operator, TIMEOUT);
    match what {
        Review::List => {
            let request = call.request(ListWaitingRequest {});
            let listed = review.list_waiting(request).await.map_err(failure)?;
            let photos = listed.into_inner().photos;
            for photo in &photos {
                print(&line(photo))?;
            }
            print(&format!("{} photos wait", photos.len()))
        }
        Review::Show { id } => {
            let request = call.request(ShowPhotoRequest { id });
            let photo = review.show_photo(request).await.map_err(failure)?;
            print(&whole(&photo.into_inner()))
        }
        Review::Accept { ids } => decide(&mut review, call, &ids, None).await,
        Review::Refuse { ids, reason } => decide(&mut review, call, &ids, Some(&reason)).await,
        Review::Ban { profile, reason } => {
            let refused = set_ban(&mut review, call, profile, true, reason).await?;
            print(&format!(
                "reader {profile} may not upload any more; {refused} photos refused"
            ))
        }
        Review::RemoveAvatar {
            profile: profile_id,
            reason,
        } => {
            let request = call.request(TakeDownAvatarRequest { profile_id, reason });
            let done = review.take_down_avatar(request).await;
            done.map_err(|status| format!("{profile_id}: {}", failure(status)))?;
            print(&format!("reader {profile_id} has no picture any more"))
        }
        Review::Allow { profile, reason } => {
            set_ban(&mut review, call, profile, false, reason).await?;
            print(&format!("reader {profile} may upload again"))
        }
    }
}

type Client = ReviewClient<chassis::rpc::Transport>;

/// Accepts photos, or refuses them for a reason.
async fn decide(
    review: &mut Client,
    call: Call,
    ids: &[i64],
    reason: Option<&str>,
) -> Result<(), String> {
    for id in ids {
        let request = call.request(DecidePhotoRequest {
            id: *id,
            accept: reason.is_none(),
            reason: reason.unwrap_or_default().to_owned(),
        });
        let decided = review.decide_photo(request).await;
        decided.map_err(|status| format!("{id}: {}", failure(status)))?;
        let verb = if reason.is_none() {
            "published"
        } else {
            "refused"
        };
        print(&format!("{id}: {verb}"))?;
    }
    Ok(())
}

async fn set_ban(
    review: &mut Client,
    call: Call,
    profile_id: i64,
    is_banned: bool,
    reason: String,
) -> Result<i64, String> {
    let request = call.request(SetBanRequest {
        profile_id,
        is_banned,
        reason,
    });
    let set = review.set_ban(request).await;
    let set = set.map_err(|status| format!("{profile_id}: {}", failure(status)))?;
    Ok(set.into_inner().refused)
}

/// Formats a waiting photo as one line.
fn line(reviewed: &ReviewedPhoto) -> String {
    let photo = reviewed.photo.clone().unwrap_or_default();
    let author = photo.author.unwrap_or_default().full_name;
    format!(
        "{}: {} by {author} (reader {}) at place {}, {}: {:?}",
        photo.id,
        reviewed.suspicion,
        reviewed.profile_id,
        photo.listing_id,
        time(photo.created.as_ref()),
        photo.description,
    )
}

/// Formats a photo with all details that an operator needs for a decision.
fn whole(reviewed: &ReviewedPhoto) -> String {
    let photo = reviewed.photo.clone().unwrap_or_default();
    let mut lines = vec![
        line(reviewed),
        format!("status: {} {}", photo.status, photo.reason)
            .trim_end()
            .to_owned(),
        format!("credit: {:?}, licence: {}", photo.credit, photo.licence),
    ];
    if let Some(picture) = &photo.picture {
        lines.push(format!(
            "picture: photos/{}/whole.jpg of the blobs, from {}x{} pixels",
            picture.name, picture.width, picture.height
        ));
    }
    if let Some(avatar) = photo.author.and_then(|author| author.avatar) {
        lines.push(format!(
            "the reader's own picture: photos/{avatar}/80x80.jpg of the blobs"
        ));
    }
    if reviewed.is_banned {
        lines.push("the reader may not upload any more".to_owned());
    }
    lines.extend(reviewed.reports.iter().map(|report| {
        let at = time(report.at.as_ref());
        format!("reported {at} as {}: {:?}", report.reason, report.comment)
    }));
    lines.extend(reviewed.decisions.iter().map(|decision| {
        let at = time(decision.at.as_ref());
        let by = match decision.operator.as_str() {
            "" => "the system",
            operator => operator,
        };
        format!("{} {at} by {by}: {:?}", decision.act, decision.reason)
    }));
    lines.join("\n")
}

fn time(at: Option<&Timestamp>) -> String {
    format!("{} UTC", moment(at))
}

#[cfg(test)]
mod tests {
    use chassis::instant;
    use photos_proto::v1::{Author, Decision, Photo, Picture, Report};

    use super::*;

    #[test]
    fn a_photo_is_shown_with_all_that_a_decision_needs() {
        let at = "2026-11-24T14:30:00Z".parse().expect("an instant");
        let at = Some(instant::to_proto(at));
        let reviewed = ReviewedPhoto {
            photo: Some(Photo {
                id: 7,
                listing_id: 12,
                picture: Some(Picture {
                    name: "abc".to_owned(),
                    width: 4000,
                    height: 3000,
                    thumbhash: Vec::new(),
                }),
                description: "The \"patio\"\n".to_owned(),
                credit: "Ada".to_owned(),
                licence: "CC0-1.0".to_owned(),
                created: at,
                author: Some(Author {
                    full_name: "Ada King".to_owned(),
                    avatar: Some("def".to_owned()),
                    is_on_instagram: false,
                }),
                status: "waiting".to_owned(),
                reason: String::new(),
                is_own: false,
            }),
            profile_id: 3,
            suspicion: "new-reader".to_owned(),
            reports: vec![Report {
                reason: "other".to_owned(),
                comment: "?".to_owned(),
                at,
            }],
            decisions: vec![Decision {
                act: "hidden".to_owned(),
                reason: String::new(),
                operator: String::new(),
                at,
            }],
            is_banned: true,
        };
        let expected = "\
7: new-reader by Ada King (reader 3) at place 12, 2026-11-24 14:30 UTC: \"The \\\"patio\\\"\\n\"
status: waiting
credit: \"Ada\", licence: CC0-1.0
picture: photos/abc/whole.jpg of the blobs, from 4000x3000 pixels
the reader's own picture: photos/def/80x80.jpg of the blobs
the reader may not upload any more
reported 2026-11-24 14:30 UTC as other: \"?\"
hidden 2026-11-24 14:30 UTC by the system: \"\"";
        assert_eq!(whole(&reviewed), expected);
    }
}
