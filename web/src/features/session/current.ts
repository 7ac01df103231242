import { useSyncExternalStore } from 'react'
import { openChannel } from '#/lib/broadcast'
import { dropCookie, readCookie } from '#/lib/cookies'
import { api, dataOf, isStatus } from '#/lib/http'
import { forgetPersonal, makeQueryClient } from '#/lib/query-client'
import { localStore } from '#/lib/storage'
import { systemClock } from '#/lib/time'
import { LAST_ACTIVE, PROFILE_ID, Session, type SessionState } from './session'

export const queryClient = makeQueryClient()

interface Personal {
  storageKey: string
  forget(): void
}

const holders = new Set<Personal>()

/** Registers something else that holds the reader's data, in memory and in local storage. */
export function holdPersonal(holder: Personal): void {
  holders.add(holder)
}

const tabs = openChannel<'signed-out'>('cityguide:session')

export const session = new Session({
  clock: systemClock,
  store: localStore,
  hint: {
    present: () => readCookie('signed_in') === '1',
    drop: () => dropCookie('signed_in'),
  },
  fetchStatus: async () => (await dataOf(api.GET('/api/v2/profiles/status/'))).id ?? null,
  personalKeys: () => [...holders].map(({ storageKey }) => storageKey),
  forget: () => {
    forgetPersonal(queryClient)
    for (const holder of holders) holder.forget()
  },
  announceEnd: () => tabs.send('signed-out'),
})

/** A refusal for want of a session means that it has ended elsewhere. */
export function recheckIfSignedOut(error: Error): void {
  if (isStatus(error, 401)) void session.recheck()
}

export function useSession(): SessionState {
  return useSyncExternalStore(session.state.subscribe, session.state.get)
}

/** Follows changes of the session in other tabs, and its expiry. */
export function watchSession(): void {
  tabs.listen(() => session.endedElsewhere())
  window.addEventListener('storage', (event) => {
    const state = session.state.get()
    const signedOut = event.key === null || (event.key === LAST_ACTIVE && event.newValue === null)
    if (signedOut && state.status === 'member') session.endedElsewhere()
    // Somebody signed in, perhaps another reader: reload rather than mix two readers' data.
    if (event.key === PROFILE_ID && event.newValue !== null && state.status !== 'checking') {
      const mine = state.status === 'member' ? String(state.id) : null
      if (event.newValue !== mine) window.location.reload()
    }
  })
  document.addEventListener('visibilitychange', () => {
    if (document.visibilityState === 'visible') session.touch()
  })
  // Back may restore the page from memory as it was before the sign-out.
  window.addEventListener('pageshow', (event) => {
    if (event.persisted) session.touch()
  })
}
