import type { RegisteredRouter, RouterHistory } from '@tanstack/react-router'
import type { HistoryCache } from './history-cache'
import { currentPlace, returnTo } from './reading-place'

type Change = Parameters<Parameters<RouterHistory['subscribe']>[0]>[0]

/** Saves each page's lists and position when it is left, and restores them on Back and Forward. */
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

  // The address has changed; the old page is still rendered.
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
      // Shortens the lists that the old page was still using.
      else if (action.type === 'PUSH') cache.shorten()
    })
  })

  // Leaving the site and coming back loads the page again.
  window.addEventListener('pagehide', () => cache.keep(here, currentPlace()))
  const [load] = performance.getEntriesByType('navigation')
  if ((load as PerformanceNavigationTiming | undefined)?.type === 'back_forward') go()
}
