import { api, worthRetrying } from '#/lib/http'

type Kind = 'impression' | 'viewable'

/** Events wait this long for others, in milliseconds. */
const WAIT = 1_000
/** The most events of a request. */
const BATCH = 50
/** After these times, in milliseconds, events that were not answered are told again; the server counts each once. */
const AGAIN_AFTER = [5_000, 30_000]

interface AdEvent {
  kind: Kind
  token: string
}

const told = new Set<string>()
let queue: AdEvent[] = []
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
    void tell(events)
  }
}

async function tell(events: AdEvent[]): Promise<void> {
  for (let tried = 0; ; tried += 1) {
    try {
      // Unlike a beacon, this has no cookie.
      await api.POST('/api/v2/ads/events/', {
        body: { events },
        credentials: 'omit',
        keepalive: true,
      })
      return
    } catch (error) {
      const pause = AGAIN_AFTER[tried]
      if (pause === undefined || !worthRetrying(tried, error)) return
      await new Promise((resolve) => setTimeout(resolve, pause))
    }
  }
}

// The last moment at which a page surely runs (https://developer.chrome.com/docs/web-platform/page-lifecycle-api).
document.addEventListener('visibilitychange', () => {
  if (document.visibilityState === 'hidden') send()
})
