import { useQuery } from '@tanstack/react-query'
import { ContestCard } from '#/features/contests/ContestCard'
import { contestRowOptions } from '#/features/contests/queries'
import { CardSkeletons } from '#/ui/CardSkeleton'
import { BlockSection, type BlockProps } from './BlockSection'
import styles from './Blocks.module.css'

/** The newest contests with the time left to enter. */
export function ContestsBlock({ block }: BlockProps) {
  const row = useQuery(contestRowOptions(block.limit))
  // A row that fails or is empty is left out; the section's own page offers a retry.
  if (row.isError || row.data?.length === 0) return null
  return (
    <BlockSection block={block} isBusy={row.isPending}>
      {row.isPending ? (
        <div className={styles.threes}>
          <CardSkeletons count={block.limit} hasKicker hasDeck />
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
