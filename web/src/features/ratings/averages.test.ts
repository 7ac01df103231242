import { HttpResponse } from 'msw'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { queryClient } from '#/features/session/current'
import { deferred } from '../../../test/deferred'
import { http, allResponsesRead, server, withTestServer } from '../../../test/server'
import { refreshAverages } from './averages'

withTestServer()

const place = (id: number) => ({ id, share_url: `/bars/${id}/`, rating: 3.5, voters: 2 })
const DETAIL = ['listings', 'detail', 9]
const LIST = ['listings', 'pages', {}]
const own = { id: 50, listing: 9, rating: 5, average: 4, voters: 3 }

let requests: string[] = []

function answer(body: typeof own | { average: null; voters: 0 }): void {
  server.use(
    http.get('/api/v2/ratings/{id}/', ({ params, response }) => {
      requests.push(params.id)
      return response(200).json({ ...own, ...body })
    }),
  )
}

beforeEach(() => {
  requests = []
  queryClient.setDefaultOptions({ queries: { retry: false } })
  queryClient.setQueryData(DETAIL, { ...place(9), similar: [place(8)] })
  queryClient.setQueryData(LIST, { pages: [{ results: [place(8), place(9)] }], pageParams: [''] })
})
afterEach(() => queryClient.clear())

it('updates the mean and the votes of a place everywhere', async () => {
  answer(own)
  refreshAverages([9])
  await vi.waitFor(() =>
    expect(queryClient.getQueryData(DETAIL)).toMatchObject({ rating: 4, voters: 3 }),
  )
  expect(queryClient.getQueryData(DETAIL)).toMatchObject({ similar: [place(8)] })
  expect(queryClient.getQueryData(LIST)).toEqual({
    pages: [{ results: [place(8), { ...place(9), rating: 4, voters: 3 }] }],
    pageParams: [''],
  })
})

it('shows null and no votes after the last one is removed', async () => {
  answer({ average: null, voters: 0 })
  refreshAverages([9])
  await vi.waitFor(() =>
    expect(queryClient.getQueryData(DETAIL)).toMatchObject({ rating: null, voters: 0 }),
  )
})

it('keeps the age of the answers that it changes', async () => {
  const updatedAt = Date.now() - 50_000
  queryClient.setQueryData(DETAIL, place(9), { updatedAt })
  answer(own)
  refreshAverages([9])
  await vi.waitFor(() => expect(queryClient.getQueryData(DETAIL)).toMatchObject({ voters: 3 }))
  expect(queryClient.getQueryState(DETAIL)?.dataUpdatedAt).toBe(updatedAt)
})

it('asks only for places that are shown', async () => {
  answer(own)
  refreshAverages([7, 9, 6])
  await vi.waitFor(() => expect(queryClient.getQueryData(DETAIL)).toMatchObject({ voters: 3 }))
  expect(requests).toEqual(['9'])
})

it('ignores an answer from before the latest change', async () => {
  const early = deferred<undefined>()
  server.use(
    http.get(
      '/api/v2/ratings/{id}/',
      async ({ response }) => {
        requests.push('early')
        await early.promise
        return response(200).json({ ...own, average: 1, voters: 1 })
      },
      { once: true },
    ),
  )
  refreshAverages([9])
  await vi.waitFor(() => expect(requests).toEqual(['early']))
  answer(own)
  refreshAverages([9])
  await vi.waitFor(() => expect(queryClient.getQueryData(DETAIL)).toMatchObject({ voters: 3 }))
  early.resolve(undefined)
  await allResponsesRead()
  expect(queryClient.getQueryData(DETAIL)).toMatchObject({ rating: 4, voters: 3 })
})

it('leaves the page unchanged after an error', async () => {
  server.use(
    http.get('/api/v2/ratings/{id}/', ({ response }) => {
      requests.push('failing')
      return response.untyped(HttpResponse.json({ code: 'internal' }, { status: 500 }))
    }),
  )
  refreshAverages([9])
  await vi.waitFor(() => expect(requests).toEqual(['failing']))
  await allResponsesRead()
  expect(queryClient.getQueryData(DETAIL)).toMatchObject({ rating: 3.5, voters: 2 })
})
