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

/** A list that its page shows; the answer takes the page away. */
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

it('gives back the list and the place after a full load', () => {
  show(KEY, 4)
  cache.keep('/places/?ordering=name', { scroll: 900, focus: { path: [1, 2], text: 'Wren' } })
  const later = afterLoad()
  expect(later.cache.recall('/places/?ordering=name')).toMatchObject({
    scroll: 900,
    focus: { path: [1, 2], text: 'Wren' },
  })
  expect(later.client.getQueryData(KEY)).toEqual(list(4))
})

it('keeps path and query apart', () => {
  show(KEY, 4)
  cache.keep('/places/?ordering=name', { scroll: 900 })
  expect(cache.recall('/places/')).toBeUndefined()
  expect(cache.recall('/places/?ordering=-name')).toBeUndefined()
})

it('starts with one page on a new visit, and has all pages again on Back', () => {
  const leave = show(KEY, 4)
  cache.keep('/places/', { scroll: 900 })
  cache.shorten()
  expect(pagesOf(client, KEY)).toBe(4)
  leave()
  cache.shorten()
  expect(pagesOf(client, KEY)).toBe(1)
  cache.recall('/places/')
  expect(pagesOf(client, KEY)).toBe(4)
})

it('never makes a list shorter than it is', () => {
  show(KEY, 2)
  cache.keep('/places/', { scroll: 0 })
  client.setQueryData(KEY, list(5))
  cache.recall('/places/')
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
  cache.keep('/accounts/dashboard', { scroll: 300 })
  cache.dropLists([PERSONAL, 'favourites', 'list'])
  const later = afterLoad()
  expect(later.cache.recall('/accounts/dashboard')).toMatchObject({ scroll: 300 })
  expect(later.client.getQueryData(MINE)).toBeUndefined()
  expect(pagesOf(later.client, KEY)).toBe(2)
})

describe('whose pages they are', () => {
  const kept = () => afterLoad().cache.recall('/places/') !== undefined

  it.each([
    ['a reader signs out', 7, null, false],
    ['another reader signs in', 7, 8, false],
    ['the same reader comes back', 7, 7, true],
    ['a guest stays a guest', null, null, true],
    ['a guest signs in', null, 7, true],
  ] as const)('when %s', (_, before, after, isKept) => {
    cache.belongTo(before)
    cache.keep('/places/', { scroll: 10 })
    cache.belongTo(after)
    expect(kept()).toBe(isKept)
  })
})

it('remembers a hundred positions, and the lists of the last twelve', () => {
  const leave = show(KEY, 4)
  for (let index = 0; index < 101; index += 1) cache.keep(`/${index}/`, { scroll: index })
  leave()
  expect(cache.placeOf('/0/')).toBeUndefined()
  const older = afterLoad()
  expect(older.cache.recall('/88/')).toMatchObject({ scroll: 88 })
  expect(older.client.getQueryData(KEY)).toBeUndefined()
  const newer = afterLoad()
  expect(newer.cache.recall('/89/')).toMatchObject({ scroll: 89 })
  expect(newer.client.getQueryData(KEY)).toEqual(list(4))
})

it('answers the position alone for a reload', () => {
  show(KEY, 4)
  cache.keep('/places/', { scroll: 10 })
  const later = afterLoad()
  expect(later.cache.placeOf('/places/')).toMatchObject({ scroll: 10 })
  expect(later.client.getQueryData(KEY)).toBeUndefined()
})

it('keeps the place alone of a list too long to store', () => {
  client.setQueryData(KEY, { pages: ['x'.repeat(400_001)], pageParams: [''] })
  watch(KEY)
  cache.keep('/places/', { scroll: 10 })
  const later = afterLoad()
  expect(later.cache.recall('/places/')).toMatchObject({ scroll: 10 })
  expect(later.client.getQueryData(KEY)).toBeUndefined()
})

it.each(['', '{', '7', '[["/places/",null]]', '[["/places/",{"scroll":1,"lists":[{}]}]]'])(
  'finds nothing in %j',
  (text) => {
    store.set('history:entries', text)
    expect(new HistoryCache(store, client).recall('/places/')).toBeUndefined()
  },
)
