import { api } from '#/lib/api'
import { worthRetrying } from '#/lib/http'

type Kind = 'impression' | 'viewable'

/** How long an event waits for others, in milliseconds. */
const BATCH_DELAY = 1_000
/** Maximum number of events per request. */
const MAX_BATCH = 50
/** Unanswered events are sent again after these times, in milliseconds; the server counts each event once. */
const RETRY_DELAYS = [5_000, 30_000]

interface AdEvent {
  kind: Kind
  token: string
}

const reported = new Set<string>()
let queue: AdEvent[] = []
let timer: ReturnType<typeof setTimeout> | undefined

/** Reports an event of an ad once; events are sent in batches. */
export function report(kind: Kind, token: string): void {
  const key = `${kind} ${token}`
  if (reported.has(key)) return
  reported.add(key)
  queue.push({ kind, token })
  timer ??= setTimeout(send, BATCH_DELAY)
}

function send(): void {
  clearTimeout(timer)
  timer = undefined
  while (queue.length > 0) {
    const events = queue.slice(0, MAX_BATCH)
    queue = queue.slice(MAX_BATCH)
    void post(events)
  }
}

async function post(events: AdEvent[]): Promise<void> {
  for (let attempt = 0; ; attempt += 1) {
    try {
      // Unlike a beacon, this request has no cookie.
      await api.POST('/api/v2/ads/events/', {
        body: { events },
        credentials: 'omit',
        keepalive: true,
      })
      return
    } catch (error) {
      const pause = RETRY_DELAYS[attempt]
      if (pause === undefined || !worthRetrying(attempt, error)) return
      await new Promise((resolve) => setTimeout(resolve, pause))
    }
  }
}

// The last moment at which a page is sure to run (https://developer.chrome.com/docs/web-platform/page-lifecycle-api).
document.addEventListener('visibilitychange', () => {
  if (document.visibilityState === 'hidden') send()
})
