import type { RegisteredRouter, RouterHistory } from '@tanstack/react-router'
import type { HistoryCache } from './history-cache'
import { currentPlace, returnTo } from './reading-place'

type Change = Parameters<Parameters<RouterHistory['subscribe']>[0]>[0]

/** Keeps what every page showed when it is left, and gives it back on Back and Forward. */
export function followHistory(router: RegisteredRouter, cache: HistoryCache): void {
  const addressOf = ({ pathname, search }: { pathname: string; search: string }): string =>
    pathname + search
  let here = addressOf(router.history.location)
  let returning: (() => void) | undefined

  const go = (): void => {
    returning?.()
    returning = undefined
    const place = cache.recall(here)
    if (place) returning = returnTo(place)
  }

  // The address has changed, and the page that is left is still there.
  router.history.subscribe(({ location, action }: Change) => {
    const next = addressOf(location)
    if (next === here) return
    cache.keep(here, currentPlace())
    here = next
    returning?.()
    returning = undefined
    const isReturn = action.type !== 'PUSH' && action.type !== 'REPLACE'
    if (action.type === 'PUSH') cache.shorten()
    if (isReturn) cache.recall(next)
    const stop = router.subscribe('onRendered', () => {
      stop()
      if (here !== next) return
      if (isReturn) go()
      // What the page that was left still held.
      else if (action.type === 'PUSH') cache.shorten()
    })
  })

  // Out of the site and back is a load of its own.
  window.addEventListener('pagehide', () => cache.keep(here, currentPlace()))
  const [load] = performance.getEntriesByType('navigation')
  if ((load as PerformanceNavigationTiming | undefined)?.type === 'back_forward') go()
}
