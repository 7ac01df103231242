import type { Hi, LastUpdates } from '#/api/types'
import { api, dataOf } from '#/lib/http'
import { debug } from '#/lib/log'
import { localStore } from '#/lib/storage'
import { followLive } from './live'
import { session } from './current'
import { LAST_UPDATES, LISTING_MAP } from './session'

export interface PersonalMap {
  load(): void
  reload(): void
  observe(lastChange: string | null | undefined): Promise<void>
}

/** Keeps the reader's maps current from sign-in to sign-out: at the load, and live. */
export function keepCurrent(favourites: PersonalMap): void {
  let stop: (() => void) | undefined
  let following: number | undefined

  const apply = (updates: LastUpdates): void => {
    localStore.set(LAST_UPDATES, JSON.stringify(updates))
    void favourites.observe(updates.favourites)
  }

  const update = (): void => {
    const state = session.state.get()
    const id = state.status === 'member' ? state.id : undefined
    if (id === following) return
    stop?.()
    stop = undefined
    following = id
    if (id === undefined) return
    favourites.load()
    const onUpdates = (hi: Hi): void => apply(hi.last_updates)
    stop = followLive({ id, onUpdates, onRefused: () => void session.recheck() })
    void dataOf(api.GET('/api/v2/profiles/hi/')).then(
      (hi) => {
        if (following === hi.id) apply(hi.last_updates)
      },
      (error: unknown) => {
        debug('What is current could not be asked', error)
        // A map that is not fresh is asked for all the same.
        if (following === id) void favourites.observe(null)
      },
    )
  }

  session.state.subscribe(update)
  update()
  window.addEventListener('storage', (event) => {
    if (event.key === LISTING_MAP && event.newValue !== null && following !== undefined) {
      favourites.reload()
    }
  })
}
