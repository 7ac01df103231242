import { useQuery } from '@tanstack/react-query'
import { EventCard } from '#/features/events/EventCard'
import { eventRowOptions } from '#/features/events/queries'
import { CardSkeletons } from '#/ui/CardSkeleton'
import { BlockSection, type BlockProps } from './BlockSection'
import styles from './Blocks.module.css'

/** The next events, each with its day. */
export function EventsBlock({ block }: BlockProps) {
  const row = useQuery(eventRowOptions(block.limit))
  // The block is omitted if it is empty or failed to load; the section's own page offers a retry.
  if (row.isError || row.data?.length === 0) return null
  return (
    <BlockSection block={block} isBusy={row.isPending}>
      {row.isPending ? (
        <div className={styles.lines}>
          <CardSkeletons count={block.limit} look="line" hasKicker deckLines={1} hasMeta />
        </div>
      ) : (
        <ul className={styles.lines}>
          {row.data.map((event) => (
            <li key={event.id}>
              <EventCard event={event} look="line" />
            </li>
          ))}
        </ul>
      )}
    </BlockSection>
  )
}
