import { queryOptions } from '@tanstack/react-query'
import type { Listing } from '#/api/types'
import { api, dataOf } from '#/lib/http'
import { addressOf, pagesOptions } from '#/lib/pages'
import { listingKeys, type ListingFilters } from './keys'

export const DEFAULT_ORDERING = '-date_published'
const LATEST_REVIEWED = '-date_reviewed'

export const ORDERINGS = [
  { value: DEFAULT_ORDERING, label: 'Newest first' },
  { value: 'date_published', label: 'Oldest first' },
  { value: 'name', label: 'Name, A to Z' },
  { value: '-name', label: 'Name, Z to A' },
] as const

export function listingPagesOptions(filters: ListingFilters) {
  const first = addressOf('/api/v2/listings/', { ...filters })
  return pagesOptions<Listing>(listingKeys.pages(filters), first)
}

/** For front pages: the latest reviewed first, and where those are too few, the newest others. */
export function editorsRowOptions(filters: ListingFilters, limit: number) {
  return queryOptions({
    queryKey: listingKeys.editorsRow(filters, limit),
    queryFn: async ({ signal }) => {
      const row = async (ordering: string) => {
        const query = { ...(filters as Record<string, string>), ordering, limit }
        return (await dataOf(api.GET('/api/v2/listings/', { params: { query }, signal }))).results
      }
      const reviewed = await row(LATEST_REVIEWED)
      if (reviewed.length >= limit) return reviewed
      const known = new Set(reviewed.map((place) => place.id))
      const newest = (await row(DEFAULT_ORDERING)).filter((place) => !known.has(place.id))
      return [...reviewed, ...newest].slice(0, limit)
    },
  })
}

export function listingOptions(id: number) {
  return queryOptions({
    queryKey: listingKeys.detail(id),
    queryFn: ({ signal }) =>
      dataOf(
        api.GET('/api/v2/listings/{id}/', {
          // All that its page shows, in one call.
          params: { path: { id }, query: { include: 'recent,best_of,similar' } },
          signal,
        }),
      ),
  })
}

/** A place of an age-restricted type whole, for a reader who has said to be of age. */
export function gatedListingOptions(id: number, headers: Record<string, string>) {
  return queryOptions({
    queryKey: listingKeys.gated(id),
    queryFn: ({ signal }) =>
      dataOf(
        api.GET('/api/v2/listings/{id}/gated/', { params: { path: { id } }, headers, signal }),
      ),
  })
}

export function listingTypesOptions() {
  return queryOptions({
    queryKey: listingKeys.types(),
    queryFn: async ({ signal }) =>
      (await dataOf(api.GET('/api/v2/listing-types/', { signal }))).results,
    staleTime: 10 * 60_000,
  })
}

export function neighbourhoodsOptions() {
  return queryOptions({
    queryKey: listingKeys.neighbourhoods(),
    queryFn: async ({ signal }) =>
      (await dataOf(api.GET('/api/v2/neighbourhoods/', { signal }))).results,
    staleTime: 10 * 60_000,
  })
}
