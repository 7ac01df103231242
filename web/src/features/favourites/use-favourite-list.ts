import { useInfiniteQuery } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import type { Favourite } from '#/api/types'
import { itemsOf } from '#/lib/paging'
import { dropGone, favourites, useFavouritesVersion } from './favourites'
import type { FavouriteFilters } from './keys'
import { favouriteListOptions } from './queries'

export interface FavouriteListState {
  items: Favourite[]
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
 * The reader's favourites, page by page, while items leave: what is on its way off is left out at
 * once, Load More waits until the server has confirmed what is pending and goes on from there, and
 * a list that empties while another page exists asks for it once.
 */
export function useFavouriteList(filters: FavouriteFilters): FavouriteListState {
  useFavouritesVersion()
  const list = useInfiniteQuery(favouriteListOptions(filters))
  const [isWaiting, setWaiting] = useState(false)
  const pages = list.data?.pages ?? []
  const loaded = itemsOf(pages)
  const items = loaded.filter(
    (item) => !favourites.isLeaving(item.listing.id) && !favourites.isGone(item.id),
  )
  const leaving = loaded.length - items.length
  const gone = loaded.filter((item) => favourites.isGone(item.id)).map((item) => item.id)
  const goneIds = gone.join()
  const count = pages[0]?.count ?? -1

  useEffect(() => {
    // A page that was on its way brought back what had been deleted meanwhile.
    if (goneIds && !list.isFetching) dropGone(goneIds.split(',').map(Number))
  }, [goneIds, list.isFetching])

  const { fetchNextPage } = list
  const more = (): void => {
    if (isWaiting) return
    setWaiting(true)
    void favourites
      .settled()
      .then(() => fetchNextPage())
      .finally(() => setWaiting(false))
  }

  const hasEmptied = items.length === 0 && list.hasNextPage && !list.isError
  const asked = useRef(false)
  useEffect(() => {
    if (items.length > 0) asked.current = false
    if (!hasEmptied || asked.current || list.isFetching) return
    asked.current = true
    void favourites.settled().then(() => fetchNextPage())
  }, [hasEmptied, items.length, list.isFetching, fetchNextPage])

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
