import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import type { Event, Listing } from '#/api/types'
import { follow } from '#/lib/http'
import { addressOf } from '#/lib/pages'
import type { Page } from '#/lib/paging'
import { instant } from '#/lib/time'
import { daysBetween } from '#/lib/zone'
import { CHUNK, chunksOf } from './chunks'
import { type Standing, WITHDRAWABLE, type Withdrawable } from './changes'
import { dashboardKeys } from './keys'

/** Rows of each block of the dashboard's home. */
export const SHOWN = 6
/** Saved events are shown this many days ahead. */
const DAYS_AHEAD = 14

const LISTINGS = '/api/v2/listings/'
const PATHS: Record<Withdrawable, string> = {
  place: LISTINGS,
  article: '/api/v2/articles/',
  video: '/api/v2/videos/',
  event: '/api/v2/events/',
}
/** Before all events: without it those that are over would count as withdrawn. */
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
  const address = addressOf(path, { ...query, ids: ids.join(), limit: String(limit) })
  return follow<Timed<T>>(address, signal)
}

/** The saved places that are open now, up to what the page shows. */
export function openNowOptions(places: Ids) {
  return queryOptions({
    queryKey: dashboardKeys.openNow(places),
    queryFn: async ({ signal }) => {
      const open: Listing[] = []
      // One call after the other: the first usually has enough of them.
      for (const ids of chunksOf(places)) {
        const query = { open_now: '1', ordering: 'name' }
        open.push(...(await page<Listing>(LISTINGS, ids, query, SHOWN, signal)).results)
        if (open.length >= SHOWN) break
      }
      return open.slice(0, SHOWN)
    },
    refetchOnWindowFocus: true,
    placeholderData: keepPreviousData,
  })
}

/** The saved events of the next two weeks in their order, by the server's clock and the city's days. */
export function soonOptions(events: Ids, zone: string) {
  return queryOptions({
    queryKey: dashboardKeys.soon(events),
    queryFn: async ({ signal }) => {
      const query = { ordering: 'date_starts' }
      const pages = await Promise.all(
        chunksOf(events).map((ids) => page<Event>(PATHS.event, ids, query, SHOWN, signal)),
      )
      return pages
        .flatMap(({ results, server_time }) =>
          results.filter(({ starts_at }) => isSoon(starts_at, server_time, zone)),
        )
        .sort((one, other) => instant(one.starts_at) - instant(other.starts_at))
        .slice(0, SHOWN)
    },
    placeholderData: keepPreviousData,
  })
}

function isSoon(startsAt: string | null | undefined, now: string, zone: string): boolean {
  const at = instant(startsAt)
  return !Number.isNaN(at) && daysBetween(zone, instant(now), at) <= DAYS_AHEAD
}

/** The state of the reader's saved things, with the places that it names. */
export interface Seen {
  standing: Standing
  places: Listing[]
}

export type SavedIds = Readonly<Record<Withdrawable, Ids>>

/** The state of the newest saved things: up to 300 places, and up to 100 of each other kind. */
export function standingOptions(saved: SavedIds) {
  return queryOptions({
    queryKey: dashboardKeys.standing(saved),
    queryFn: async ({ signal }): Promise<Seen> => {
      const closing = Promise.all(
        chunksOf(saved.place).map((ids) =>
          page<Listing>(LISTINGS, ids, { is_closed: '1' }, CHUNK, signal),
        ),
      )
      const latest = saved.place.slice(0, CHUNK)
      const reviewing =
        latest.length > 0
          ? page<Listing>(LISTINGS, latest, REVIEWED, SHOWN, signal).then(({ results }) => results)
          : []
      const missing = WITHDRAWABLE.map((kind) => withdrawnOf(kind, saved[kind], signal))
      const [closed, reviewed, ...withdrawn] = await Promise.all([closing, reviewing, ...missing])
      const instants = [...closed, ...withdrawn].flatMap(({ server_time }) => server_time ?? [])
      return {
        standing: {
          at: instants.sort().at(-1) ?? '',
          places: chunksOf(saved.place).flat(),
          closed: closed.flatMap(({ results }) => results.map(({ id }) => id)),
          reviewed: reviewed.map(({ id }) => id),
          withdrawn: Object.fromEntries(
            WITHDRAWABLE.map((kind, at) => [kind, withdrawn[at]?.ids ?? []]),
          ) as Record<Withdrawable, number[]>,
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

/** The saved things that their own list does not have any more. */
async function withdrawnOf(
  kind: Withdrawable,
  saved: Ids,
  signal: AbortSignal,
): Promise<Withdrawn> {
  const ids = saved.slice(0, CHUNK)
  if (ids.length === 0) return { ids: [] }
  const query = kind === 'event' ? { from: LONG_AGO } : {}
  // There is a last one only if none is missing: that costs a single row.
  const last = { ...query, offset: String(ids.length - 1) }
  const { results, server_time } = await page<{ id: number }>(PATHS[kind], ids, last, 1, signal)
  if (results.length > 0) return { ids: [], server_time }
  const rest = await page<{ id: number }>(PATHS[kind], ids, query, CHUNK, signal)
  const published = new Set(rest.results.map(({ id }) => id))
  return { ids: ids.filter((id) => !published.has(id)), server_time }
}
