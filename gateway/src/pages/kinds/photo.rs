//! A reader's photo, shown over the page of its place (`web/src/routes/photo.tsx`).

use super::place;
use crate::{
    edge::error::ApiError,
    pages::{
        meta::Meta,
        opening::{Opening, PageContext},
    },
    v2::photos,
};

/// Opens a photo's page. Not found if the photo belongs to another place.
pub(in crate::pages) async fn open(
    page: &PageContext<'_>,
    listing: i64,
    id: i64,
) -> Result<Opening, ApiError> {
    let (opening, found) = tokio::try_join!(
        place::open(page, listing),
        page.get(photos::detail_call(id))
    )?;
    let (photo, answer) = found;
    let path = photo.share_path.as_deref();
    let path = path.filter(|_| photo.listing.id == listing);
    let path = path.ok_or_else(ApiError::not_found)?;
    let title = match photo.profile.as_ref().or(photo.instagram_user.as_ref()) {
        Some(author) => format!("{}, by {}", photo.listing.name, author.full_name),
        None => photo.listing.name.clone(),
    };
    let description = Some(photo.description.clone()).filter(|text| !text.is_empty());
    let mut answers = opening.answers;
    answers.push(answer);
    Ok(Opening {
        meta: Meta {
            description,
            image: photo.whole_url.clone(),
            ..Meta::page(&title, path)
        },
        content: opening.content,
        answers,
    })
}
