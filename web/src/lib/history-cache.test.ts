import { QueryClient, QueryObserver, type InfiniteData } from '@tanstack/react-query'
import { beforeEach, describe, expect, it } from 'vitest'
import { memoryStore, type MemoryStore } from '../../test/memory-store'
import { HistoryCache } from './history-cache'
import { PERSONAL } from './query-client'

const KEY = ['listings', 'pages', { ordering: 'name' }]
const MINE = [PERSONAL, 'favourites', 'list', { ordering: 'name' }]

const list = (pages: number): InfiniteData<unknown> => ({
  pages: Array.from({ length: pages }, (_, index) => ({ results: [{ id: index }], count: 9 })),
  pageParams: Array.from({ length: pages }, (_, index) => `/page/${index}`),
})

let store: MemoryStore
let client: QueryClient
let cache: HistoryCache

beforeEach(() => {
  store = memoryStore()
  client = new QueryClient()
  cache = new HistoryCache(store, client)
})

function watch(queryKey: readonly unknown[]): () => void {
  const options = { queryKey, queryFn: () => list(1), staleTime: Infinity }
  return new QueryObserver(client, options).subscribe(() => {})
}

/** Shows a list; returns a function that removes its page. */
function show(key: readonly unknown[], pages: number): () => void {
  client.setQueryData(key, list(pages))
  return watch(key)
}

const pagesOf = (of: QueryClient, key: readonly unknown[]) =>
  of.getQueryData<InfiniteData<unknown>>(key)?.pages.length

/** The same tab after a full load. */
function afterLoad(): { client: QueryClient; cache: HistoryCache } {
  const fresh = new QueryClient()
  return { client: fresh, cache: new HistoryCache(store, fresh) }
}

it('restores the list and the position after a full load', () => {
  show(KEY, 4)
  cache.save('/places/?ordering=name', { scroll: 900, focus: { path: [1, 2], text: 'Wren' } })
  const later = afterLoad()
  expect(later.cache.restore('/places/?ordering=name')).toMatchObject({
    scroll: 900,
    focus: { path: [1, 2], text: 'Wren' },
  })
  expect(later.client.getQueryData(KEY)).toEqual(list(4))
})

it('restores the last position of a page that was loaded again before the reader had left it', () => {
  show(KEY, 4)
  cache.save('/places/', { scroll: 100 })
  cache.notePosition('/places/', { scroll: 900, focus: { path: [1], text: 'Wren' } })
  expect(afterLoad().cache.positionOf('/places/')).toMatchObject({
    scroll: 900,
    focus: { path: [1], text: 'Wren' },
  })
  const later = afterLoad()
  later.cache.restore('/places/')
  expect(later.client.getQueryData(KEY)).toEqual(list(4))
  cache.save('/places/', { scroll: 50 })
  expect(afterLoad().cache.positionOf('/places/')).toMatchObject({ scroll: 50 })
})

it('keeps path and query apart', () => {
  show(KEY, 4)
  cache.save('/places/?ordering=name', { scroll: 900 })
  expect(cache.restore('/places/')).toBeUndefined()
  expect(cache.restore('/places/?ordering=-name')).toBeUndefined()
})

it('starts with one page on a new visit, and has all pages again on Back', () => {
  const leave = show(KEY, 4)
  cache.save('/places/', { scroll: 900 })
  cache.shorten()
  expect(pagesOf(client, KEY)).toBe(4)
  leave()
  cache.shorten()
  expect(pagesOf(client, KEY)).toBe(1)
  cache.restore('/places/')
  expect(pagesOf(client, KEY)).toBe(4)
})

it('never shortens a list', () => {
  show(KEY, 2)
  cache.save('/places/', { scroll: 0 })
  client.setQueryData(KEY, list(5))
  cache.restore('/places/')
  expect(pagesOf(client, KEY)).toBe(5)
})

it('fetches a personal list again, whose pages may have moved', () => {
  show(MINE, 3)()
  cache.shorten()
  expect(client.getQueryData(MINE)).toBeUndefined()
})

it('forgets the lists that a toggle changes, and keeps the others and the place', () => {
  show(MINE, 2)
  show(KEY, 2)
  cache.save('/accounts/dashboard', { scroll: 300 })
  cache.dropLists([PERSONAL, 'favourites', 'list'])
  const later = afterLoad()
  expect(later.cache.restore('/accounts/dashboard')).toMatchObject({ scroll: 300 })
  expect(later.client.getQueryData(MINE)).toBeUndefined()
  expect(pagesOf(later.client, KEY)).toBe(2)
})

describe('the owner of the pages', () => {
  const kept = () => afterLoad().cache.restore('/places/') !== undefined

  it.each([
    ['a reader signs out', 7, null, false],
    ['another reader signs in', 7, 8, false],
    ['the same reader comes back', 7, 7, true],
    ['a guest stays a guest', null, null, true],
    ['a guest signs in', null, 7, true],
  ] as const)('when %s', (_, before, after, isKept) => {
    cache.setOwner(before)
    cache.save('/places/', { scroll: 10 })
    cache.setOwner(after)
    expect(kept()).toBe(isKept)
  })
})

it('stores a hundred positions, and the lists of the last twelve', () => {
  const leave = show(KEY, 4)
  for (let index = 0; index < 101; index += 1) cache.save(`/${index}/`, { scroll: index })
  leave()
  expect(cache.positionOf('/0/')).toBeUndefined()
  const older = afterLoad()
  expect(older.cache.restore('/88/')).toMatchObject({ scroll: 88 })
  expect(older.client.getQueryData(KEY)).toBeUndefined()
  const newer = afterLoad()
  expect(newer.cache.restore('/89/')).toMatchObject({ scroll: 89 })
  expect(newer.client.getQueryData(KEY)).toEqual(list(4))
})

it('returns only the position for a reload', () => {
  show(KEY, 4)
  cache.save('/places/', { scroll: 10 })
  const later = afterLoad()
  expect(later.cache.positionOf('/places/')).toMatchObject({ scroll: 10 })
  expect(later.client.getQueryData(KEY)).toBeUndefined()
})

it('stores only the position for a list that is too long', () => {
  client.setQueryData(KEY, { pages: ['x'.repeat(400_001)], pageParams: [''] })
  watch(KEY)
  cache.save('/places/', { scroll: 10 })
  const later = afterLoad()
  expect(later.cache.restore('/places/')).toMatchObject({ scroll: 10 })
  expect(later.client.getQueryData(KEY)).toBeUndefined()
})

it.each(['', '{', '7', '[["/places/",null]]', '[["/places/",{"scroll":1,"lists":[{}]}]]'])(
  'ignores %j',
  (text) => {
    store.set('history:entries', text)
    expect(new HistoryCache(store, client).restore('/places/')).toBeUndefined()
  },
)
