import { createRouter } from '@tanstack/react-router'
import { historyCache } from './features/session/history'
import { followHistory } from './lib/follow-history'
import { excuseSkippedTransitions, transitionTypes } from './lib/view-transition'
import { routeTree } from './routes/tree'

/** Plain query strings: `keywords=501` stays text, and other people's parameters stay as they are. */
function parseSearch(text: string): Record<string, string> {
  return Object.fromEntries(new URLSearchParams(text))
}

function stringifySearch(search: Record<string, unknown>): string {
  const query = new URLSearchParams()
  for (const [name, value] of Object.entries(search)) {
    if (typeof value === 'string') query.set(name, value)
  }
  // A parameter that says all by its presence stays as it is spelt: `?advertise`.
  const text = query.toString().replace(/=(?=&|$)/g, '')
  return text && `?${text}`
}

let isFirst = true

/**
 * Asked as each page is rendered. Who has scrolled in what the server wrote, before the application took
 * over, stays there.
 */
function restoresScroll(): boolean {
  const hasScrolled = isFirst && window.scrollY > 0
  isFirst = false
  return !hasScrolled
}

export const router = createRouter({
  routeTree,
  parseSearch,
  stringifySearch,
  trailingSlash: 'preserve',
  defaultPreload: 'intent',
  scrollRestoration: restoresScroll,
  defaultViewTransition: { types: transitionTypes },
})

followHistory(router, historyCache)
excuseSkippedTransitions()

declare module '@tanstack/react-router' {
  interface Register {
    router: typeof router
  }
}
