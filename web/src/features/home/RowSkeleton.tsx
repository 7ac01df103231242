import { PairSkeleton } from '#/features/grid/Pair'
import { ShelfSkeleton } from '#/features/grid/Shelf'
import { upTo } from '#/lib/breakpoints'
import { useMediaQuery } from '#/lib/use-media-query'
import { CardSkeletons } from '#/ui/CardSkeleton'

/** Maximum number of items in a row; more items are a lead and an index of the others. */
export const SHELF = 4

interface Props {
  limit: number
  /** Whether the items have a heart and a flag. */
  hasControls?: boolean
}

/** Reserves the space of a row of articles or places while they load. */
export function RowSkeleton({ limit, hasControls = false }: Props) {
  const parts = { hasKicker: true, hasMeta: true }
  // A phone shows one line of each deck; elsewhere most decks have two.
  const isPhone = useMediaQuery(upTo('xSmall'))
  if (limit > SHELF) {
    return (
      <PairSkeleton first={<CardSkeletons count={1} deckLines={2} {...parts} />}>
        <CardSkeletons
          count={limit - 1}
          look="line"
          nameLines={1}
          deckLines={isPhone ? 1 : 2}
          hasControls={hasControls}
          {...parts}
        />
      </PairSkeleton>
    )
  }
  return (
    <ShelfSkeleton>
      <CardSkeletons count={limit} deckLines={3} {...parts} />
    </ShelfSkeleton>
  )
}
