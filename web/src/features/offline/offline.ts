import { enabledKinds, SAVED_KINDS, type SavedName } from '#/features/saved/kinds'
import { newestSavedOptions } from '#/features/saved/queries'
import { queryClient, registerPersonalData, session } from '#/features/session/current'
import { siteInPage } from '#/features/site/site'
import { localStore } from '#/lib/storage'
import { systemClock } from '#/lib/time'
import { workerAddress } from '#/lib/trusted-html'
import { whenIdle } from '#/lib/when-idle'
import { PAGES, type Message } from '#/worker/rules'

/** When the reader's saved things were last fetched for reading offline. */
const FETCHED_AT = 'offline:saved'
/** The time until they are fetched again, in milliseconds. */
const INTERVAL = 60 * 60_000
/** The number of things of each kind, the newest first. */
const MAX_SAVED = 10

/** Whether a reader with an account opened the stored pages. */
let areReaders = localStore.get(FETCHED_AT) !== null

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
  whenIdle(() => void start().catch(() => undefined))

  async function start(): Promise<void> {
    await navigator.serviceWorker.register(workerAddress())
    const { active } = await navigator.serviceWorker.ready
    const keep = (paths: readonly string[]): void =>
      active?.postMessage({ keep: paths } satisfies Message)
    const hasTonight = siteInPage()?.sections.listings !== false
    keep(['/', ...(hasTonight ? ['/tonight/'] : []), location.pathname])
    onOpened((path) => whenIdle(() => keep([path])))
    keep(await savedPages())
  }
}

/** The pages of the things that the reader saved last, at most once an hour. */
async function savedPages(): Promise<string[]> {
  const { status } = await session.settled()
  if (status !== 'member') return []
  const last = Number(localStore.get(FETCHED_AT) ?? 0)
  areReaders = true
  localStore.set(FETCHED_AT, String(last))
  if (systemClock.now() - last < INTERVAL) return []
  const paths = await Promise.all(enabledKinds(siteInPage()).map(pathsOf))
  localStore.set(FETCHED_AT, String(systemClock.now()))
  return paths.flat()
}

// oxlint-disable-next-line typescript/no-unnecessary-type-parameters -- the list and its items are of one kind
async function pathsOf<K extends SavedName>(kind: K): Promise<string[]> {
  const { results } = await queryClient.query(newestSavedOptions(kind, MAX_SAVED))
  return results.flatMap((item) => {
    const object = SAVED_KINDS[kind].objectOf(item)
    // Unpublished things have no page.
    return 'share_url' in object ? [String(object.share_url)] : []
  })
}
