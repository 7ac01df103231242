import { QueryClient } from '@tanstack/react-query'
import { createMemoryHistory, createRootRoute, createRouter } from '@tanstack/react-router'
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
