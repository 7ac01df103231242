//! Types and rules of what readers keep.

mod favourite;
mod item;
mod listing;
mod stamp;

pub(crate) use favourite::{Favourite, Kept};
pub(crate) use item::KnownItem;
pub(crate) use listing::KnownListing;
pub(crate) use stamp::{Kind, SETTLED_AFTER, Stamp, Touched};
