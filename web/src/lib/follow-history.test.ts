import { QueryClient, QueryObserver } from '@tanstack/react-query'
import {
  createMemoryHistory,
  createRootRoute,
  createRoute,
  createRouter,
} from '@tanstack/react-router'
import { expect, it, vi } from 'vitest'
import { memoryStore } from '../../test/memory-store'
import { followHistory } from './follow-history'
import { HistoryCache } from './history-cache'

it('writes down no hash that is taken out of the address', () => {
  vi.spyOn(performance, 'getEntriesByType').mockReturnValue([])
  const store = memoryStore()
  const history = createMemoryHistory({ initialEntries: ['/page/#secret'] })
  const router = createRouter({ routeTree: createRootRoute(), history })
  followHistory(router as never, new HistoryCache(store, new QueryClient()))
  history.replace('/page/')
  history.push('/another/')
  expect(store.get('history:entries')).toContain('/page/')
  expect(store.get('history:entries')).not.toContain('secret')
})

it('stores a list as soon as it grows, because a page may be loaded again before the reader has left it', async () => {
  vi.spyOn(performance, 'getEntriesByType').mockReturnValue([])
  const store = memoryStore()
  const client = new QueryClient()
  const history = createMemoryHistory({ initialEntries: ['/'] })
  const router = createRouter({ routeTree: createRootRoute(), history })
  await router.load()
  followHistory(router as never, new HistoryCache(store, client))
  const list = (count: number) => ({
    pages: Array.from({ length: count }, () => ({ results: [] })),
    pageParams: Array.from({ length: count }, () => ''),
  })
  const queryKey = ['pages']
  new QueryObserver(client, { queryKey, initialData: list(1) }).subscribe(() => undefined)
  const stored = () => {
    const later = new QueryClient()
    new HistoryCache(store, later).restore('/')
    return later.getQueryData<ReturnType<typeof list>>(queryKey)?.pages.length
  }
  expect(stored()).toBeUndefined()
  client.setQueryData(queryKey, list(2))
  expect(stored()).toBe(2)
  client.setQueryData(queryKey, list(1))
  client.setQueryData(queryKey, list(3))
  expect(stored()).toBe(3)
})

it.each([
  ['/page/', true],
  ['/page/#/section/', true],
  ['/page/#secret', false],
])('stores the position on %s before the reader leaves it: %s', async (address, isStored) => {
  vi.spyOn(performance, 'getEntriesByType').mockReturnValue([])
  const store = memoryStore()
  const history = createMemoryHistory({ initialEntries: [address] })
  const root = createRootRoute()
  const page = createRoute({ getParentRoute: () => root, path: '/page/' })
  const router = createRouter({ routeTree: root.addChildren([page]), history })
  await router.load()
  followHistory(router as never, new HistoryCache(store, new QueryClient()))
  document.dispatchEvent(new Event('focusin'))
  expect(store.get('history:latest')?.includes(address) ?? false).toBe(isStored)
  expect([...store.values.values()].join()).not.toContain('secret')
})
