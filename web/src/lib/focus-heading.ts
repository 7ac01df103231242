import type { RegisteredRouter } from '@tanstack/react-router'
import { pagePath } from './page-path'

/**
 * After a navigation, moves the focus to the new page's heading, where keyboard and screen reader continue. The focus stays
 * where the page or the reader has put it in the meantime.
 */
export function focusHeadings(router: Pick<RegisteredRouter, 'subscribe'>): void {
  let left: Element | null = null
  let stop = (): void => undefined

  router.subscribe('onBeforeNavigate', () => {
    stop()
    left = document.activeElement
  })
  router.subscribe('onRendered', ({ fromLocation, toLocation }) => {
    stop()
    if (!fromLocation || pagePath(fromLocation.pathname) === pagePath(toLocation.pathname)) return
    stop = followHeading(left)
  })
}

/** Focuses the heading once it is rendered, and again if it replaces the heading of a skeleton. */
function followHeading(left: Element | null): () => void {
  const main = document.querySelector('main')
  if (!main) return () => undefined
  const given = new AbortController()
  const stop = (): void => given.abort()
  let heading: HTMLElement | null = null
  const attempt = (): void => {
    if (heading?.isConnected) return
    const focused = document.activeElement
    const isFree = focused === left || focused === main || !main.contains(focused)
    if (!isFree || focused?.closest('[role=dialog]')) return
    heading = main.querySelector('h1')
    if (!heading) return
    // Headings take no focus from the keyboard.
    heading.tabIndex = -1
    heading.focus({ preventScroll: true })
  }
  const watching = new MutationObserver(attempt)
  watching.observe(main, { childList: true, subtree: true })
  given.signal.addEventListener('abort', () => watching.disconnect())
  for (const event of ['keydown', 'pointerdown']) {
    window.addEventListener(event, stop, { signal: given.signal, passive: true })
  }
  attempt()
  return stop
}
