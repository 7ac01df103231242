import { useId, type ReactNode } from 'react'
import type { Event, Listing } from '#/api/types'
import { EventCard } from '#/features/events/EventCard'
import { PlaceWithControls } from '#/features/listings/PlaceWithControls'
import type { SavedName } from '#/features/saved/kinds'
import { Retry } from '#/ui/Retry'
import { SectionHeading } from '#/ui/SectionHeading'
import { SiteLink } from '#/ui/SiteLink'
import styles from './HomeBlocks.module.css'
import type { SavedLine } from './recently-saved'
import { sectionHref, SECTIONS } from './sections'

/** The data of a block, which may still be loading. */
export interface BlockProps<T> {
  data: T | undefined
  isFailed: boolean
  onRetry: () => void
}

interface HomeBlockProps {
  title: string
  aside?: ReactNode
  children: ReactNode
}

export function HomeBlock({ title, aside, children }: HomeBlockProps) {
  const id = useId()
  return (
    <section className={styles.block} aria-labelledby={id}>
      <SectionHeading id={id} aside={aside}>
        {title}
      </SectionHeading>
      {children}
    </section>
  )
}

/** A link to the section with all things of a kind. */
function SeeAll({ kind }: { kind: SavedName }) {
  return <SiteLink href={sectionHref(kind)}>{`All ${SECTIONS[kind].label.toLowerCase()}`}</SiteLink>
}

interface OpenNowProps extends BlockProps<Listing[]> {
  /** The kind that most of the places are saved as, whose section is linked. */
  kind: 'favourite' | 'todo'
}

/** The saved places that are open now. */
export function OpenNow({ kind, data = [], isFailed, onRetry }: OpenNowProps) {
  if (isFailed) return <Retry title="Your open places did not load" onRetry={onRetry} />
  return (
    <HomeBlock title="Open now" aside={<SeeAll kind={kind} />}>
      {data.length === 0 ? (
        <p className={styles.none}>None of your places is open right now.</p>
      ) : (
        <ul className={styles.lines}>
          {data.map((place) => (
            <li key={place.id}>
              <PlaceWithControls place={place} look="line" />
            </li>
          ))}
        </ul>
      )}
    </HomeBlock>
  )
}

/** The saved events of the next two weeks. */
export function ComingEvents({ data = [], isFailed, onRetry }: BlockProps<Event[]>) {
  if (isFailed) return <Retry title="Your coming events did not load" onRetry={onRetry} />
  return (
    <HomeBlock title="In the next two weeks" aside={<SeeAll kind="event-bookmark" />}>
      {data.length === 0 ? (
        <p className={styles.none}>None of your saved events is in the next two weeks.</p>
      ) : (
        <ul className={styles.lines}>
          {data.map((event) => (
            <li key={event.id}>
              <EventCard event={event} look="line" />
            </li>
          ))}
        </ul>
      )}
    </HomeBlock>
  )
}

/** The newest saved things of all kinds; empty if all of them have been withdrawn. */
export function RecentlySaved({ data = [], isFailed, onRetry }: BlockProps<SavedLine[]>) {
  if (isFailed) return <Retry title="What you kept lately did not load" onRetry={onRetry} />
  if (data.length === 0) return null
  return (
    <HomeBlock title="Recently saved">
      <ul className={styles.lines}>
        {data.map(({ key, line }) => (
          <li key={key}>{line}</li>
        ))}
      </ul>
    </HomeBlock>
  )
}
