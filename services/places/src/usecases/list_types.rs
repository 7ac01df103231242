//! The types of places.

use chassis::error::Fault;

use crate::{context::Context, domain::ListingType, store::types};

/// Every type with the number of its places, by name.
pub(crate) async fn list_types(context: &Context) -> Result<Vec<ListingType>, Fault> {
    Ok(types::all(&context.pool).await?)
}
