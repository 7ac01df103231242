import { useState } from 'react'
import styles from '#/features/grid/FilterBar.module.css'
import { GridPage } from '#/features/grid/GridPage'
import { useSite } from '#/features/site/site'
import { pagesQuery } from '#/lib/api-queries'
import { systemClock } from '#/lib/time'
import { useAddressQuery } from '#/lib/use-address-query'
import { KeywordSearch } from '#/ui/KeywordSearch'
import { SelectField } from '#/ui/SelectField'
import { Diary } from './Diary'
import { DiarySkeleton } from './DiarySkeleton'
import { EventCard } from './EventCard'
import { EVENTS, ORDERINGS } from './queries'
import { WINDOWS, windowOf } from './when'

const NAMES = ['when', 'free', 'ordering', 'keywords'] as const
const SOONEST = ORDERINGS[0].value

const PRICES = [
  { value: '', label: 'Any price' },
  { value: '1', label: 'Free' },
] as const

/** Upcoming events with filters by day and price. */
export function EventGrid() {
  const site = useSite()
  const { values, change, select } = useAddressQuery(NAMES)
  // "Today" is the day on which the page was opened.
  const [now] = useState(() => systemClock.now())
  const when = known(WINDOWS, values.when) ?? ''
  const free = known(PRICES, values.free) ?? ''
  const ordering = known(ORDERINGS, values.ordering) ?? SOONEST
  const { keywords } = values
  return (
    <GridPage
      title={`What’s on in ${site.city}`}
      unit={['event', 'events']}
      options={pagesQuery(EVENTS, {
        ...windowOf(when, now, site.timezone),
        free,
        ordering,
        keywords,
      })}
      isFiltered={Boolean(when || free || keywords)}
      onClear={() => change({ when: undefined, free: undefined, keywords: undefined })}
      list={ordering === SOONEST ? (events) => <Diary events={events} /> : undefined}
      skeleton={ordering === SOONEST ? <DiarySkeleton /> : undefined}
      advice="Try another day, any price, or fewer words."
      filters={
        <div className={styles.bar}>
          <KeywordSearch
            key={keywords}
            what="events"
            keywords={keywords ?? ''}
            onSearch={(words) => change({ keywords: words })}
          />
          <SelectField
            label="When"
            value={when}
            options={WINDOWS}
            onChange={(value) => select({ when: value })}
          />
          <SelectField
            label="Price"
            value={free}
            options={PRICES}
            onChange={(value) => select({ free: value })}
          />
          <SelectField
            label="Sort"
            value={ordering}
            options={ORDERINGS}
            onChange={(value) => select({ ordering: value === SOONEST ? undefined : value })}
          />
        </div>
      }
    >
      {(event, index) => <EventCard event={event} isFirst={index < 2} />}
    </GridPage>
  )
}

/** Ignores a value in the address that is not an option. */
function known(
  options: readonly { value: string }[],
  value: string | undefined,
): string | undefined {
  return options.find((option) => option.value === value)?.value
}
