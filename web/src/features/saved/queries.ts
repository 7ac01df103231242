import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query'
import { addressOf, personalQuery } from '#/lib/api-queries'
import { follow } from '#/lib/http'
import { itemsOf, nextAddress, type Page } from '#/lib/paging'
import { savedKeys, type SavedFilters } from './keys'
import { SAVED_KINDS, type SavedItem, type SavedName } from './kinds'

/** The API's maximum number of rows per page. */
const MAX_PAGE_SIZE = '100'

function addressOfList(kind: SavedName, filters: SavedFilters, limit?: string): string {
  return addressOf(SAVED_KINDS[kind].path, { ...filters, limit })
}

/** More pages than a reader of a city needs, and few enough to draw. */
const MAX_PAGES = 50

/** All things of a kind that match the filters, up to 5,000. */
export function allSavedOptions<K extends SavedName>(kind: K, filters: SavedFilters) {
  return queryOptions({
    queryKey: savedKeys.all(kind, filters),
    queryFn: async ({ signal }) => {
      const pages: Page<SavedItem<K>>[] = []
      let next: string | undefined = addressOfList(kind, filters, MAX_PAGE_SIZE)
      while (next && pages.length < MAX_PAGES) {
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

/** The things of a kind that were saved last. */
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
  return personalQuery('/api/v2/profiles/me/dashboard/')
}
