import { useCallback, useSyncExternalStore } from 'react'
import type { InfiniteData } from '@tanstack/react-query'
import type { FavouritePage } from '#/api/types'
import { openLogin } from '#/features/auth/dialogs'
import { queryClient, session, whenForgetting } from '#/features/session/current'
import { historyCache } from '#/features/session/history'
import { api, dataOf, isStatus } from '#/lib/http'
import { withoutItem } from '#/lib/paging'
import { localStore } from '#/lib/storage'
import { FavouriteMap, type Stamp } from './favourite-map'
import { favouriteKeys } from './keys'

function dropFromLists(recordId: number): void {
  // What Back would show holds it still.
  historyCache.dropLists(favouriteKeys.lists())
  queryClient.setQueriesData<InfiniteData<FavouritePage, string>>(
    { queryKey: favouriteKeys.lists() },
    (data) => data && { ...data, pages: withoutItem(data.pages, recordId) },
  )
}

function invalidateCounts(): void {
  void queryClient.invalidateQueries({ queryKey: favouriteKeys.counts() })
}

function invalidateAll(): void {
  historyCache.dropLists(favouriteKeys.lists())
  void queryClient.invalidateQueries({ queryKey: favouriteKeys.lists() })
  invalidateCounts()
}

async function remove(id: number): Promise<Stamp | null> {
  try {
    const { response } = await api.DELETE('/api/v2/favourites/{id}/', { params: { path: { id } } })
    return {
      server_time: response.headers.get('X-Server-Time'),
      previous_update: response.headers.get('X-Previous-Update'),
    }
  } catch (error) {
    if (isStatus(error, 404)) return null
    throw error
  }
}

export const favourites = new FavouriteMap({
  store: localStore,
  create: (listing) => dataOf(api.POST('/api/v2/favourites/', { body: { listing } })),
  remove,
  fetchIds: () => dataOf(api.GET('/api/v2/favourites/listing_ids/')),
  onAdded: invalidateAll,
  onRemoved: (recordId) => {
    dropFromLists(recordId)
    invalidateCounts()
  },
  onRefetched: invalidateAll,
  onFailed: (error) => {
    if (isStatus(error, 401)) void session.recheck()
  },
})

whenForgetting(() => favourites.clear())

/** Drops from the lists what has been deleted while a page of them was on its way. */
export function dropGone(recordIds: readonly number[]): void {
  recordIds.filter((id) => favourites.isGone(id)).forEach(dropFromLists)
}

export function useFavourite(listingId: number): { isOn: boolean; toggle: () => void } {
  const isOn = useSyncExternalStore(favourites.version.subscribe, () => favourites.isOn(listingId))
  const toggle = useCallback(() => {
    void session.settled().then((state) => {
      if (state.status === 'member') favourites.toggle(listingId)
      else openLogin({ post_authenticate_action: 'favourite', object_id: listingId })
    })
  }, [listingId])
  return { isOn, toggle }
}

/** Changes whenever a heart does; for lists that leave out what is on its way off. */
export function useFavouritesVersion(): number {
  return useSyncExternalStore(favourites.version.subscribe, favourites.version.get)
}
