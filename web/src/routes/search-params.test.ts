import { createMemoryHistory, createRouter } from '@tanstack/react-router'
import { expect, it } from 'vitest'
import { archiveSearch, contactSearch, gridSearch } from './search-params'
import { routeTree } from './tree'

it('keeps the known parameters of a page, and drops empty ones', () => {
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

/** The path and the `validateSearch` of the route at a path. */
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

it.each([
  ['/bars/the-wren/', ['/$first/$second', '/$first/$second/']],
  // The viewer of a photo is part of its place's page.
  ['/bars/the-wren/photos/7', ['/$first/$second', '/$first/$second/photos/$photo']],
  ['/bars/the-wren/photos/upload/', ['/$first/$second/photos/upload/']],
])('is at %s the page of the routes %j', (path, routes) => {
  const router = createRouter({ routeTree, history: createMemoryHistory() })
  const [, ...matches] = router.matchRoutes(path, {}) as { routeId: string }[]
  expect(matches.map(({ routeId }) => routeId)).toEqual(routes)
})
