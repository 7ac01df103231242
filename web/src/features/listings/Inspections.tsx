import { useInfiniteQuery } from '@tanstack/react-query'
import type { Infraction, Inspection, ListingDetail } from '#/api/types'
import { itemsOf } from '#/lib/paging'
import { grouped } from '#/lib/words'
import { LoadMore } from '#/ui/LoadMore'
import heading from '#/ui/SectionHeading.module.css'
import styles from './Inspections.module.css'
import { inspectionPagesOptions } from './queries'

const SEVERITIES = { minor: 'Minor', significant: 'Significant', crucial: 'Crucial' } as const

interface Props {
  place: Pick<ListingDetail, 'id' | 'inspections'>
}

/** The city's inspections of a place, the latest first; empty if there are none. */
export function Inspections({ place }: Props) {
  const list = useInfiniteQuery(inspectionPagesOptions(place))
  const inspections = itemsOf(list.data?.pages ?? [])
  if (inspections.length === 0) return null
  return (
    <details className={styles.section}>
      <summary className={styles.summary}>
        <h2 className={heading.title}>Food inspections</h2>
      </summary>
      <ol className={styles.timeline}>
        {inspections.map((one) => (
          <Entry key={one.id} inspection={one} />
        ))}
      </ol>
      <LoadMore
        hasMore={list.hasNextPage}
        isLoading={list.isFetchingNextPage}
        isFailed={list.isFetchNextPageError}
        loaded={inspections.length}
        total={list.data?.pages.at(-1)?.count ?? -1}
        onMore={() => void list.fetchNextPage()}
      />
    </details>
  )
}

function Entry({ inspection }: { inspection: Inspection }) {
  const { infractions } = inspection
  return (
    <li className={styles.inspection} data-passed={inspection.is_pass || undefined}>
      <h3 className={styles.outcome}>{inspection.outcome}</h3>
      <p className={styles.when}>
        <time dateTime={inspection.date}>{inspection.inspected_on}</time>
        {', '}
        {infractions.length === 0
          ? 'no infractions'
          : `${grouped(infractions.length)} ${infractions.length === 1 ? 'infraction' : 'infractions'}`}
      </p>
      {infractions.length > 0 && (
        <ul className={styles.infractions}>
          {infractions.map((one, index) => (
            // Infractions have no ids, and their order never changes.
            <Item key={index} infraction={one} />
          ))}
        </ul>
      )}
    </li>
  )
}

function Item({ infraction }: { infraction: Infraction }) {
  const { action, court_outcome, details, fine_text, severity } = infraction
  const notes = [action, court_outcome, fine_text].filter((note) => note != null)
  return (
    <li>
      {severity && <b className={styles.severity}>{SEVERITIES[severity]}</b>} {details}
      {notes.length > 0 && <span className={styles.notes}>{notes.join(' · ')}</span>}
    </li>
  )
}
