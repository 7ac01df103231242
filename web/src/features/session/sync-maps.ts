import type { Hi, LastUpdates } from '#/api/types'
import { follow } from '#/lib/http'
import { debug } from '#/lib/log'
import { localStore } from '#/lib/storage'
import { followLive } from './live'
import { session, onStreamRefused } from './current'
import { LAST_UPDATES } from './session'

interface PersonalMap {
  load(): void
  reload(): void
  observe(lastChange: string | null | undefined): Promise<void>
}

interface SyncedMap {
  map: PersonalMap
  /** The map's key in local storage, which other tabs also use. */
  storageKey: string
  /** The field with the time of the map's last change in the answer of `hi/`. */
  field: string
}

/** Keeps the reader's maps up to date from sign-in to log-out: when the page loads, and after every change. */
export function syncMaps(maps: readonly SyncedMap[]): void {
  let stop: (() => void) | undefined
  let following: number | undefined

  const apply = (updates: LastUpdates): void => {
    localStore.set(LAST_UPDATES, JSON.stringify(updates))
    for (const { map, field } of maps) void map.observe(updates[field])
  }

  const update = (): void => {
    const state = session.state.get()
    const id = state.status === 'member' ? state.id : undefined
    if (id === following) return
    stop?.()
    stop = undefined
    following = id
    if (id === undefined) return
    for (const { map } of maps) map.load()
    const onUpdates = (hi: Hi): void => apply(hi.last_updates)
    stop = followLive({ id, onUpdates, onRefused: onStreamRefused })
    void follow<Hi>('/api/v2/profiles/hi/').then(
      (hi) => {
        if (following === hi.id) apply(hi.last_updates)
      },
      (error: unknown) => {
        debug('The last updates could not be fetched', error)
        // Fetches maps that are not fresh.
        if (following === id) for (const { map } of maps) void map.observe(null)
      },
    )
  }

  session.state.subscribe(update)
  update()
  window.addEventListener('storage', (event) => {
    if (event.newValue === null || following === undefined) return
    maps.find(({ storageKey }) => storageKey === event.key)?.map.reload()
  })
}
