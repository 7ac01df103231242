import { useCallback, useState, useSyncExternalStore } from 'react'
import { openLogin } from '#/features/auth/dialogs'
import { registerPersonalData, session } from '#/features/session/current'
import { Emitter } from '#/lib/emitter'
import { STORAGE_KEYS } from './storage-keys'
import type { SavedValue } from './saved-map'
import type { ToggledName } from './toggles'

type SavedName = keyof typeof STORAGE_KEYS

/** The reader's saved things, whose code only readers with an account load (`saved.ts`). */
interface SavedThings {
  /** Null for an object that is not saved. */
  value(name: SavedName, objectId: number): SavedValue | null
  /** Saves an object with a value; null removes it. */
  put(name: SavedName, objectId: number, value: SavedValue | null): void
  subscribe(name: SavedName, listener: () => void): () => void
  /** Saves an object or removes it. */
  toggle(name: ToggledName, objectId: number): Promise<void>
}

const things = new Emitter<SavedThings | undefined>(undefined)

/** Connects the controls with the reader's saved things. */
export function provideSaved(saved: SavedThings): void {
  things.set(saved)
}

/**
 * Registers the stored things: a guest's page removes the things that an earlier reader has left, without the code that
 * reads them. Call it before the session starts.
 */
export function registerSaved(): void {
  for (const storageKey of Object.values(STORAGE_KEYS)) {
    registerPersonalData({ storageKey, forget: () => undefined })
  }
}

/** The saved things once their code is loaded. */
function provided(): Promise<SavedThings> {
  return new Promise((resolve) => {
    const known = things.get()
    if (known) {
      resolve(known)
      return
    }
    const stop = things.subscribe(() => {
      const saved = things.get()
      if (!saved) return
      stop()
      resolve(saved)
    })
  })
}

/** The value of an object, as it changes. */
function useValue(name: SavedName, objectId: number): SavedValue | null {
  const saved = useSyncExternalStore(things.subscribe, things.get)
  const subscribe = useCallback(
    (listener: () => void) => saved?.subscribe(name, listener) ?? (() => undefined),
    [saved, name],
  )
  return useSyncExternalStore(subscribe, () => saved?.value(name, objectId) ?? null)
}

interface SavedState {
  isOn: boolean
  /** Whether a click waits for the reader's session. */
  isWaiting: boolean
  toggle: () => void
}

export function useSaved(name: ToggledName, objectId: number): SavedState {
  const isOn = useValue(name, objectId) !== null
  const [isWaiting, setWaiting] = useState(false)
  const onToggle = useCallback(async () => {
    setWaiting(session.state.get().status === 'checking')
    const { status } = await session.settled()
    setWaiting(false)
    if (status === 'member') await (await provided()).toggle(name, objectId)
    else openLogin({ post_authenticate_action: name, object_id: objectId })
  }, [name, objectId])
  return { isOn, isWaiting, toggle: () => void onToggle() }
}

/** Saves an object of a reader with an account with a value; null removes it. */
export function putSaved(name: SavedName, objectId: number, value: SavedValue | null): void {
  // Only readers with an account have a value to change, and their code is loaded.
  things.get()?.put(name, objectId, value)
}

interface SavedValueState {
  /** Null for an object that is not saved, or while the map is loading. */
  value: SavedValue | null
  /** Null removes the object. */
  put: (value: SavedValue | null) => void
}

/** The value of a saved object of a signed-in reader: whether a to-do is done, or the stars of a rating. */
export function useSavedValue(name: SavedName, objectId: number): SavedValueState {
  const value = useValue(name, objectId)
  const put = useCallback(
    (next: SavedValue | null) => putSaved(name, objectId, next),
    [name, objectId],
  )
  return { value, put }
}
