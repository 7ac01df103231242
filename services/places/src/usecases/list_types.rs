//! Lists types of places.

use chassis::error::Fault;

use crate::{context::Context, domain::ListingType, store::types};

/// Returns all types, ordered by name, with their numbers of places.
pub(crate) async fn list_types(context: &Context) -> Result<Vec<ListingType>, Fault> {
    Ok(types::all(&context.pool).await?)
}
