import { createMemoryHistory, createRouter } from '@tanstack/react-router'
import { expect, it } from 'vitest'
import { archiveSearch, contactSearch, gridSearch } from './search-params'
import { routeTree } from './tree'

it('keeps the texts of the parameters that a page knows, and drops empty ones', () => {
  expect(gridSearch({ keywords: ' pho ', ordering: '  ', other: 'x' })).toEqual({
    keywords: 'pho',
    ordering: undefined,
  })
  expect(archiveSearch({ author: 'ada-king', from: 7 })).toMatchObject({
    author: 'ada-king',
    from: undefined,
  })
})

it('counts "advertise" by its presence', () => {
  expect(contactSearch({ advertise: 'yes' })).toEqual({ advertise: '' })
  expect(contactSearch({})).toEqual({})
})

/** The path and the parameters' check of the route that a path leads to. */
function routeOf(path: string) {
  const router = createRouter({ routeTree, history: createMemoryHistory() })
  const matches = router.matchRoutes(path, {}) as { routeId: string }[]
  const found = matches.at(-1)?.routeId
  const routes = (routeTree.children ?? []).map(
    (route) => route.options as { path?: string; validateSearch?: unknown },
  )
  return routes.find((route) => route.path === found)
}

it.each(['/places/', '/events/', '/contests/', '/videos/', '/archives/', '/contact/', '/news/'])(
  'is asked by the route of %s',
  (path) => {
    expect(routeOf(path)?.validateSearch).toBeDefined()
  },
)

it('leaves the pages below an object to be routes of their own', () => {
  expect(routeOf('/bars/the-wren/')?.path).toBe('/$first/$second/')
  // There is no page yet; a route `/$first/$second/photos/$photo/` would match.
  for (const path of ['/bars/the-wren/photos/7/', '/bars/the-wren/photos/upload/']) {
    expect(routeOf(path), path).toBeUndefined()
  }
})
