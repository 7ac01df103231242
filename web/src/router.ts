import { createRouter } from '@tanstack/react-router'
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
  const text = query.toString()
  return text && `?${text}`
}

export const router = createRouter({
  routeTree,
  parseSearch,
  stringifySearch,
  trailingSlash: 'preserve',
  defaultPreload: 'intent',
  scrollRestoration: true,
})

declare module '@tanstack/react-router' {
  interface Register {
    router: typeof router
  }
}
