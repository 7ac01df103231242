//! Lists neighbourhoods.

use chassis::error::Fault;

use crate::{context::Context, domain::Neighbourhood, store::neighbourhoods};

/// Returns all neighbourhoods, ordered by name, with their numbers of places.
pub(crate) async fn list_neighbourhoods(context: &Context) -> Result<Vec<Neighbourhood>, Fault> {
    Ok(neighbourhoods::all(&context.pool).await?)
}
