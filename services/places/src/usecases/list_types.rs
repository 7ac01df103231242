//! The kinds of places there are.

use crate::{context::Context, domain::ListingType, error::Error, store::types};

/// Every type with the number of its places, by name.
pub(crate) async fn list_types(context: &Context) -> Result<Vec<ListingType>, Error> {
    Ok(types::all(&context.pool).await?)
}
