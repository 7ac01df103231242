import { useQuery } from '@tanstack/react-query'
import { ContestCard } from '#/features/contests/ContestCard'
import { contestRowOptions } from '#/features/contests/queries'
import { Skeleton } from '#/ui/Skeleton'
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
        <Skeleton height="14rem" />
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
