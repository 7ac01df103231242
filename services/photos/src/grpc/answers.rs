//! Conversion of domain types to protobuf.

use chassis::instant;
use cityguide_proto::paging::v1::PageInfo;
use photos_proto::v1::{self as proto, ListPhotosResponse};
use uuid::Uuid;

use crate::domain::{Photo, is_on_instagram};

pub(super) fn page(photos: Vec<Photo>, page: PageInfo, reader: Option<i64>) -> ListPhotosResponse {
    ListPhotosResponse {
        photos: photos.into_iter().map(|one| photo(one, reader)).collect(),
        page: Some(page),
    }
}

/// The name of a picture in the addresses of its files.
pub(super) fn name(picture: Uuid) -> String {
    picture.simple().to_string()
}

/// A photo, as shown to a caller.
pub(super) fn photo(photo: Photo, reader: Option<i64>) -> proto::Photo {
    proto::Photo {
        id: photo.id,
        listing_id: photo.listing_id,
        picture: photo.picture.map(|picture| proto::Picture {
            name: name(photo.name),
            width: picture.width.unsigned_abs(),
            height: picture.height.unsigned_abs(),
            thumbhash: picture.thumbhash,
        }),
        description: photo.description,
        credit: photo.credit,
        licence: photo.licence,
        created: Some(instant::to_proto(photo.created_at)),
        author: Some(proto::Author {
            full_name: photo.full_name,
            avatar: photo.avatar.map(name),
            is_on_instagram: is_on_instagram(photo.profile_id),
        }),
        status: photo.status.as_str().to_owned(),
        reason: photo.reason,
        is_own: reader == Some(photo.profile_id),
    }
}
