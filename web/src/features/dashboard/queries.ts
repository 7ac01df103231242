import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import type { Event, Listing } from '#/api/types'
import type { ObjectType } from '#/features/saved/kinds'
import { addressOf } from '#/lib/api-queries'
import { follow } from '#/lib/http'
import type { Page } from '#/lib/paging'
import { PERSONAL } from '#/lib/query-client'
import { parseInstant } from '#/lib/time'
import { daysBetween } from '#/lib/zone'
import { CHUNK, chunksOf } from './chunks'
import type { Snapshot } from './changes'
import { OBJECT_TYPES, SAVED_OBJECTS } from './object-types'

/** Maximum number of rows in each block of the dashboard's home. */
export const MAX_ROWS = 6
/** Saved events are shown this many days ahead. */
const DAYS_AHEAD = 14

const LISTINGS = SAVED_OBJECTS.place.path
/** A date before all events. Without it, past events would count as withdrawn. */
const LONG_AGO = '2000-01-01'

type Ids = readonly number[]
type Query = Readonly<Record<string, string | undefined>>

interface Timed<T> extends Page<T> {
  server_time: string
}

function page<T>(
  path: string,
  ids: Ids,
  query: Query,
  limit: number,
  signal: AbortSignal,
): Promise<Timed<T>> {
  const address = addressOf(path, { ...query, ids: ids.join(), limit })
  return follow<Timed<T>>(address, signal)
}

/** The saved places that are open now, as many as the page shows. */
export function openNowOptions(places: Ids) {
  return queryOptions({
    queryKey: [PERSONAL, 'open-now', places],
    queryFn: async ({ signal }) => {
      const open: Listing[] = []
      // One call after the other: the first usually finds enough.
      for (const ids of chunksOf(places)) {
        const query = { open_now: '1', ordering: 'name' }
        open.push(...(await page<Listing>(LISTINGS, ids, query, MAX_ROWS, signal)).results)
        if (open.length >= MAX_ROWS) break
      }
      return open.slice(0, MAX_ROWS)
    },
    refetchOnWindowFocus: true,
    placeholderData: keepPreviousData,
  })
}

/** The saved events of the next two weeks in order, by the server's clock and the city's days. */
export function soonOptions(events: Ids, zone: string) {
  return queryOptions({
    queryKey: [PERSONAL, 'soon', events],
    queryFn: async ({ signal }) => {
      const query = { ordering: 'date_starts' }
      const pages = await Promise.all(
        chunksOf(events).map((ids) =>
          page<Event>(SAVED_OBJECTS.event.path, ids, query, MAX_ROWS, signal),
        ),
      )
      return pages
        .flatMap(({ results, server_time }) =>
          results.filter(({ starts_at }) => isSoon(starts_at, server_time, zone)),
        )
        .sort((one, other) => parseInstant(one.starts_at) - parseInstant(other.starts_at))
        .slice(0, MAX_ROWS)
    },
    placeholderData: keepPreviousData,
  })
}

function isSoon(startsAt: string | null | undefined, now: string, zone: string): boolean {
  const at = parseInstant(startsAt)
  return !Number.isNaN(at) && daysBetween(zone, parseInstant(now), at) <= DAYS_AHEAD
}

/** A state of the reader's saved things, and the places that it mentions. */
export interface SnapshotWithPlaces {
  snapshot: Snapshot
  places: Listing[]
}

export type SavedIds = Readonly<Record<ObjectType, Ids>>

/** The state of the newest saved things: up to 300 places, and up to 100 of each other type. */
export function snapshotOptions(saved: SavedIds) {
  return queryOptions({
    queryKey: [PERSONAL, 'snapshot', saved],
    queryFn: async ({ signal }): Promise<SnapshotWithPlaces> => {
      const closing = Promise.all(
        chunksOf(saved.place).map((ids) =>
          page<Listing>(LISTINGS, ids, { is_closed: '1' }, CHUNK, signal),
        ),
      )
      const latest = saved.place.slice(0, CHUNK)
      const reviewing =
        latest.length > 0
          ? page<Listing>(LISTINGS, latest, REVIEWED, MAX_ROWS, signal).then(
              ({ results }) => results,
            )
          : []
      const missing = OBJECT_TYPES.map((kind) => withdrawnOf(kind, saved[kind], signal))
      const [closed, reviewed, ...withdrawn] = await Promise.all([closing, reviewing, ...missing])
      const instants = [...closed, ...withdrawn].flatMap(({ server_time }) => server_time ?? [])
      return {
        snapshot: {
          at: instants.sort().at(-1) ?? '',
          places: chunksOf(saved.place).flat(),
          closed: closed.flatMap(({ results }) => results.map(({ id }) => id)),
          reviewed: reviewed.map(({ id }) => id),
          withdrawn: Object.fromEntries(
            OBJECT_TYPES.map((kind, at) => [kind, withdrawn[at]?.ids ?? []]),
          ) as Record<ObjectType, number[]>,
        },
        places: [...closed.flatMap(({ results }) => results), ...reviewed],
      }
    },
    placeholderData: keepPreviousData,
  })
}

const REVIEWED = { reviewed: '1', ordering: '-date_reviewed' } as const

interface Withdrawn {
  ids: number[]
  server_time?: string
}

/** The saved things that are missing in the public list. */
async function withdrawnOf(kind: ObjectType, saved: Ids, signal: AbortSignal): Promise<Withdrawn> {
  const ids = saved.slice(0, CHUNK)
  if (ids.length === 0) return { ids: [] }
  const { path } = SAVED_OBJECTS[kind]
  const query = kind === 'event' ? { from: LONG_AGO } : {}
  // The last row exists only if nothing is missing, so this costs a single row.
  const last = { ...query, offset: String(ids.length - 1) }
  const { results, server_time } = await page<{ id: number }>(path, ids, last, 1, signal)
  if (results.length > 0) return { ids: [], server_time }
  const rest = await page<{ id: number }>(path, ids, query, CHUNK, signal)
  const published = new Set(rest.results.map(({ id }) => id))
  return { ids: ids.filter((id) => !published.has(id)), server_time }
}
