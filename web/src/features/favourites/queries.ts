import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query'
import type { FavouritePage } from '#/api/types'
import { api, dataOf, follow } from '#/lib/http'
import { nextAddress } from '#/lib/paging'
import { favouriteKeys, type FavouriteFilters } from './keys'

export function favouriteListOptions(filters: FavouriteFilters) {
  const query = new URLSearchParams({ ordering: filters.ordering })
  if (filters.keywords) query.set('keywords', filters.keywords)
  return infiniteQueryOptions({
    queryKey: favouriteKeys.list(filters),
    queryFn: ({ pageParam, signal }) => follow<FavouritePage>(pageParam, signal),
    initialPageParam: `/api/v2/favourites/?${query.toString()}`,
    getNextPageParam: (_, pages) => nextAddress(pages),
    // Another device may have changed it since; the answer is cheap.
    staleTime: 0,
  })
}

export function favouriteCountsOptions() {
  return queryOptions({
    queryKey: favouriteKeys.counts(),
    queryFn: ({ signal }) => dataOf(api.GET('/api/v2/profiles/me/dashboard/', { signal })),
    staleTime: 0,
  })
}
