import type { Hi } from '#/api/types'
import { openChannel } from '#/lib/broadcast'
import { debug } from '#/lib/log'

const LOCK = 'cityguide:live'
const MIN_PAUSE = 2000
const MAX_PAUSE = 60_000

export interface LivePorts {
  id: number
  onUpdates(hi: Hi): void
  /** The server has refused the stream. */
  onRefused(): void
}

/**
 * One stream of changes per browser: the tab that holds the lock opens it and passes the changes to the other tabs.
 * When that tab closes, the lock moves to another one, whose stream begins with the current state.
 */
export function followLive(ports: LivePorts): () => void {
  const channel = openChannel<Hi>(LOCK)
  const leaving = new AbortController()
  const accept = (hi: Hi): void => {
    if (!leaving.signal.aborted && hi.id === ports.id) ports.onUpdates(hi)
  }
  const stopListening = channel.listen(accept)
  const runStream = (): Promise<void> =>
    openStream(ports, leaving.signal, (hi) => {
      accept(hi)
      channel.send(hi)
    })

  if ('locks' in navigator) {
    navigator.locks.request(LOCK, { signal: leaving.signal }, runStream).catch((error: unknown) => {
      debug('The lock of the stream of changes could not be requested', error)
    })
  } else {
    void runStream()
  }
  return () => {
    leaving.abort()
    stopListening()
  }
}

function openStream(
  ports: LivePorts,
  signal: AbortSignal,
  onEvent: (hi: Hi) => void,
): Promise<void> {
  return new Promise((resolve) => {
    let source: EventSource | undefined
    let timer: ReturnType<typeof setTimeout> | undefined
    let pause = MIN_PAUSE

    const open = (): void => {
      source = new EventSource('/api/v2/profiles/hi/stream/')
      source.addEventListener('last_updates', (event: MessageEvent<string>) => {
        pause = MIN_PAUSE
        const hi = parseHi(event.data)
        if (hi) onEvent(hi)
      })
      source.onerror = () => {
        // The browser reconnects after an interruption, but not after a refusal.
        if (source?.readyState !== EventSource.CLOSED || signal.aborted) return
        ports.onRefused()
        timer = setTimeout(open, pause * (0.75 + Math.random() / 2))
        pause = Math.min(pause * 2, MAX_PAUSE)
      }
    }

    signal.addEventListener('abort', () => {
      clearTimeout(timer)
      source?.close()
      resolve()
    })
    if (signal.aborted) resolve()
    else open()
  })
}

function parseHi(text: string): Hi | undefined {
  try {
    const value = JSON.parse(text) as Partial<Hi> | null
    if (typeof value?.id === 'number' && typeof value.last_updates === 'object') return value as Hi
  } catch (error) {
    debug('A message of the stream of changes could not be parsed', error)
  }
  return undefined
}
