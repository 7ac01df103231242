import type { RegisteredRouter } from '@tanstack/react-router'
import { useSyncExternalStore } from 'react'
import { takeCapturedText, captureTyping } from '#/features/search/type-ahead'
import { upTo } from '#/lib/breakpoints'
import { Emitter } from '#/lib/emitter'

export type ChromePanel = 'menu' | 'profile' | 'search' | null

/** The delay between the search button and the search, in milliseconds. */
const SEARCH_DELAY = 100

/** The side menu, the profile panel and the search: one value, since they exclude each other. */
const panel = new Emitter<ChromePanel>(null)

let opening: ReturnType<typeof setTimeout> | undefined

export function setPanel(value: ChromePanel): void {
  clearTimeout(opening)
  if (value !== 'search') takeCapturedText()
  panel.set(value)
}

export function togglePanel(value: Exclude<ChromePanel, null>): void {
  const isOpen = panel.get() === value
  if (isOpen || value !== 'search') {
    setPanel(isOpen ? null : value)
  } else {
    setPanel(null)
    captureTyping()
    opening = setTimeout(() => panel.set('search'), SEARCH_DELAY)
  }
}

export function usePanel(): ChromePanel {
  return useSyncExternalStore(panel.subscribe, panel.get)
}

/**
 * Closes the open panel, which unlocks scrolling, when the reader navigates, even to the current
 * page, and when the bar changes its size.
 */
export function closePanelsOnLeaving(router: Pick<RegisteredRouter, 'subscribe'>): void {
  router.subscribe('onBeforeNavigate', ({ pathChanged, hrefChanged }) => {
    if (pathChanged || !hrefChanged) setPanel(null)
  })
  window.matchMedia(upTo('smallBar')).addEventListener('change', () => setPanel(null))
}
