//! Find the item of a page's path.

use chassis::error::Fault;

use crate::{
    context::Context,
    domain::{ItemText, PagePath},
    store::{items, moved},
};

/// The item found, or where it has moved.
pub(crate) struct Resolved {
    pub(crate) found: ItemText,
    /// The path that was asked for is a former one.
    pub(crate) has_moved: bool,
}

/// Finds what a path names, or what it named before it moved.
pub(crate) async fn resolve(context: &Context, path: &str) -> Result<Resolved, Fault> {
    let path = PagePath::parse(path).ok_or_else(Fault::not_found)?;
    if let Some(found) = items::at(&context.pool, &path).await? {
        return Ok(Resolved {
            found,
            has_moved: false,
        });
    }
    let moved = moved::find(&context.pool, &path.canonical()).await?;
    let found = items::any(&context.pool, moved.ok_or_else(Fault::not_found)?).await?;
    Ok(Resolved {
        found: found.ok_or_else(Fault::not_found)?,
        has_moved: true,
    })
}
