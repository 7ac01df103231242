import { api } from '#/lib/http'

type Kind = 'impression' | 'viewable'

/** Events wait this long for others, in milliseconds. */
const WAIT = 1_000
/** The most events of a request. */
const BATCH = 50

const told = new Set<string>()
let queue: { kind: Kind; token: string }[] = []
let timer: ReturnType<typeof setTimeout> | undefined

/** Tells the server of an event of an ad, once; several go together. */
export function report(kind: Kind, token: string): void {
  const key = `${kind} ${token}`
  if (told.has(key)) return
  told.add(key)
  queue.push({ kind, token })
  timer ??= setTimeout(send, WAIT)
}

function send(): void {
  clearTimeout(timer)
  timer = undefined
  while (queue.length > 0) {
    const events = queue.slice(0, BATCH)
    queue = queue.slice(BATCH)
    // Unlike a beacon, this has no cookie. An event that is lost is not counted.
    api
      .POST('/api/v2/ads/events/', { body: { events }, credentials: 'omit', keepalive: true })
      .catch(() => undefined)
  }
}

// The last moment at which a page surely runs (https://developer.chrome.com/docs/web-platform/page-lifecycle-api).
document.addEventListener('visibilitychange', () => {
  if (document.visibilityState === 'hidden') send()
})
