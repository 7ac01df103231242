//! Finds the object at a page's path.

use chassis::error::Fault;

use crate::{
    context::Context,
    domain::PagePath,
    store::{best_of, listings, neighbourhoods, types},
};

/// An object found by its path.
pub(crate) struct Resolved {
    pub(crate) path: PagePath,
    pub(crate) id: i64,
}

/// Finds the object at this path.
pub(crate) async fn resolve(context: &Context, path: &str) -> Result<Resolved, Fault> {
    let path = PagePath::parse(path).ok_or_else(Fault::not_found)?;
    let id = match &path {
        PagePath::Type(slug) => types::id_of(&context.pool, slug).await?,
        PagePath::BestOf(slug) => best_of::id_of(&context.pool, slug).await?,
        PagePath::Neighbourhood(slug) => neighbourhoods::id_of(&context.pool, slug).await?,
        PagePath::Listing { type_slug, slug } => {
            listings::id_at(&context.pool, type_slug, slug).await?
        }
    };
    Ok(Resolved {
        path,
        id: id.ok_or_else(Fault::not_found)?,
    })
}
