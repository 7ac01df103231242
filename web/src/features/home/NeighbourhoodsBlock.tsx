import { useQuery } from '@tanstack/react-query'
import { NeighbourhoodParagraph } from '#/features/listings/NeighbourhoodIndex'
import { neighbourhoodsOptions } from '#/features/listings/queries'
import { Skeleton } from '#/ui/Skeleton'
import { BlockSection, type BlockProps } from './BlockSection'

/** The neighbourhoods with the most places. */
export function NeighbourhoodsBlock({ block }: BlockProps) {
  const list = useQuery(neighbourhoodsOptions())
  const liveliest = [...(list.data ?? [])]
    .filter((row) => row.count > 0)
    .sort((a, b) => b.count - a.count)
    .slice(0, block.limit)
  if (!list.isLoading && liveliest.length === 0) return null
  return (
    <BlockSection block={block} isBusy={list.isLoading}>
      {list.isLoading ? (
        <Skeleton height="14rem" />
      ) : (
        <NeighbourhoodParagraph neighbourhoods={liveliest} />
      )}
    </BlockSection>
  )
}
