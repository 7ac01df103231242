import { useQuery } from '@tanstack/react-query'
import { ContestCard } from '#/features/contests/ContestCard'
import { contestRowOptions } from '#/features/contests/queries'
import { upTo } from '#/lib/breakpoints'
import { useMediaQuery } from '#/lib/use-media-query'
import { CardSkeletons } from '#/ui/CardSkeleton'
import { BlockSection, type BlockProps } from './BlockSection'
import styles from './Blocks.module.css'

/** The newest contests with the time left to enter. */
export function ContestsBlock({ block }: BlockProps) {
  const row = useQuery(contestRowOptions(block.limit))
  // Side by side on a wide screen, names and texts take fewer lines.
  const isSmall = useMediaQuery(upTo('small'))
  // The block is omitted if it is empty or failed to load; the section's own page offers a retry.
  if (row.isError || row.data?.length === 0) return null
  return (
    <BlockSection block={block} isBusy={row.isPending}>
      {row.isPending ? (
        <div className={styles.threes}>
          <CardSkeletons
            count={block.limit}
            nameLines={isSmall ? 2 : 1}
            deckLines={isSmall ? 3 : 2}
            hasMeta
          />
        </div>
      ) : (
        <ul className={styles.threes}>
          {row.data.map((contest) => (
            <li key={contest.id}>
              <ContestCard contest={contest} />
            </li>
          ))}
        </ul>
      )}
    </BlockSection>
  )
}
