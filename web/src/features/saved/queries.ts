import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query'
import { api, dataOf, follow } from '#/lib/http'
import { addressOf } from '#/lib/pages'
import { itemsOf, nextAddress, type Page } from '#/lib/paging'
import { savedKeys, type SavedFilters } from './keys'
import { SAVED_KINDS, type SavedItem, type SavedName } from './kinds'

/** The most rows that the API gives at a time. */
const WHOLE = '100'

function addressOfList(kind: SavedName, filters: SavedFilters, limit?: string): string {
  return addressOf(SAVED_KINDS[kind].path, { ...filters, limit })
}

/** More than the places of a city that one reader saves, and few enough to draw. */
const MOST_PAGES = 50

/** The things of a kind that match the filters, in one list: all of them, or 5,000. */
export function allSavedOptions<K extends SavedName>(kind: K, filters: SavedFilters) {
  return queryOptions({
    queryKey: savedKeys.all(kind, filters),
    queryFn: async ({ signal }) => {
      const pages: Page<SavedItem<K>>[] = []
      let next: string | undefined = addressOfList(kind, filters, WHOLE)
      while (next && pages.length < MOST_PAGES) {
        pages.push(await follow<Page<SavedItem<K>>>(next, signal))
        next = nextAddress(pages)
      }
      return itemsOf(pages)
    },
    staleTime: 0,
  })
}

export function savedListOptions<K extends SavedName>(kind: K, filters: SavedFilters) {
  return infiniteQueryOptions({
    queryKey: savedKeys.list(kind, filters),
    queryFn: ({ pageParam, signal }) => follow<Page<SavedItem<K>>>(pageParam, signal),
    initialPageParam: addressOfList(kind, filters),
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
