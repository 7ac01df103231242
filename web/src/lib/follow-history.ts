import type { RegisteredRouter, RouterHistory } from '@tanstack/react-router'
import type { HistoryCache } from './history-cache'
import { currentPlace, returnTo } from './reading-place'

type Change = Parameters<Parameters<RouterHistory['subscribe']>[0]>[0]

/**
 * Saves each page's lists and position when it is left, and restores them on Back and Forward. It alone
 * restores positions: the router scrolls a new page to its top or its hash, and the browser restores
 * nothing while the application runs.
 */
export function followHistory(router: RegisteredRouter, cache: HistoryCache): void {
  let here = router.history.location.href
  let returning: (() => void) | undefined

  const stopReturning = (): void => {
    returning?.()
    returning = undefined
  }

  // The address has changed; the old page is still rendered.
  router.history.subscribe(({ location, action }: Change) => {
    const next = location.href
    if (next === here) return
    // A hash that is taken out of the address, such as a mailed link's token, is not written down.
    const isHashDropped = action.type === 'REPLACE' && next === here.split('#')[0]
    if (!isHashDropped) cache.keep(here, currentPlace())
    here = next
    stopReturning()
    const isVisit = action.type === 'PUSH' || isFollowedAnchor()
    const isReturn = !isVisit && action.type !== 'REPLACE'
    if (isVisit) cache.shorten()
    if (isReturn) cache.recall(next)
    const stop = router.subscribe('onRendered', () => {
      stop()
      if (here !== next) return
      // Shortens the lists that the old page was still using.
      if (isVisit) cache.shorten()
      const place = isReturn ? cache.placeOf(next) : undefined
      if (place) returning = returnTo(place)
    })
  })

  // Leaving the site and coming back loads the page again; until then the browser restores the position.
  window.history.scrollRestoration = 'manual'
  window.addEventListener('pageshow', () => (window.history.scrollRestoration = 'manual'))
  window.addEventListener('pagehide', () => {
    cache.keep(here, currentPlace())
    window.history.scrollRestoration = 'auto'
  })
  const [load] = performance.getEntriesByType('navigation')
  const type = (load as PerformanceNavigationTiming | undefined)?.type
  if (type === 'back_forward') cache.recall(here)
  const isKept = type === 'back_forward' || type === 'reload'
  const place = isKept ? cache.placeOf(here) : undefined
  if (place) returning = returnTo(place)
}

/** Whether the address changed because the reader followed a plain link to a part of the page. */
function isFollowedAnchor(): boolean {
  return window.history.state === null
}
