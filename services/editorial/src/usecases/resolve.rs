//! Finds the item at a page's path.

use chassis::error::Fault;

use crate::{
    context::Context,
    domain::{ItemText, PagePath, former},
    store::{items, moved},
};

/// The item at a current or former path.
pub(crate) struct Resolved {
    pub(crate) found: ItemText,
    /// Whether the requested path is a former path.
    pub(crate) has_moved: bool,
}

/// Finds the item at a current or former path.
pub(crate) async fn resolve(context: &Context, path: &str) -> Result<Resolved, Fault> {
    if let Some(path) = PagePath::parse(path)
        && let Some(found) = items::at(&context.pool, &path).await?
    {
        return Ok(Resolved {
            found,
            has_moved: false,
        });
    }
    let former = former(path).ok_or_else(Fault::not_found)?;
    let moved = moved::find(&context.pool, &former).await?;
    let found = items::any(&context.pool, moved.ok_or_else(Fault::not_found)?).await?;
    Ok(Resolved {
        found: found.ok_or_else(Fault::not_found)?,
        has_moved: true,
    })
}
