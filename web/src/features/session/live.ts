import type { Hi } from '#/api/types'
import { openChannel } from '#/lib/broadcast'
import { debug } from '#/lib/log'

const LOCK = 'cityguide:live'
const FIRST_PAUSE = 2000
const LONGEST_PAUSE = 60_000

export interface LivePorts {
  id: number
  onUpdates(hi: Hi): void
  /** The stream was refused, not only interrupted. */
  onRefused(): void
}

/**
 * One stream of changes per browser: the tab that holds the lock keeps it and tells the others.
 * When that tab closes, the lock passes to another one, whose stream begins with the current state.
 */
export function followLive(ports: LivePorts): () => void {
  const channel = openChannel<Hi>(LOCK)
  const leaving = new AbortController()
  const accept = (hi: Hi): void => {
    if (!leaving.signal.aborted && hi.id === ports.id) ports.onUpdates(hi)
  }
  const stopListening = channel.listen(accept)
  const lead = (): Promise<void> =>
    keepStream(ports, leaving.signal, (hi) => {
      accept(hi)
      channel.send(hi)
    })

  if ('locks' in navigator) {
    navigator.locks.request(LOCK, { signal: leaving.signal }, lead).catch((error: unknown) => {
      debug('No place in the queue for the stream', error)
    })
  } else {
    void lead()
  }
  return () => {
    leaving.abort()
    stopListening()
  }
}

function keepStream(
  ports: LivePorts,
  signal: AbortSignal,
  onEvent: (hi: Hi) => void,
): Promise<void> {
  return new Promise((resolve) => {
    let source: EventSource | undefined
    let timer: ReturnType<typeof setTimeout> | undefined
    let pause = FIRST_PAUSE

    const open = (): void => {
      source = new EventSource('/api/v2/profiles/hi/stream/')
      source.addEventListener('last_updates', (event: MessageEvent<string>) => {
        pause = FIRST_PAUSE
        const hi = parseHi(event.data)
        if (hi) onEvent(hi)
      })
      source.onerror = () => {
        // The browser itself reconnects after an interruption; a refusal closes for good.
        if (source?.readyState !== EventSource.CLOSED || signal.aborted) return
        ports.onRefused()
        timer = setTimeout(open, pause * (0.75 + Math.random() / 2))
        pause = Math.min(pause * 2, LONGEST_PAUSE)
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
    debug('The stream said something unreadable', error)
  }
  return undefined
}
