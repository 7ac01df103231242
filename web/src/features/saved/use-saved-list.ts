import { useInfiniteQuery } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import { itemsOf } from '#/lib/paging'
import type { SavedFilters } from './keys'
import { SAVED_KINDS, type SavedItem, type SavedName } from './kinds'
import { savedListOptions } from './queries'
import type { SavedValue } from './saved-map'
import { removeDeleted, savedMap, useSavedVersion } from './saved'

/** Whether a to-do belongs in a list: it moves immediately when the reader marks it. */
function matchesFilter(value: SavedValue | null, completed: SavedFilters['completed']): boolean {
  return completed === '' || value === null || value === (completed === '1')
}

export interface SavedListState<Item> {
  items: Item[]
  total: number
  isPending: boolean
  isEmpty: boolean
  isFailed: boolean
  retry: () => void
  hasMore: boolean
  isLoadingMore: boolean
  isMoreFailed: boolean
  more: () => void
}

/**
 * The reader's saved things of a kind, page by page, with removals: an item disappears with the
 * click; Load More waits for pending removals and continues after the items that the server has
 * confirmed; an emptied list fetches its next page once.
 */
export function useSavedList<K extends SavedName>(
  kind: K,
  filters: SavedFilters,
): SavedListState<SavedItem<K>> {
  useSavedVersion(kind)
  const map = savedMap(kind)
  const list = useInfiniteQuery(savedListOptions(kind, filters))
  const [isWaiting, setWaiting] = useState(false)
  const pages = list.data?.pages ?? []
  const loaded = itemsOf(pages)
  const items = loaded.filter((item) => {
    const { id } = SAVED_KINDS[kind].objectOf(item)
    return (
      !map.isBeingRemoved(id) &&
      !map.isDeleted(item.id) &&
      matchesFilter(map.value(id), filters.completed)
    )
  })
  const leaving = loaded.length - items.length
  const gone = loaded.filter((item) => map.isDeleted(item.id)).map((item) => item.id)
  const goneIds = gone.join()
  const count = pages[0]?.count ?? -1

  useEffect(() => {
    // A late page may contain deleted records.
    if (goneIds && !list.isFetching) removeDeleted(kind, goneIds.split(',').map(Number))
  }, [kind, goneIds, list.isFetching])

  const { fetchNextPage } = list
  const more = (): void => {
    if (isWaiting) return
    setWaiting(true)
    void map
      .settled()
      .then(() => fetchNextPage())
      .finally(() => setWaiting(false))
  }

  const hasEmptied = items.length === 0 && list.hasNextPage && !list.isError
  const hasRefilled = useRef(false)
  useEffect(() => {
    if (items.length > 0) hasRefilled.current = false
    if (!hasEmptied || hasRefilled.current || list.isFetching) return
    hasRefilled.current = true
    void map.settled().then(() => fetchNextPage())
  }, [map, hasEmptied, items.length, list.isFetching, fetchNextPage])

  return {
    items,
    total: count === -1 ? -1 : Math.max(0, count - leaving),
    isPending: list.isPending,
    isEmpty: list.isSuccess && items.length === 0 && !list.hasNextPage,
    isFailed: list.isError && loaded.length === 0 && !list.isFetchNextPageError,
    retry: () => void list.refetch(),
    hasMore: list.hasNextPage,
    isLoadingMore: list.isFetchingNextPage || isWaiting,
    isMoreFailed: list.isFetchNextPageError,
    more,
  }
}
