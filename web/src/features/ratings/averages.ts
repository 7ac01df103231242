import type { PlaceRating } from '#/api/types'
import { queryClient } from '#/features/session/current'
import { api, dataOf } from '#/lib/http'
import { debug } from '#/lib/log'
import { ratingKeys } from './keys'

type Average = Pick<PlaceRating, 'average' | 'voters'>

/** A place in an answer: a page's own, or one in a list. */
interface Place {
  id: number
  rating?: number | null
  voters: number
}

function isPlace(value: object): value is Place {
  return 'id' in value && 'share_url' in value && 'voters' in value
}

/** The data with a changed place wherever it appears; the same data where it does not. */
function withPlace(data: unknown, listing: number, change: (place: Place) => Place): unknown {
  if (typeof data !== 'object' || data === null) return data
  const old = Object.values(data) as unknown[]
  const values = old.map((value) => withPlace(value, listing, change))
  const isSame = values.every((value, index) => value === old[index])
  if (Array.isArray(data)) return isSame ? data : values
  const keys = Object.keys(data)
  const copy = isSame ? data : Object.fromEntries(keys.map((key, index) => [key, values[index]]))
  return isPlace(copy) && copy.id === listing ? change(copy) : copy
}

function isShown(listing: number): boolean {
  let isFound = false
  for (const { state } of queryClient.getQueryCache().getAll()) {
    withPlace(state.data, listing, (place) => {
      isFound = true
      return place
    })
  }
  return isFound
}

/** Public answers are as old as the caches that they come from; this is the mean as it is now. */
function show(listing: number, { average, voters }: Average): void {
  for (const { queryKey, state } of queryClient.getQueryCache().getAll()) {
    const data = withPlace(state.data, listing, (place) => ({ ...place, rating: average, voters }))
    if (data === state.data) continue
    queryClient.setQueryData(queryKey, data, { updatedAt: state.dataUpdatedAt })
  }
}

async function refresh(listing: number): Promise<void> {
  const queryKey = ratingKeys.place(listing)
  // An answer from before the latest change may come after its own.
  await queryClient.cancelQueries({ queryKey })
  const answer = await queryClient.query({
    queryKey,
    queryFn: ({ signal }) =>
      dataOf(api.GET('/api/v2/ratings/{id}/', { params: { path: { id: listing } }, signal })),
    staleTime: 0,
  })
  show(listing, answer)
}

/** After votes have changed: asks for the means of those places that are shown. */
export function refreshAverages(listings: readonly number[]): void {
  for (const listing of listings.filter(isShown)) {
    refresh(listing).catch((error: unknown) => debug('A mean could not be fetched', error))
  }
}
