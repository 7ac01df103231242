/** Up to this number of items, a list has no search, no order and no lead. The gateway's `content/grid.rs` has the same. */
export const FEW = 4
