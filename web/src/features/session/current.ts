import { useEffect, useSyncExternalStore } from 'react'
import type { BodyOf } from '#/api/types'
import { openLogin, type LoginIntent } from '#/features/auth/dialogs'
import { openChannel } from '#/lib/broadcast'
import { dropCookie, readCookie } from '#/lib/cookies'
import { ApiError, follow, isStatus, outdateCache, setProofRequest } from '#/lib/http'
import { PERSONAL, removePersonalData, makeQueryClient } from '#/lib/query-client'
import { localStore } from '#/lib/storage'
import { systemClock } from '#/lib/time'
import { toast } from '#/lib/toast'
import { LAST_ACTIVE, PROFILE_ID, Session, type SessionState } from './session'

export const queryClient = makeQueryClient()

interface PersonalData {
  storageKey: string
  forget(): void
}

const holders = new Set<PersonalData>()

/** Registers another owner of personal data, in memory and in local storage. */
export function registerPersonalData(holder: PersonalData): void {
  holders.add(holder)
}

const tabs = openChannel<'signed-out'>('cityguide:session')
/** Notifies the other tabs of a change of the reader's data. */
const changes = openChannel<'changed'>('cityguide:changes')

/** Whether the browser has a session, which may have expired. */
export function mayBeMember(): boolean {
  return readCookie('signed_in') === '1'
}

const STATUS = '/api/v2/profiles/status/'

export const session = new Session({
  clock: systemClock,
  store: localStore,
  hint: { present: mayBeMember, drop: () => dropCookie('signed_in') },
  fetchStatus: async () => (await follow<BodyOf<typeof STATUS>>(STATUS)).id ?? null,
  personalKeys: () => [...holders].map(({ storageKey }) => storageKey),
  forget: () => {
    removePersonalData(queryClient)
    // Another reader must not repeat the change.
    toast.set(null)
    for (const holder of holders) holder.forget()
  },
  announceEnd: () => tabs.send('signed-out'),
})

/** Refused actions, which are repeated once the same reader has logged in again. */
let refusedActions: { reader: number; retry: () => void }[] = []

interface RefusedAction {
  /** Carried out by the server with the sign-in. */
  intent?: LoginIntent | undefined
  /** Called after the sign-in. */
  retry?: () => void
}

/**
 * After a 401: the session has ended elsewhere. Opens the log-in dialog over the page, which keeps
 * the reader's input until they have logged in or closed the dialog.
 */
export async function logInAgainFor(
  error: unknown,
  { intent, retry }: RefusedAction,
): Promise<void> {
  if (!isStatus(error, 401)) return
  const reader = session.state.get()
  if (!(await session.holdForRelogin())) return
  if (retry && reader.status === 'member') refusedActions.push({ reader: reader.id, retry })
  const [onReturn, onLeave] = [repeatRefusedActions, discardRefusedActions]
  openLogin(intent, undefined, { reason: 'ended', onReturn, onLeave })
}

/** As `logInAgainFor`, for a form that the reader submits again. */
export function logInAgain(error: Error): void {
  void logInAgainFor(error, {})
}

let proof: Promise<boolean> | undefined

/** Asks the reader to log in again as a proof of identity; resolves to whether they have. */
export function proveAgain(): Promise<boolean> {
  proof ??= new Promise<boolean>((resolve) => {
    const [onReturn, onLeave] = [() => resolve(true), () => resolve(false)]
    openLogin(undefined, undefined, { reason: 'proof', onReturn, onLeave })
  }).finally(() => (proof = undefined))
  return proof
}

setProofRequest(proveAgain)

function repeatRefusedActions(): void {
  const state = session.state.get()
  const own = refusedActions.filter(
    ({ reader }) => state.status === 'member' && state.id === reader,
  )
  refusedActions = []
  for (const { retry } of own) retry()
}

function discardRefusedActions(): void {
  refusedActions = []
  if (inputs === 0) void session.release()
}

/** The number of page parts with input that a guest's page would not show. */
let inputs = 0

/** Keeps the page after the end of the session while it has input that a guest's page would not show. */
export function useKeepInput(hasInput: boolean): void {
  useEffect(() => {
    if (!hasInput) return
    inputs += 1
    return () => {
      inputs -= 1
      if (inputs === 0) void session.release()
    }
  }, [hasInput])
}

/** Call it after the stream of changes was refused: the session may have ended elsewhere. */
export function onStreamRefused(): void {
  if (inputs === 0) void session.recheck()
  else if (!session.awaitsRelogin) logInAgain(new ApiError(401))
}

export function useSession(): SessionState {
  return useSyncExternalStore(session.state.subscribe, session.state.get)
}

/** Follows the end of the session, here and in other tabs. */
export function watchSession(): void {
  tabs.listen(() => session.endHere())
  changes.listen(() => void queryClient.invalidateQueries({ queryKey: [PERSONAL] }))
  queryClient.getMutationCache().subscribe((event) => {
    if (event.type === 'updated' && event.action.type === 'success') changes.send('changed')
  })
  window.addEventListener('storage', (event) => {
    const state = session.state.get()
    const signedOut = event.key === null || (event.key === LAST_ACTIVE && event.newValue === null)
    if (signedOut && state.status === 'member') session.endHere()
    // Another tab has signed in, perhaps another reader: reload rather than mix the data of two readers.
    if (event.key === PROFILE_ID && event.newValue !== null && state.status !== 'checking') {
      const mine = state.status === 'member' ? String(state.id) : null
      if (event.newValue !== mine) window.location.reload()
    }
  })
  document.addEventListener('visibilitychange', () => {
    if (document.visibilityState === 'visible') session.touch()
  })
  // Back may restore the page from memory as it was before a log-out or a change.
  window.addEventListener('pageshow', (event) => {
    if (!event.persisted) return
    session.touch()
    outdateCache()
    void queryClient.invalidateQueries()
  })
}
