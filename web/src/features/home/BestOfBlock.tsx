import { useQuery } from '@tanstack/react-query'
import { BestOfCard } from '#/features/best-of/BestOfCard'
import { bestOfRowOptions } from '#/features/best-of/queries'
import { Shelf, ShelfSkeleton } from '#/features/grid/Shelf'
import { CardSkeletons } from '#/ui/CardSkeleton'
import { BlockSection, type BlockProps } from './BlockSection'

export function BestOfBlock({ block, isFirst }: BlockProps) {
  const row = useQuery(bestOfRowOptions(block.limit))
  // The block is omitted if it is empty or failed to load; the section's own page offers a retry.
  if (row.isError || row.data?.length === 0) return null
  return (
    <BlockSection block={block} isBusy={row.isPending}>
      {row.isPending ? (
        <ShelfSkeleton>
          <CardSkeletons count={block.limit} hasKicker deckLines={3} />
        </ShelfSkeleton>
      ) : (
        <Shelf>
          {row.data.map((list) => (
            <li key={list.id}>
              <BestOfCard list={list} isFirst={isFirst} />
            </li>
          ))}
        </Shelf>
      )}
    </BlockSection>
  )
}
