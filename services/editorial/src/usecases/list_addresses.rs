//! Addresses of all items, for sitemaps.

use chassis::{blocks, error::Fault, instant};
use cityguide_proto::paging::v1::{Address, Block};

use crate::{
    context::Context,
    domain::{Kind, PagePath},
    store::addresses,
};

/// Returns the numbers of the blocks of this size that contain published items of a kind.
pub(crate) async fn list_blocks(
    context: &Context,
    kind: Kind,
    size: u32,
) -> Result<Vec<u32>, Fault> {
    let size = blocks::size(size)?;
    let numbers = addresses::blocks(&context.pool, kind, size).await?;
    Ok(numbers.into_iter().map(blocks::number).collect())
}

/// Returns the addresses of a block's published items of a kind.
pub(crate) async fn list_addresses(
    context: &Context,
    kind: Kind,
    block: Option<&Block>,
) -> Result<Vec<Address>, Fault> {
    let ids = blocks::ids(block)?;
    let rows = addresses::within(&context.pool, kind, &ids).await?;
    let addresses = rows.into_iter().map(|row| Address {
        path: PagePath::new(kind, &row.section, &row.slug).canonical(),
        changed_at: Some(instant::to_proto(row.changed_at)),
    });
    Ok(addresses.collect())
}
