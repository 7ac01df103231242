import { queryOptions } from '@tanstack/react-query'
import { apiQuery, resultsOf } from '#/lib/api-queries'
import type { Basemap } from '#/ui/map-style'

/** The number of places around another one that its map shows. */
const AROUND = 24

/** The number of a neighbourhood's places that its map shows. */
const IN_AREA = 100

/** The places of a neighbourhood, the best rated first. */
export function placesInOptions(neighbourhood: string) {
  const query = { neighbourhood, ordering: '-rating', is_closed: 0, limit: IN_AREA }
  return queryOptions({
    ...apiQuery('/api/v2/listings/', { query }),
    select: resultsOf,
    staleTime: 10 * 60_000,
  })
}

/** A neighbourhood with its boundary. */
export function neighbourhoodOptions(slug: string) {
  return {
    ...apiQuery('/api/v2/neighbourhoods/{slug}/', { path: { slug } }),
    staleTime: 10 * 60_000,
  }
}

/** The map below the site's places; undefined if it has nothing to draw. It changes at most a few times a year. */
export const basemapOptions = queryOptions({
  ...apiQuery('/api/v2/basemap/', {}),
  // The OpenAPI document has plain objects here; they are features of RFC 7946.
  select: (map): Basemap | undefined =>
    map.features.length > 0 ? (map as unknown as Basemap) : undefined,
  staleTime: Infinity,
})

/** The places nearest to a position, nearest first, including a place at the position. */
export function nearestOptions({ lat, lng }: { lat: number; lng: number }) {
  const query = { near: `${lat},${lng}`, ordering: 'distance', is_closed: 0, limit: AROUND + 1 }
  return queryOptions({
    ...apiQuery('/api/v2/listings/', { query }),
    select: resultsOf,
    staleTime: 10 * 60_000,
  })
}
