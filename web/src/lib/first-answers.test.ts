import { QueryClient, QueryObserver, InfiniteQueryObserver } from '@tanstack/react-query'
import { beforeEach, expect, it, vi } from 'vitest'

const CALL = '/api/v2/articles/?limit=4'
const PAGE = { results: [{ id: 1, name: 'Tram' }], count: 1, next: null }

/** The modules, loaded in a page with this data. */
async function pageWith(text: string) {
  document.body.innerHTML = ''
  const element = document.createElement('script')
  element.type = 'application/json'
  element.id = 'page-data'
  element.textContent = text
  document.body.append(element)
  vi.resetModules()
  return {
    ...(await import('./first-answers')),
    ...(await import('./api-queries')),
  }
}

const requests = vi.fn(() => Promise.reject(new Error('unexpected request')))

beforeEach(() => {
  requests.mockClear()
  vi.stubGlobal('fetch', requests)
})

const QUERY = { query: { limit: 4 } }
const PATH = '/api/v2/articles/'

it('starts a query with the answer that came with the page', async () => {
  const { apiQuery } = await pageWith(JSON.stringify([{ call: CALL, body: PAGE }]))
  const observer = new QueryObserver(new QueryClient(), {
    ...apiQuery(PATH, QUERY),
    staleTime: 60_000,
  })
  const stop = observer.subscribe(() => {})
  expect(observer.getCurrentResult()).toMatchObject({ data: PAGE, isFetching: false })
  expect(requests).not.toHaveBeenCalled()
  stop()
})

it('starts a grid with its first page', async () => {
  const { pagesQuery } = await pageWith(JSON.stringify([{ call: CALL, body: PAGE }]))
  const observer = new InfiniteQueryObserver(new QueryClient(), pagesQuery(PATH, { limit: 4 }))
  const stop = observer.subscribe(() => {})
  const { data, hasNextPage } = observer.getCurrentResult()
  expect(data).toEqual({ pages: [PAGE], pageParams: [CALL] })
  expect(hasNextPage).toBe(false)
  expect(requests).not.toHaveBeenCalled()
  stop()
})

it.each(['', '{', '{"call": 1}', '[{"call": "/other/", "body": {}}, null, 7]'])(
  'has no answer where the page has none for the call: %s',
  async (text) => {
    const { firstAnswer } = await pageWith(text)
    expect(firstAnswer(CALL)).toBeUndefined()
  },
)

it('refetches an answer that is older than its stale time', async () => {
  vi.useFakeTimers({ now: 1_000_000 })
  try {
    const { apiQuery } = await pageWith(JSON.stringify([{ call: CALL, body: PAGE }]))
    vi.setSystemTime(1_000_000 + 61_000)
    const observer = new QueryObserver(new QueryClient(), {
      ...apiQuery(PATH, QUERY),
      retry: false,
      staleTime: 60_000,
    })
    const stop = observer.subscribe(() => {})
    expect(observer.getCurrentResult().data).toEqual(PAGE)
    expect(requests).toHaveBeenCalledOnce()
    stop()
  } finally {
    vi.useRealTimers()
  }
})

it('spells a call as the gateway does: without empty parameters, in alphabetical order', async () => {
  const { callOf } = await pageWith('')
  const path = { slug: 'a b' }
  expect(callOf('/api/v2/pages/{slug}/', { path })).toBe('/api/v2/pages/a%20b/')
  const query = { section: undefined, ordering: 'name', limit: 0 }
  expect(callOf(PATH, { query })).toBe('/api/v2/articles/?limit=0&ordering=name')
})
