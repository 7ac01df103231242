import { useEffect, useState } from 'react'
import type { Listing } from '#/api/types'
import { DASHBOARD_VISIT } from '#/features/session/session'
import { localStore, readJson } from '#/lib/storage'
import { Retry } from '#/ui/Retry'
import { SiteLink } from '#/ui/SiteLink'
import { HomeBlock, type BlockProps } from './blocks'
import {
  changesBetween,
  hasChanges,
  nextVisits,
  parseVisits,
  type Changes,
  type Snapshot,
} from './changes'
import styles from './HomeBlocks.module.css'
import { OBJECT_TYPES, SAVED_OBJECTS } from './object-types'
import type { SnapshotWithPlaces } from './queries'
import { sectionHref } from './sections'

/** Changes of saved things since the last visit; empty on the first one. */
export function SinceLastVisit({ data, isFailed, onRetry }: BlockProps<SnapshotWithPlaces>) {
  if (isFailed) return <Retry title="What has changed did not load" onRetry={onRetry} />
  return data ? <ChangeList data={data} /> : null
}

function ChangeList({ data: { snapshot, places } }: { data: SnapshotWithPlaces }) {
  const before = useLastVisit(snapshot)
  const changes = before && changesBetween(before, snapshot)
  if (!changes || !hasChanges(changes)) return null
  return (
    <HomeBlock title="Since your last visit">
      <ul className={styles.changes}>
        <Places changes={changes} places={places} />
        {OBJECT_TYPES.map((type) => {
          const count = changes.withdrawn[type]
          if (count === 0) return null
          const { section, one, many } = SAVED_OBJECTS[type]
          return (
            <li key={type}>
              <SiteLink href={sectionHref(section)}>{count === 1 ? one : many(count)}</SiteLink>
            </li>
          )
        })}
      </ul>
    </HomeBlock>
  )
}

/** The state at the end of the last visit. Stores the current one for the next visit. */
function useLastVisit(snapshot: Snapshot): Snapshot | null {
  const [stored] = useState(() => parseVisits(readJson(localStore, DASHBOARD_VISIT)))
  const visits = nextVisits(stored, snapshot)
  const text = JSON.stringify(visits)
  useEffect(() => localStore.set(DASHBOARD_VISIT, text), [text])
  return visits.before
}

interface PlacesProps {
  changes: Changes
  places: readonly Listing[]
}

function Places({ changes, places }: PlacesProps) {
  const named = (ids: readonly number[]): Listing[] =>
    ids.flatMap((id) => places.find((place) => place.id === id) ?? [])
  return (
    <>
      {named(changes.closed).map(({ id, name, share_url: url }) => (
        <li key={`closed ${id}`}>
          <SiteLink href={url}>{name}</SiteLink> has closed.
        </li>
      ))}
      {named(changes.reviewed).map(({ id, name, share_url: url }) => (
        <li key={`reviewed ${id}`}>
          We have reviewed <SiteLink href={url}>{name}</SiteLink>.
        </li>
      ))}
    </>
  )
}
