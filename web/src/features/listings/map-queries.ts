import { queryOptions } from '@tanstack/react-query'
import { api, dataOf } from '#/lib/http'
import { listingKeys } from './keys'

/** Places around another one that its map shows. */
const AROUND = 24

/** A neighbourhood with its boundary. */
export function neighbourhoodOptions(slug: string) {
  return queryOptions({
    queryKey: listingKeys.neighbourhood(slug),
    queryFn: ({ signal }) =>
      dataOf(api.GET('/api/v2/neighbourhoods/{slug}/', { params: { path: { slug } }, signal })),
    staleTime: 10 * 60_000,
  })
}

/** The places nearest to a position, nearest first, including a place at the position. */
export function nearestOptions({ lat, lng }: { lat: number; lng: number }) {
  const near = `${lat},${lng}`
  return queryOptions({
    queryKey: listingKeys.nearest(near),
    queryFn: async ({ signal }) => {
      const query = { near, ordering: 'distance', is_closed: 0, limit: AROUND + 1 }
      return (await dataOf(api.GET('/api/v2/listings/', { params: { query }, signal }))).results
    },
    staleTime: 10 * 60_000,
  })
}
