//! The parts of the city.

use chassis::error::Fault;

use crate::{context::Context, domain::Neighbourhood, store::neighbourhoods};

/// Every neighbourhood with the number of its places, by name.
pub(crate) async fn list_neighbourhoods(context: &Context) -> Result<Vec<Neighbourhood>, Fault> {
    Ok(neighbourhoods::all(&context.pool).await?)
}
