//! Addresses of all places, for sitemaps.

use chassis::{blocks, error::Fault, instant};
use cityguide_proto::paging::v1::{Address, Block};

use crate::{context::Context, domain::PagePath, store::addresses};

/// Returns the numbers of the blocks of this size that contain places.
pub(crate) async fn list_blocks(context: &Context, size: u32) -> Result<Vec<u32>, Fault> {
    let numbers = addresses::blocks(&context.pool, blocks::size(size)?).await?;
    Ok(numbers.into_iter().map(blocks::number).collect())
}

/// Returns the addresses of a block's places.
pub(crate) async fn list_addresses(
    context: &Context,
    block: Option<&Block>,
) -> Result<Vec<Address>, Fault> {
    let ids = blocks::ids(block)?;
    let rows = addresses::within(&context.pool, &ids).await?;
    let addresses = rows.into_iter().map(|row| {
        let path = PagePath::Listing {
            type_slug: row.type_slug,
            slug: row.slug,
        };
        Address {
            path: path.canonical(),
            changed_at: Some(instant::to_proto(row.changed_at)),
        }
    });
    Ok(addresses.collect())
}
