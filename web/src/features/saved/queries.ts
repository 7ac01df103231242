import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query'
import { api, dataOf, follow } from '#/lib/http'
import { nextAddress, type Page } from '#/lib/paging'
import { savedKeys, type SavedFilters } from './keys'
import { SAVED_KINDS, type SavedItem, type SavedName } from './kinds'

export function savedListOptions<K extends SavedName>(kind: K, filters: SavedFilters) {
  const query = new URLSearchParams({ ordering: filters.ordering })
  if (filters.keywords) query.set('keywords', filters.keywords)
  if (filters.completed) query.set('completed', filters.completed)
  return infiniteQueryOptions({
    queryKey: savedKeys.list(kind, filters),
    queryFn: ({ pageParam, signal }) => follow<Page<SavedItem<K>>>(pageParam, signal),
    initialPageParam: `${SAVED_KINDS[kind].path}?${query.toString()}`,
    getNextPageParam: (_, pages) => nextAddress(pages),
    // Another device may have changed the list, and the answer is cheap.
    staleTime: 0,
  })
}

/** The things of a kind that the reader saved last. */
export function newestSavedOptions<K extends SavedName>(kind: K, limit: number) {
  return queryOptions({
    queryKey: savedKeys.newest(kind, limit),
    queryFn: ({ signal }) =>
      follow<Page<SavedItem<K>>>(`${SAVED_KINDS[kind].path}?limit=${limit}`, signal),
    staleTime: 0,
  })
}

/** How many things of each kind the reader has saved. */
export function savedCountsOptions() {
  return queryOptions({
    queryKey: savedKeys.counts(),
    queryFn: ({ signal }) => dataOf(api.GET('/api/v2/profiles/me/dashboard/', { signal })),
    staleTime: 0,
  })
}
