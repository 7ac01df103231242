//! The parts of the city.

use crate::{context::Context, domain::Neighbourhood, error::Error, store::neighbourhoods};

/// Every neighbourhood with the number of its places, by name.
pub(crate) async fn list_neighbourhoods(context: &Context) -> Result<Vec<Neighbourhood>, Error> {
    Ok(neighbourhoods::all(&context.pool).await?)
}
