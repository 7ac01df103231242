import { registerPersonalData } from '#/features/session/current'
import { localStore } from '#/lib/storage'
import { whenIdle } from '#/lib/when-idle'
import { PAGES } from '#/worker/rules'

/** When the reader's saved things were last fetched for reading offline. */
export const FETCHED_AT = 'offline:saved'

/** Whether a reader with an account opened the stored pages. */
let areReaders = localStore.get(FETCHED_AT) !== null

/** Call it before pages of a reader with an account are stored. */
export function noteReader(): void {
  areReaders = true
}

// A reader's pages are removed with the session; a guest's pages stay.
registerPersonalData({
  storageKey: FETCHED_AT,
  forget: () => {
    if (areReaders) void removePages()
    areReaders = false
  },
})

async function removePages(): Promise<void> {
  if (!('caches' in window)) return
  const names = await caches.keys()
  const pages = names.filter((name) => name.startsWith(PAGES))
  await Promise.all(pages.map((name) => caches.delete(name)))
}

/**
 * Starts the worker that stores pages for reading offline, once the first page has loaded, unless the reader saves
 * data. Pages that the application opens itself are reported to the worker.
 */
export function keepPages(onOpened: (listener: (path: string) => void) => void): void {
  const { connection } = navigator as { connection?: { saveData: boolean } }
  if (!('serviceWorker' in navigator) || connection?.saveData) return
  // Where nothing may be stored, the site works without it.
  const start = async (): Promise<void> => (await import('./keep-pages')).startKeeping(onOpened)
  whenIdle(() => void start().catch(() => undefined))
}
