import type { PlaceRating } from '#/api/types'
import { queryClient } from '#/features/session/current'
import { personalQuery } from '#/lib/api-queries'
import { debug } from '#/lib/log'

type Average = Pick<PlaceRating, 'average' | 'voters'>

/** A place in an answer, alone or in a list. */
interface PlaceWithAverage {
  id: number
  rating?: number | null
  voters: number
}

function isPlace(value: object): value is PlaceWithAverage {
  return 'id' in value && 'share_url' in value && 'voters' in value
}

/** Replaces a place everywhere in the data; returns the same data if the place does not occur. */
function updatePlace(
  data: unknown,
  listing: number,
  change: (place: PlaceWithAverage) => PlaceWithAverage,
): unknown {
  if (typeof data !== 'object' || data === null) return data
  const old = Object.values(data) as unknown[]
  const values = old.map((value) => updatePlace(value, listing, change))
  const isSame = values.every((value, index) => value === old[index])
  if (Array.isArray(data)) return isSame ? data : values
  const keys = Object.keys(data)
  const copy = isSame ? data : Object.fromEntries(keys.map((key, index) => [key, values[index]]))
  return isPlace(copy) && copy.id === listing ? change(copy) : copy
}

function isShown(listing: number): boolean {
  let isFound = false
  for (const { state } of queryClient.getQueryCache().getAll()) {
    updatePlace(state.data, listing, (place) => {
      isFound = true
      return place
    })
  }
  return isFound
}

/** Public answers are as old as their caches, so their means are replaced by the current one. */
function showAverage(listing: number, { average, voters }: Average): void {
  for (const { queryKey, state } of queryClient.getQueryCache().getAll()) {
    const data = updatePlace(state.data, listing, (place) => ({
      ...place,
      rating: average,
      voters,
    }))
    if (data === state.data) continue
    queryClient.setQueryData(queryKey, data, { updatedAt: state.dataUpdatedAt })
  }
}

/** The reader's own rating of a place, with the current mean. */
export function placeRatingOptions(id: number) {
  return personalQuery('/api/v2/ratings/{id}/', { path: { id } })
}

async function refreshAverage(listing: number): Promise<void> {
  const options = placeRatingOptions(listing)
  // A running request may return the mean from before the latest change.
  await queryClient.cancelQueries({ queryKey: options.queryKey })
  showAverage(listing, await queryClient.query(options))
}

/** Call it after votes have changed: refetches the means of the places that are shown. */
export function refreshAverages(listings: readonly number[]): void {
  for (const listing of listings.filter(isShown)) {
    refreshAverage(listing).catch((error: unknown) =>
      debug('The mean rating of a place could not be fetched', error),
    )
  }
}
