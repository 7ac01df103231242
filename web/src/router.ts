import { createRouter } from '@tanstack/react-router'
import { historyCache } from './features/session/history'
import { followDialogs } from './lib/dialog-history'
import { focusHeadings } from './lib/focus-heading'
import { followHistory } from './lib/follow-history'
import { ignoreSkippedTransitions, transitionTypes } from './lib/view-transition'
import { LatePendingPage } from './routes/skeletons'
import { routeTree } from './routes/tree'

/** Plain query strings: `keywords=501` stays text, and unknown parameters are kept. */
function parseSearch(text: string): Record<string, string> {
  return Object.fromEntries(new URLSearchParams(text))
}

function stringifySearch(search: Record<string, unknown>): string {
  const query = new URLSearchParams()
  for (const [name, value] of Object.entries(search)) {
    if (typeof value === 'string') query.set(name, value)
  }
  // A parameter without a value keeps its spelling: `?advertise`.
  const text = query.toString().replace(/=(?=&|$)/g, '')
  return text && `?${text}`
}

followDialogs()

export const router = createRouter({
  routeTree,
  parseSearch,
  stringifySearch,
  trailingSlash: 'preserve',
  // Only photos are below a place: other addresses there do not show the place's page.
  notFoundMode: 'root',
  defaultPreload: 'intent',
  // After a second, a page whose code is loading replaces the old page.
  defaultPendingComponent: LatePendingPage,
  defaultPendingMinMs: 0,
  defaultViewTransition: { types: transitionTypes },
})

followHistory(router, historyCache)
focusHeadings(router)
ignoreSkippedTransitions()

declare module '@tanstack/react-router' {
  interface Register {
    router: typeof router
  }
}
