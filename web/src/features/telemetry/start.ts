import { browserSignal } from '#/features/consent/signal'
import { watchErrors } from '#/lib/script-errors'
import { whenIdle } from '#/lib/when-idle'

/**
 * Loads the code that measures the page, in idle time. A browser that asks not to be tracked is not measured, although
 * the reports contain nothing about the reader.
 */
export function measureWhenIdle(load: () => Promise<unknown>): void {
  if (browserSignal() !== null) return
  watchErrors()
  whenIdle(() => void load().catch(() => undefined))
}
