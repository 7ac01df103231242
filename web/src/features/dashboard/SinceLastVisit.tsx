import { useEffect, useState } from 'react'
import type { Listing } from '#/api/types'
import { SAVED_KINDS, type SavedName } from '#/features/saved/kinds'
import { DASHBOARD_VISIT } from '#/features/session/session'
import { localStore, readJson } from '#/lib/storage'
import { Retry } from '#/ui/Retry'
import { SiteLink } from '#/ui/SiteLink'
import { DASHBOARD } from './address'
import { HomeBlock, type BlockProps } from './blocks'
import {
  changesBetween,
  hasChanges,
  moveOn,
  parseVisits,
  WITHDRAWABLE,
  type Changes,
  type Standing,
  type Withdrawable,
} from './changes'
import styles from './HomeBlocks.module.css'
import type { Seen } from './queries'

interface Withdrawal {
  /** The section that lists the withdrawn things, to remove them. */
  section: SavedName
  one: string
  many: (count: number) => string
}

const WITHDRAWALS: Record<Withdrawable, Withdrawal> = {
  place: {
    section: 'favourite',
    one: 'One of your saved places is no longer listed.',
    many: (count) => `${count} of your saved places are no longer listed.`,
  },
  article: {
    section: 'article-bookmark',
    one: 'One of your saved articles is no longer published.',
    many: (count) => `${count} of your saved articles are no longer published.`,
  },
  video: {
    section: 'video-bookmark',
    one: 'One of your saved videos is no longer published.',
    many: (count) => `${count} of your saved videos are no longer published.`,
  },
  event: {
    section: 'event-bookmark',
    one: 'One of your saved events is no longer announced.',
    many: (count) => `${count} of your saved events are no longer announced.`,
  },
}

/** What has happened to saved things since the last visit; nothing on the first one. */
export function SinceLastVisit({ data, isFailed, onRetry }: BlockProps<Seen>) {
  if (isFailed) return <Retry title="What has changed did not load" onRetry={onRetry} />
  return data ? <Loaded seen={data} /> : null
}

function Loaded({ seen: { standing, places } }: { seen: Seen }) {
  const before = useLastVisit(standing)
  const changes = before && changesBetween(before, standing)
  if (!changes || !hasChanges(changes)) return null
  return (
    <HomeBlock title="Since your last visit">
      <ul className={styles.changes}>
        <Places changes={changes} places={places} />
        {WITHDRAWABLE.map((kind) => {
          const count = changes.withdrawn[kind]
          if (count === 0) return null
          const { section, one, many } = WITHDRAWALS[kind]
          return (
            <li key={kind}>
              <SiteLink href={`${DASHBOARD}#${SAVED_KINDS[section].dashboard.hash}`}>
                {count === 1 ? one : many(count)}
              </SiteLink>
            </li>
          )
        })}
      </ul>
    </HomeBlock>
  )
}

/** The state at the end of the last visit; stores the current one for the next. */
function useLastVisit(standing: Standing): Standing | null {
  const [stored] = useState(() => parseVisits(readJson(localStore, DASHBOARD_VISIT)))
  const visits = moveOn(stored, standing)
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
