import { enabledKinds, SAVED_KINDS, type SavedName } from '#/features/saved/kinds'
import { newestSavedOptions } from '#/features/saved/queries'
import { queryClient, session } from '#/features/session/current'
import { siteInPage } from '#/features/site/site'
import { localStore } from '#/lib/storage'
import { systemClock } from '#/lib/time'
import { workerAddress } from '#/lib/trusted-html'
import { whenIdle } from '#/lib/when-idle'
import type { Message } from '#/worker/rules'
import { FETCHED_AT, noteReader } from './offline'

/** The time until the reader's saved things are fetched again, in milliseconds. */
const INTERVAL = 60 * 60_000
/** The number of things of each kind, the newest first. */
const MAX_SAVED = 10

/** Starts the worker, and reports the pages that the reader opens and has saved. */
export async function startKeeping(
  onOpened: (listener: (path: string) => void) => void,
): Promise<void> {
  await navigator.serviceWorker.register(workerAddress())
  const { active } = await navigator.serviceWorker.ready
  const keep = (paths: readonly string[]): void =>
    active?.postMessage({ keep: paths } satisfies Message)
  const hasTonight = siteInPage()?.sections.listings !== false
  keep(['/', ...(hasTonight ? ['/tonight/'] : []), location.pathname])
  onOpened((path) => whenIdle(() => keep([path])))
  keep(await savedPages())
}

/** The pages of the things that the reader saved last, at most once an hour. */
async function savedPages(): Promise<string[]> {
  const { status } = await session.settled()
  if (status !== 'member') return []
  const last = Number(localStore.get(FETCHED_AT) ?? 0)
  noteReader()
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
