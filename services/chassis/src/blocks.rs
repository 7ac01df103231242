//! Blocks of consecutive ids, which can be fetched without walking through earlier ids, as sitemaps require. A block
//! may contain fewer ids than its size, or none.

use std::ops::Range;

use cityguide_proto::paging::v1::Block;

use crate::error::Fault;

/// The maximum size of a block: the response that lists its contents must fit into a gRPC message (4 MiB).
pub const MAX_SIZE: u32 = 10_000;

/// Validates the requested block size.
pub fn size(size: u32) -> Result<i64, Fault> {
    if (1..=MAX_SIZE).contains(&size) {
        Ok(i64::from(size))
    } else {
        let message = format!("Ensure this value is from 1 to {MAX_SIZE}.");
        Err(Fault::invalid_field("size", message))
    }
}

/// The range of ids in a block. An absent block is refused like a block of size 0.
pub fn ids(block: Option<&Block>) -> Result<Range<i64>, Fault> {
    let block = block.copied().unwrap_or_default();
    let size = size(block.size)?;
    let first = size * i64::from(block.number);
    Ok(first..first + size)
}

/// Converts a block number computed by the database.
#[must_use]
pub fn number(block: i64) -> u32 {
    u32::try_from(block).unwrap_or(u32::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn blocks_follow_one_another_without_a_gap() {
        let block = |number| ids(Some(&Block { size: 7, number })).expect("a block");
        assert_eq!(block(0), 0..7);
        assert_eq!(block(1), 7..14);
        assert!(
            ids(Some(&Block {
                size: MAX_SIZE,
                number: u32::MAX
            }))
            .is_ok()
        );
    }

    #[test]
    fn a_block_of_no_size_or_too_great_a_one_is_refused() {
        for size in [0, MAX_SIZE + 1] {
            let fault = ids(Some(&Block { size, number: 0 })).expect_err("refused");
            assert_eq!(fault.fields[0].field, "size");
        }
        assert!(ids(None).is_err());
    }
}
