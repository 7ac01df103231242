import { useCallback, useSyncExternalStore } from 'react'
import type { InfiniteData } from '@tanstack/react-query'
import type { LoginIntent } from '#/features/auth/dialogs'
import { registerPersonalData, logInAgainFor, queryClient } from '#/features/session/current'
import { historyCache } from '#/features/session/history'
import { isStatus } from '#/lib/http'
import { withoutItem, type Page } from '#/lib/paging'
import { refetchChanged } from '#/lib/query-client'
import { localStore } from '#/lib/storage'
import { savedKeys } from './keys'
import { SAVED_KINDS, SAVED_NAMES, type SavedKind, type SavedName } from './kinds'
import { savedCountsOptions } from './queries'
import { SavedMap, type FailedChange, type SavedValue, type Stamp } from './saved-map'
import { provideSaved } from './use-saved'

type AnyKind = SavedKind<never>

function removeFromLists(name: SavedName, recordId: number): void {
  // The history cache contains the record too.
  historyCache.dropLists(savedKeys.lists(name))
  queryClient.setQueriesData<InfiniteData<Page<{ id: number }>, string>>(
    { queryKey: savedKeys.lists(name) },
    (data) => data && { ...data, pages: withoutItem(data.pages, recordId) },
  )
}

let areCountsDue = false

/** Refetches the counts once for all maps that are being fetched. */
async function invalidateCounts(): Promise<void> {
  if (areCountsDue) return
  areCountsDue = true
  await Promise.all(Object.values(MAPS).map((map) => map.fetched()))
  areCountsDue = false
  await refetchChanged(queryClient, savedCountsOptions().queryKey)
}

function invalidateAll(name: SavedName): void {
  historyCache.dropLists(savedKeys.lists(name))
  void refetchChanged(queryClient, savedKeys.kind(name))
  void invalidateCounts()
}

async function stampOf(removal: Promise<{ response: Response }>): Promise<Stamp | null> {
  try {
    const { response } = await removal
    return {
      server_time: response.headers.get('X-Server-Time'),
      previous_update: response.headers.get('X-Previous-Update'),
    }
  } catch (error) {
    if (isStatus(error, 404)) return null
    throw error
  }
}

/** The intent that repeats a failed change with the sign-in. Only a new save can be an intent. */
function intentOf(
  name: SavedName,
  { objectId, target, isNew }: FailedChange<SavedValue>,
): LoginIntent | undefined {
  if (target === null || !isNew) return undefined
  const intent = { post_authenticate_action: name, object_id: objectId }
  return name === 'rating' ? { ...intent, rating: Number(target) } : intent
}

/** A kind's map, connected to the API, the lists and the session. */
export function makeMap(name: SavedName, kind: AnyKind): SavedMap<SavedValue> {
  const map = new SavedMap<SavedValue>({
    store: localStore,
    storageKey: kind.storageKey,
    initial: kind.initial,
    fetchMap: () => kind.fetchMap(),
    save: (objectId, value, recordId) => kind.save(objectId, value, recordId),
    remove: (recordId) => stampOf(kind.remove(recordId)),
    onSaved: (objectId) => {
      invalidateAll(name)
      kind.onChanged?.([objectId])
    },
    onRemoved: (recordId, objectId) => {
      removeFromLists(name, recordId)
      void invalidateCounts()
      kind.onChanged?.([objectId])
    },
    onFetched: (objectIds, hadMap) => {
      // The first map of a page is as old as the page's lists.
      if (hadMap) invalidateAll(name)
      kind.onChanged?.(objectIds)
    },
    onFailed: (error, failed) => {
      const { objectId, target } = failed
      const retry = (): void => map.put(objectId, target)
      if (isStatus(error, 401)) void logInAgainFor(error, { intent: intentOf(name, failed), retry })
      else kind.onRefused?.(error, objectId)
    },
  })
  registerPersonalData({ storageKey: kind.storageKey, forget: () => map.clear() })
  return map
}

const MAPS = Object.fromEntries(
  SAVED_NAMES.map((name) => [name, makeMap(name, SAVED_KINDS[name])]),
) as Record<SavedName, SavedMap<SavedValue>>

export function savedMap(name: SavedName): SavedMap<SavedValue> {
  return MAPS[name]
}

/** The maps of these kinds, for the session to keep up to date. */
export function syncedMaps(names: readonly SavedName[]) {
  return names.map((name) => {
    const { storageKey, field } = SAVED_KINDS[name]
    return { storageKey, field, map: savedMap(name) }
  })
}

/** Removes deleted records that a late page has brought back. */
export function removeDeleted(name: SavedName, recordIds: readonly number[]): void {
  const map = savedMap(name)
  for (const id of recordIds) if (map.isDeleted(id)) removeFromLists(name, id)
}

/** A click on a control: removes a saved object, or saves one after the kind's question. */
export async function toggle(
  map: SavedMap<SavedValue>,
  { initial, confirm }: Pick<AnyKind, 'initial' | 'confirm'>,
  objectId: number,
): Promise<void> {
  if (map.isOn(objectId)) {
    map.put(objectId, null)
    return
  }
  const value = confirm ? await confirm(objectId) : initial
  if (value !== undefined) map.put(objectId, value)
}

/** Changes with every change of a map, for lists that hide things being removed. */
export function useSavedVersion(name: SavedName): number {
  const { version } = savedMap(name)
  return useSyncExternalStore(version.subscribe, version.get)
}

interface SavedObjects {
  /** The ids of each kind's objects, the last saved first. */
  ids: ReadonlyMap<SavedName, readonly number[]>
  isPending: boolean
  isFailed: boolean
  retry: () => void
}

/** All objects of these kinds that the reader has saved. */
export function useSavedObjects(names: readonly SavedName[]): SavedObjects {
  const subscribe = useCallback(
    (listener: () => void) => {
      const stops = names.map((name) => savedMap(name).version.subscribe(listener))
      return () => stops.forEach((stop) => stop())
    },
    [names],
  )
  // Each version only grows, so their sum changes with each of them.
  useSyncExternalStore(subscribe, () =>
    names.reduce((sum, name) => sum + savedMap(name).version.get(), 0),
  )
  const maps = names.map(savedMap)
  return {
    ids: new Map(names.map((name) => [name, savedMap(name).objectIds()])),
    isPending: maps.some((map) => map.status === 'coming'),
    isFailed: maps.some((map) => map.status === 'failed'),
    retry: () => maps.forEach((map) => void map.observe(null)),
  }
}

provideSaved({
  value: (name, objectId) => savedMap(name).value(objectId),
  put: (name, objectId, value) => savedMap(name).put(objectId, value),
  subscribe: (name, listener) => savedMap(name).version.subscribe(listener),
  async toggle(name, objectId) {
    try {
      await toggle(savedMap(name), SAVED_KINDS[name], objectId)
    } catch (error) {
      // The kind's question may fail before the save.
      await logInAgainFor(error, {
        intent: { post_authenticate_action: name, object_id: objectId },
      })
    }
  },
})
