import type { RegisteredRouter, RouterHistory } from '@tanstack/react-router'
import type { HistoryCache } from './history-cache'
import { loadType } from './page-load'
import { currentPosition, restorePosition } from './reading-position'

type HistoryChange = Parameters<Parameters<RouterHistory['subscribe']>[0]>[0]

/**
 * Saves each page's lists and reading position when the reader leaves it, and restores them on Back
 * and Forward. Nothing else restores positions: the router scrolls a new page to its top or its
 * hash, and the browser's own restoration is off while the application runs.
 */
export function followHistory(router: RegisteredRouter, cache: HistoryCache): void {
  let here = router.history.location.href
  let returning: (() => void) | undefined

  const stopReturning = (): void => {
    returning?.()
    returning = undefined
  }

  // The address has changed, but the old page is still rendered.
  router.history.subscribe(({ location, action }: HistoryChange) => {
    const next = location.href
    if (next === here) return
    // A hash that is removed from the address, such as a mailed link's token, must not be stored.
    const isHashDropped = action.type === 'REPLACE' && next === here.split('#')[0]
    if (!isHashDropped) cache.save(here, currentPosition())
    here = next
    stopReturning()
    const isVisit = action.type === 'PUSH' || isFollowedAnchor()
    const isReturn = !isVisit && action.type !== 'REPLACE'
    if (isVisit) cache.shorten()
    if (isReturn) cache.restore(next)
    const stop = router.subscribe('onRendered', () => {
      stop()
      if (here !== next) return
      // Shortens the lists that the old page was still using.
      if (isVisit) cache.shorten()
      const place = isReturn ? cache.positionOf(next) : undefined
      if (place) returning = restorePosition(place)
    })
  })

  // A browser may load the page of another site, and this page again, before it reports that the reader has left.
  // A hash without a slash may be the token of a mailed link, which is about to be removed.
  const mayStore = (): boolean =>
    router.state.resolvedLocation?.href === here && !/#[^/]/.test(here)
  cache.onGrowth(() => {
    if (mayStore()) cache.save(here, currentPosition())
  })
  for (const event of ['focusin', 'scrollend']) {
    document.addEventListener(event, () => {
      if (mayStore()) cache.notePosition(here, currentPosition())
    })
  }

  // Leaving the site and coming back loads the page again; until then the browser restores the position.
  window.history.scrollRestoration = 'manual'
  window.addEventListener('pageshow', () => (window.history.scrollRestoration = 'manual'))
  window.addEventListener('pagehide', () => {
    cache.save(here, currentPosition())
    window.history.scrollRestoration = 'auto'
  })
  const type = loadType()
  if (type === 'back_forward') cache.restore(here)
  const isRestored = type === 'back_forward' || type === 'reload'
  const place = isRestored ? cache.positionOf(here) : undefined
  if (place) returning = restorePosition(place)
}

/** Whether the address changed because the reader followed a plain link to a part of the page. */
function isFollowedAnchor(): boolean {
  return window.history.state === null
}
