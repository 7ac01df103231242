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
    ...(await import('./pages')),
  }
}

const requests = vi.fn(() => Promise.reject(new Error('nothing is asked for')))

beforeEach(() => {
  requests.mockClear()
  vi.stubGlobal('fetch', requests)
})

it('starts a query with the answer that came with the page', async () => {
  const { beginning } = await pageWith(JSON.stringify([{ call: CALL, body: PAGE }]))
  const observer = new QueryObserver(new QueryClient(), {
    queryKey: ['row'],
    queryFn: requests,
    staleTime: 60_000,
    ...beginning(CALL, (page: typeof PAGE) => page.results),
  })
  const stop = observer.subscribe(() => {})
  expect(observer.getCurrentResult()).toMatchObject({ data: PAGE.results, isFetching: false })
  expect(requests).not.toHaveBeenCalled()
  stop()
})

it('starts a grid with its first page', async () => {
  const { pagesOptions } = await pageWith(JSON.stringify([{ call: CALL, body: PAGE }]))
  const observer = new InfiniteQueryObserver(
    new QueryClient(),
    pagesOptions<{ id: number }>(['grid'], CALL),
  )
  const stop = observer.subscribe(() => {})
  const { data, hasNextPage } = observer.getCurrentResult()
  expect(data).toEqual({ pages: [PAGE], pageParams: [CALL] })
  expect(hasNextPage).toBe(false)
  expect(requests).not.toHaveBeenCalled()
  stop()
})

it.each(['', '{', '{"call": 1}', '[{"call": "/other/", "body": {}}, null, 7]'])(
  'asks where the page says nothing of a call: %s',
  async (text) => {
    const { beginning, firstAnswer } = await pageWith(text)
    expect(firstAnswer(CALL)).toBeUndefined()
    const { initialData } = beginning(CALL, (page: typeof PAGE) => page.results)
    expect(initialData()).toBeUndefined()
  },
)

it('refetches an answer that is older than its stale time', async () => {
  vi.useFakeTimers({ now: 1_000_000 })
  try {
    const { beginning } = await pageWith(JSON.stringify([{ call: CALL, body: PAGE }]))
    vi.setSystemTime(1_000_000 + 61_000)
    const observer = new QueryObserver(new QueryClient(), {
      queryKey: ['row'],
      queryFn: requests,
      retry: false,
      staleTime: 60_000,
      ...beginning(CALL, (page: typeof PAGE) => page.results),
    })
    const stop = observer.subscribe(() => {})
    expect(observer.getCurrentResult().data).toEqual(PAGE.results)
    expect(requests).toHaveBeenCalledOnce()
    stop()
  } finally {
    vi.useRealTimers()
  }
})
