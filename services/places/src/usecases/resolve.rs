//! Finds the object at a page's path.

use chassis::error::Fault;

use crate::{
    context::Context,
    domain::PagePath,
    store::{best_of, listings, moved, neighbourhoods, types},
};

/// An object found by its path.
pub(crate) struct Resolved {
    /// Its current path.
    pub(crate) path: PagePath,
    pub(crate) id: i64,
    /// Whether the requested path is a former path.
    pub(crate) has_moved: bool,
}

/// Finds the object at this path, or the place that had it.
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
    match (id, path) {
        (Some(id), path) => Ok(Resolved {
            path,
            id,
            has_moved: false,
        }),
        (None, PagePath::Listing { type_slug, slug }) => {
            let place = moved::find(&context.pool, &type_slug, &slug).await?;
            let place = place.ok_or_else(Fault::not_found)?;
            Ok(Resolved {
                path: PagePath::Listing {
                    type_slug: place.type_slug,
                    slug: place.slug,
                },
                id: place.id,
                has_moved: true,
            })
        }
        (None, _) => Err(Fault::not_found()),
    }
}
