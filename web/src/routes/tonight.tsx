import { useQuery } from '@tanstack/react-query'
import { useMemo, useState } from 'react'
import type { Tonight } from '#/api/types'
import { EventLines } from '#/features/events/Diary'
import { LatePlacesMap } from '#/features/listings/LatePlacesMap'
import { NearMe } from '#/features/search/NearMe'
import { PageTitle } from '#/features/site/PageTitle'
import { useHasSection, useSite } from '#/features/site/site'
import type { Position } from '#/features/tonight/distance'
import {
  eveningOf,
  eventsOf,
  factsOf,
  ORDERS,
  placesOf,
  tonightAddress,
  type Evening,
  type Order,
} from '#/features/tonight/evening'
import { onMap } from '#/features/tonight/on-map'
import { OpenPlaces } from '#/features/tonight/OpenPlaces'
import { tonightOptions } from '#/features/tonight/queries'
import { clockValue, clockWords } from '#/lib/time'
import { useAddressQuery } from '#/lib/use-address-query'
import { useMinute } from '#/lib/use-minute'
import { Button } from '#/ui/Button'
import { CardSkeletons } from '#/ui/CardSkeleton'
import { Loaded } from '#/ui/Loaded'
import { PageHead } from '#/ui/PageHead'
import { Placeholder } from '#/ui/Placeholder'
import { SelectField } from '#/ui/SelectField'
import { SiteLink } from '#/ui/SiteLink'
import { TabStrip } from '#/ui/TabStrip'
import styles from './tonight.module.css'

const NAMES = ['at', 'type', 'order'] as const

/** The number of places before the button for the others. */
const FIRST_PLACES = 24

/** Events and open places of tonight. The page ranks the day's file itself, so that no position leaves the device. */
export function TonightPage() {
  const site = useSite()
  const file = useQuery(tonightOptions())
  const facts = file.data && factsOf(file.data, site.timezone).join(' · ')
  return (
    <>
      <PageTitle page={`Tonight in ${site.city}`} />
      <PageHead title={`Tonight in ${site.city}`} deck={facts ?? ''} />
      <Loaded query={file} skeleton={<TonightSkeleton />}>
        {(tonight) => <Night tonight={tonight} />}
      </Loaded>
    </>
  )
}

function Night({ tonight }: { tonight: Tonight }) {
  const { timezone } = useSite()
  const { values } = useAddressQuery(NAMES)
  const evening = eveningOf(tonight, timezone, useMinute(), values.at)
  const at = evening.isChosen ? values.at : undefined
  return (
    <>
      <TabStrip
        label="Time"
        tabs={[undefined, ...evening.hours].map((hour) => ({
          label: hour === undefined ? 'Now' : clockWords(hour, timezone),
          href: tonightAddress({
            ...values,
            at: hour === undefined ? hour : clockValue(hour, timezone),
          }),
        }))}
        current={tonightAddress({ ...values, at })}
      />
      <div className={styles.columns}>
        {useHasSection('events') && <Events evening={evening} />}
        <Places evening={evening} choice={{ ...values, at }} />
      </div>
    </>
  )
}

function Events({ evening }: { evening: Evening }) {
  const events = eventsOf(evening)
  return (
    <section>
      <h2 className={styles.heading}>What’s on</h2>
      {events.length === 0 ? (
        <p className={styles.nothing}>
          Nothing more tonight. <SiteLink href="/events/">See the next days</SiteLink>
        </p>
      ) : (
        <div className={styles.events}>
          <EventLines events={events} />
        </div>
      )}
    </section>
  )
}

interface PlacesProps {
  evening: Evening
  choice: Partial<Record<(typeof NAMES)[number], string | undefined>>
}

function Places({ evening, choice }: PlacesProps) {
  const { select } = useAddressQuery(NAMES)
  const [here, setHere] = useState<Position>()
  const [hasAll, setHasAll] = useState(false)
  const [hasMap, setHasMap] = useState(false)
  const { types } = evening.tonight
  const type = types.find(({ slug }) => slug === choice.type)?.slug
  const order: Order = ORDERS.find(({ value }) => value === choice.order)?.value ?? 'picks'
  const places = placesOf(evening, type, order, here)
  const open = places.filter(({ state }) => state !== 'closed')
  const shown = hasAll ? places : places.slice(0, FIRST_PLACES)
  return (
    <section>
      <h2 className={styles.heading}>
        {evening.isChosen ? `Open at ${clockWords(evening.at, evening.zone)}` : 'Open now'}{' '}
        <span>{open.length === 1 ? '1 place' : `${open.length} places`}</span>
      </h2>
      <TabStrip
        label="Type"
        tabs={[undefined, ...types].map((one) => ({
          label: one?.name ?? 'All',
          href: tonightAddress({ ...choice, type: one?.slug }),
        }))}
        current={tonightAddress({ ...choice, type })}
      />
      <div className={styles.tools}>
        <SelectField
          label="Sort"
          value={order}
          options={ORDERS}
          onChange={(value) => select({ order: value === 'picks' ? undefined : value })}
        />
        <Button look="outline" aria-expanded={hasMap} onClick={() => setHasMap(!hasMap)}>
          {hasMap ? 'Hide the map' : 'Show on a map'}
        </Button>
      </div>
      {order === 'nearest' && !here && (
        <NearMe onPosition={(position) => setHere(position.split(',').map(Number))}>
          Your location stays on this device.
        </NearMe>
      )}
      {hasMap && <OpenMap places={open.map(({ place }) => place)} events={eventsOf(evening)} />}
      <OpenPlaces evening={evening} places={shown} />
      {shown.length < places.length && (
        <p className={styles.more}>
          <Button look="outline" onClick={() => setHasAll(true)}>
            Show all {places.length} places
          </Button>
        </p>
      )}
    </section>
  )
}

/** The open places, and the events whose position is known. */
function OpenMap({ places, events }: Pick<Tonight, 'places' | 'events'>) {
  // The map is drawn again only if other places are open, or an event has ended.
  const key = [places, events].map((all) => all.map(({ id }) => id).join()).join(';')
  const shown = useMemo(
    () => onMap(places, events),
    // eslint-disable-next-line react-hooks/exhaustive-deps -- `key` identifies places and events
    [key],
  )
  return (
    <LatePlacesMap
      what="the open places and tonight’s events"
      places={shown}
      groupedAs="places and events"
    />
  )
}

function TonightSkeleton() {
  return (
    <Placeholder what="tonight">
      <CardSkeletons count={12} look="line" hasMeta />
    </Placeholder>
  )
}
