import { useEffect, useSyncExternalStore } from 'react'
import { openLogin, type LoginIntent } from '#/features/auth/dialogs'
import { openChannel } from '#/lib/broadcast'
import { dropCookie, readCookie } from '#/lib/cookies'
import { api, ApiError, dataOf, isStatus } from '#/lib/http'
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

/** Actions that were refused and are repeated once the same reader is back. */
let refused: { reader: number; retry: () => void }[] = []

interface Refused {
  /** Done by the server with the sign-in. */
  intent?: LoginIntent | undefined
  /** Done by this page after the sign-in. */
  retry?: () => void
}

/**
 * After a refusal for want of a session, which has ended elsewhere: the log-in dialog opens over the page. The page
 * keeps the reader's input until the reader has logged in or closes the dialog.
 */
export async function logInAgainFor(error: unknown, { intent, retry }: Refused): Promise<void> {
  if (!isStatus(error, 401)) return
  const reader = session.state.get()
  if (!(await session.hold())) return
  if (retry && reader.status === 'member') refused.push({ reader: reader.id, retry })
  openLogin(intent, undefined, { onReturn: repeat, onLeave: leave })
}

/** The same for a form, which the reader sends again. */
export function logInAgain(error: Error): void {
  void logInAgainFor(error, {})
}

function repeat(): void {
  const state = session.state.get()
  const own = refused.filter(({ reader }) => state.status === 'member' && state.id === reader)
  refused = []
  for (const { retry } of own) retry()
}

function leave(): void {
  refused = []
  if (inputs === 0) void session.release()
}

/** How many parts of the page have input that a guest's page would not show. */
let inputs = 0

/** Keeps the page as it is after the end of the session while it has such input. */
export function useKeepsInput(hasInput: boolean): void {
  useEffect(() => {
    if (!hasInput) return
    inputs += 1
    return () => {
      inputs -= 1
      if (inputs === 0) void session.release()
    }
  }, [hasInput])
}

/** The stream of changes was refused: the session may have ended elsewhere. */
export function streamRefused(): void {
  if (inputs === 0) void session.recheck()
  else if (!session.isHeld) logInAgain(new ApiError(401))
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
