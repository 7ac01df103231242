import type { RegisteredRouter } from '@tanstack/react-router'
import { useSyncExternalStore } from 'react'
import { takeTyped, typeAhead } from '#/features/search/typed-ahead'
import { upTo } from '#/lib/breakpoints'
import { Emitter } from '#/lib/emitter'

export type ChromePanel = 'menu' | 'profile' | 'search' | null

/** Search opens this long after its button was pressed, in milliseconds (spec, section 9). */
const SEARCH_DELAY = 100

/** The side menu, the profile panel and the search: one value, so each excludes the others. */
const panel = new Emitter<ChromePanel>(null)

let opening: ReturnType<typeof setTimeout> | undefined

export function setPanel(value: ChromePanel): void {
  clearTimeout(opening)
  if (value !== 'search') takeTyped()
  panel.set(value)
}

export function togglePanel(value: Exclude<ChromePanel, null>): void {
  const isOpen = panel.get() === value
  if (isOpen || value !== 'search') {
    setPanel(isOpen ? null : value)
  } else {
    setPanel(null)
    typeAhead()
    opening = setTimeout(() => panel.set('search'), SEARCH_DELAY)
  }
}

export function usePanel(): ChromePanel {
  return useSyncExternalStore(panel.subscribe, panel.get)
}

/**
 * Closes the open panel, which unlocks scrolling, when the reader navigates, also to the current page,
 * and when the bar changes its size.
 */
export function closePanelsOnLeaving(router: Pick<RegisteredRouter, 'subscribe'>): void {
  router.subscribe('onBeforeNavigate', ({ pathChanged, hrefChanged }) => {
    if (pathChanged || !hrefChanged) setPanel(null)
  })
  window.matchMedia(upTo('smallBar')).addEventListener('change', () => setPanel(null))
}
