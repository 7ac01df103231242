import { PairRoom } from '#/features/grid/Pair'
import { ShelfRoom } from '#/features/grid/Shelf'
import { CardSkeletons } from '#/ui/CardSkeleton'

/** The most items that stand in a row; more are a lead and an index of the others. */
export const SHELF = 4

interface Props {
  limit: number
  /** Whether they have a heart and a flag. */
  hasControls?: boolean
}

/** The room of as many articles or places while they load. */
export function RowRoom({ limit, hasControls = false }: Props) {
  const parts = { hasKicker: true, hasMeta: true }
  if (limit > SHELF) {
    return (
      <PairRoom first={<CardSkeletons count={1} {...parts} />}>
        <CardSkeletons
          count={limit - 1}
          look="line"
          nameLines={1}
          hasControls={hasControls}
          {...parts}
        />
      </PairRoom>
    )
  }
  return (
    <ShelfRoom>
      <CardSkeletons count={limit} {...parts} />
    </ShelfRoom>
  )
}
