import { HttpResponse } from 'msw'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import type { Site } from '#/api/types'
import { listingOptions } from '#/features/listings/queries'
import { queryClient } from '#/features/session/current'
import { siteOptions } from '#/features/site/site'
import { http, server, withTestServer } from '../../test/server'
import { prefetchPage } from './prefetch'

withTestServer()

const PATH = '/bars/the-green-door/'
const SITE = {
  city_slug: 'toronto',
  article_sections: [],
  newsletters: [],
  sections: { listings: true },
}

let requests: string[]

beforeEach(() => {
  requests = []
  queryClient.setQueryData(siteOptions().queryKey, SITE as unknown as Site)
  server.use(
    http.get('/api/v2/resolve/', ({ response }) => {
      requests.push('resolve')
      return response(200).json({
        kind: 'listing',
        id: 7,
        canonical: PATH,
        moved_to: null,
        server_time: '2026-11-20T18:00:00.000Z',
      })
    }),
    http.get('/api/v2/listings/{id}/', ({ response }) => {
      requests.push('listing')
      return response.untyped(HttpResponse.json({ id: 7, name: 'The Green Door' }))
    }),
  )
})

afterEach(() => {
  queryClient.clear()
  vi.useRealTimers()
})

it('fetches a page’s first data before it is shown', async () => {
  await prefetchPage(PATH)
  const place = () => queryClient.getQueryData(listingOptions(7).queryKey)
  await vi.waitFor(() => expect(place()).toBeDefined(), 10_000)
  expect(requests).toEqual(['resolve', 'listing'])
})

it('sends no request for a section that is off', async () => {
  const off = { ...SITE, sections: { listings: false } }
  queryClient.setQueryData(siteOptions().queryKey, off as unknown as Site)
  await prefetchPage(PATH)
  expect(requests).toEqual(['resolve'])
})

it('leaves errors to the page', async () => {
  server.use(http.get('/api/v2/resolve/', () => HttpResponse.json({} as never, { status: 404 })))
  await expect(prefetchPage(PATH)).resolves.toBeUndefined()
})

it('waits 400 ms for an answer, and no longer', async () => {
  vi.useFakeTimers()
  server.use(http.get('/api/v2/resolve/', () => new Promise<never>(() => {})))
  let isDone = false
  void prefetchPage(PATH).then(() => (isDone = true))
  await vi.advanceTimersByTimeAsync(399)
  expect(isDone).toBe(false)
  await vi.advanceTimersByTimeAsync(1)
  expect(isDone).toBe(true)
})
