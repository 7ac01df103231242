import { act, screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { HttpResponse } from 'msw'
import { afterEach, beforeEach, expect, it } from 'vitest'
import type { SavedItem } from '#/features/saved/kinds'
import { savedMap } from '#/features/saved/saved'
import { queryClient, session } from '#/features/session/current'
import { deferred } from '../../../test/deferred'
import { placeOf } from '../../../test/places'
import { renderApp } from '../../../test/render-app'
import { http, allResponsesRead, server, withTestServer } from '../../../test/server'
import { SAVED_SECTIONS } from './saved-sections'

withTestServer()

type Favourite = SavedItem<'favourite'>
const favourites = savedMap('favourite')

const AT = '2026-11-20T18:00:00.000Z'

function record(id: number, isClosed = false): Favourite {
  return {
    id,
    listing: placeOf(id + 1000, { name: `Place ${id}`, is_closed: isClosed }),
    date_created: AT,
    is_available: true,
  }
}

let rows: Favourite[] = []
let requests: string[] = []

/** Mocks the server, with pages of two items by offset. */
function serve(): void {
  requests = []
  server.use(
    http.get('/api/v2/favourites/', ({ request, response }) => {
      const url = new URL(request.url)
      requests.push(url.search)
      const offset = Number(url.searchParams.get('offset') ?? 0)
      const end = offset + 2
      return response(200).json({
        results: rows.slice(offset, end),
        count: rows.length,
        next: end < rows.length ? `/api/v2/favourites/?offset=${end}&after=cursor` : null,
        server_time: AT,
      })
    }),
    http.get('/api/v2/favourites/listing_ids/', ({ response }) =>
      response(200).json({
        results: rows.map((row) => ({ id: row.id, listing_id: row.listing.id })),
        server_time: AT,
      }),
    ),
    http.get('/api/v2/profiles/status/', ({ response }) =>
      response(200).json({ id: 7, server_time: AT }),
    ),
    http.delete('/api/v2/favourites/{id}/', ({ params }) => {
      rows = rows.filter((row) => row.id !== Number(params.id))
      return new HttpResponse(null, { status: 204, headers: { 'X-Server-Time': AT } }) as never
    }),
  )
}

async function show(count: number): Promise<void> {
  rows = Array.from({ length: count }, (_, index) => record(index + 1))
  serve()
  document.cookie = 'signed_in=1'
  await session.start()
  await favourites.observe(AT)
  renderApp(<SAVED_SECTIONS.favourite />, { client: queryClient })
}

function names(): string[] {
  return screen.queryAllByRole('heading', { level: 3 }).map((heading) => heading.textContent)
}

const heart = (id: number) => screen.findByRole('button', { name: `Favourite Place ${id}` })
const loadMore = () => screen.findByRole('button', { name: 'Load More' })

beforeEach(() => queryClient.setDefaultOptions({ queries: { retry: false } }))

afterEach(() => {
  act(() => session.end())
  queryClient.clear()
})

it('explains what to do if there is nothing yet', async () => {
  await show(0)
  expect(await screen.findByText('You have no favourites yet.')).toBeVisible()
  expect(screen.queryByRole('button', { name: 'Load More' })).toBeNull()
})

it('follows the server’s next, and shows each place once', async () => {
  await show(3)
  await userEvent.click(await loadMore())
  await waitFor(() => expect(names()).toEqual(['Place 1', 'Place 2', 'Place 3']))
  expect(requests.at(-1)).toBe('?offset=2&after=cursor')
  expect(screen.queryByRole('button', { name: 'Load More' })).toBeNull()
})

it('continues after a removal at the offset of the confirmed items', async () => {
  await show(5)
  const gate = deferred<undefined>()
  server.use(
    http.delete('/api/v2/favourites/{id}/', async ({ params }) => {
      await gate.promise
      rows = rows.filter((row) => row.id !== Number(params.id))
      return new HttpResponse(null, { status: 204, headers: { 'X-Server-Time': AT } }) as never
    }),
  )
  await userEvent.click(await heart(1))
  expect(names()).toEqual(['Place 2'])
  await userEvent.click(await loadMore())
  expect(requests).toHaveLength(1)
  gate.resolve(undefined)
  await waitFor(() => expect(names()).toEqual(['Place 2', 'Place 3', 'Place 4']))
  expect(requests.at(-1)).toContain('offset=1')
  expect(requests.at(-1)).not.toContain('after')
})

it('asks once for the next page when the list empties', async () => {
  await show(3)
  await userEvent.click(await heart(1))
  await userEvent.click(await heart(2))
  await waitFor(() => expect(names()).toEqual(['Place 3']))
  expect(requests).toHaveLength(2)
})

it('does not ask again and again when that page fails', async () => {
  await show(3)
  await heart(1)
  let failures = 0
  server.use(
    http.get('/api/v2/favourites/', ({ response }) => {
      failures += 1
      return response.untyped(HttpResponse.json({ code: 'unavailable' }, { status: 500 }))
    }),
  )
  await userEvent.click(await heart(1))
  await userEvent.click(await heart(2))
  expect(await screen.findByRole('button', { name: 'Try again' })).toBeVisible()
  await act(allResponsesRead)
  expect(failures).toBe(1)
})

it('restores the place if the server refuses', async () => {
  await show(2)
  server.use(
    http.delete('/api/v2/favourites/{id}/', ({ response }) =>
      response.untyped(HttpResponse.json({ code: 'internal' }, { status: 500 })),
    ),
  )
  await userEvent.click(await heart(2))
  await waitFor(() => expect(names()).toEqual(['Place 1', 'Place 2']))
  expect(await heart(2)).toHaveAttribute('aria-pressed', 'true')
})

it('keeps the loaded items when a later page fails, and offers a retry', async () => {
  await show(3)
  const button = await loadMore()
  server.use(
    http.get(
      '/api/v2/favourites/',
      ({ response }) =>
        response.untyped(HttpResponse.json({ code: 'unavailable' }, { status: 500 })),
      { once: true },
    ),
  )
  await userEvent.click(button)
  const again = await screen.findByRole('button', { name: 'Try again' })
  expect(names()).toEqual(['Place 1', 'Place 2'])
  await userEvent.click(again)
  await waitFor(() => expect(names()).toEqual(['Place 1', 'Place 2', 'Place 3']))
})

it('skips no item after a page that was fetched before a removal', async () => {
  await show(5)
  const button = await loadMore()
  const gate = deferred<undefined>()
  server.use(
    http.get(
      '/api/v2/favourites/',
      async ({ response }) => {
        const results = rows.slice(2, 4)
        await gate.promise
        return response(200).json({
          results,
          count: 5,
          next: '/api/v2/favourites/?offset=4&after=cursor',
          server_time: AT,
        })
      },
      { once: true },
    ),
  )
  await userEvent.click(button)
  await userEvent.click(await heart(2))
  await waitFor(() => expect(rows).toHaveLength(4))
  gate.resolve(undefined)
  await waitFor(() => expect(names()).toEqual(['Place 1', 'Place 3', 'Place 4']))
  await userEvent.click(await loadMore())
  await waitFor(() => expect(names()).toEqual(['Place 1', 'Place 3', 'Place 4', 'Place 5']))
})

it('requests all places when the map is opened, and not before', async () => {
  await show(3)
  await heart(1)
  await userEvent.click(screen.getByRole('button', { name: 'Map' }))
  await screen.findByRole('link', { name: /Place 3/ })
  expect(requests.slice(1)).toEqual(['?limit=100&ordering=-date_created', '?offset=2&after=cursor'])
  expect(screen.getByRole('button', { name: 'Map' })).toHaveAttribute('aria-pressed', 'true')
  await userEvent.click(screen.getByRole('button', { name: 'List' }))
  expect(await heart(1)).toBeVisible()
})

it('gives a closed place no round control, and removes it all the same', async () => {
  await show(2)
  await heart(1)
  rows = [record(1, true), record(2)]
  await act(() => queryClient.refetchQueries())
  await waitFor(() =>
    expect(screen.queryByRole('button', { name: 'Favourite Place 1' })).toBeNull(),
  )
  await userEvent.click(screen.getByRole('button', { name: 'Remove Place 1' }))
  await waitFor(() => expect(names()).toEqual(['Place 2']))
  expect(rows).toHaveLength(1)
})
