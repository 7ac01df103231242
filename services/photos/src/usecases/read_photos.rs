//! Reads photos: of a place, of all places, the reader's own, or a single photo.

use chassis::paging::Page;
use cityguide_proto::paging::v1::{PageInfo, PageRequest};

use crate::{
    context::Context,
    domain::{Photo, Status},
    error::Error,
    store::{counts, photos, uploaders},
};

/// A page of published photos of a place, with an exact count, or of all places.
pub(crate) async fn list_photos(
    context: &Context,
    listing_id: Option<i64>,
    request: Option<&PageRequest>,
) -> Result<(Vec<Photo>, PageInfo), Error> {
    let page = Page::parse(request, photos::PUBLISHED_ORDERINGS)?.with_key(photos::key_type)?;
    let count = match listing_id {
        Some(listing_id) => counts::of_listing(&context.pool, listing_id).await?,
        None => -1,
    };
    let rows = photos::list(&context.pool, listing_id, &page).await?;
    Ok(page.finish(rows, count, photos::published_cursor))
}

/// A page of a reader's own photos, or of the reader's photos with the given ids.
pub(crate) async fn list_own_photos(
    context: &Context,
    profile_id: i64,
    ids: &[i64],
    request: Option<&PageRequest>,
) -> Result<(Vec<Photo>, PageInfo), Error> {
    let page = Page::parse(request, photos::OWN_ORDERINGS)?.with_key(photos::key_type)?;
    let count = if ids.is_empty() {
        uploaders::count(&context.pool, profile_id).await?
    } else {
        -1
    };
    let rows = photos::list_own(&context.pool, profile_id, ids, &page).await?;
    Ok(page.finish(rows, count, photos::own_cursor))
}

/// The number of a reader's own photos.
pub(crate) async fn count_own_photos(context: &Context, profile_id: i64) -> Result<i64, Error> {
    Ok(uploaders::count(&context.pool, profile_id).await?)
}

/// A photo with its position among its place's published photos, starting at 1, and their number.
#[derive(Debug)]
pub(crate) struct Positioned {
    pub(crate) photo: Photo,
    /// 0 if the photo is not published.
    pub(crate) index: i64,
    pub(crate) total: i64,
}

/// A published photo, or one of the caller's own photos.
pub(crate) async fn get_photo(
    context: &Context,
    reader: Option<i64>,
    id: i64,
) -> Result<Positioned, Error> {
    let found = photos::find(&context.pool, id).await?;
    let photo = found.filter(|photo| photo.is_for(reader));
    let photo = photo.ok_or(Error::NotFound)?;
    let published_at = photo
        .published_at
        .filter(|_| photo.status == Status::Published);
    let index = match published_at {
        Some(at) => 1 + photos::count_before(&context.pool, photo.listing_id, at, id).await?,
        None => 0,
    };
    let total = counts::of_listing(&context.pool, photo.listing_id).await?;
    Ok(Positioned {
        photo,
        index,
        total,
    })
}
