import { act, screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { HttpResponse } from 'msw'
import { afterEach, beforeEach, expect, it } from 'vitest'
import type { SavedItem } from '#/features/saved/kinds'
import { savedMap } from '#/features/saved/saved'
import { queryClient, session } from '#/features/session/current'
import { placeOf } from '../../../test/places'
import { AT } from '../../../test/reader'
import { renderApp } from '../../../test/render-app'
import { http, server, withTestServer } from '../../../test/server'
import { SAVED_SECTIONS } from './saved-sections'

withTestServer()

type Rating = SavedItem<'rating'>

function record(id: number, rating: number, isClosed = false): Rating {
  return {
    id,
    rating,
    listing: placeOf(id + 1000, { name: `Place ${id}`, voters: 1, is_closed: isClosed }),
    date_created: AT,
    is_available: true,
  }
}

let rows: Rating[] = []
let calls: string[] = []

/** Sets up a mock server that stores the changes. */
function serve(): void {
  calls = []
  server.use(
    http.get('/api/v2/profiles/status/', ({ response }) =>
      response(200).json({ id: 7, server_time: AT }),
    ),
    http.get('/api/v2/ratings/', ({ request, response }) => {
      calls.push(new URL(request.url).search)
      return response(200).json({
        results: rows,
        count: rows.length,
        next: null,
        server_time: AT,
      })
    }),
    http.get('/api/v2/ratings/listing_ids/', ({ response }) =>
      response(200).json({
        results: rows.map(({ id, listing, rating }) => ({ id, listing_id: listing.id, rating })),
        server_time: AT,
      }),
    ),
    http.get('/api/v2/ratings/{id}/', ({ params, response }) =>
      response(200).json({
        id: null,
        listing: Number(params.id),
        rating: null,
        average: null,
        voters: 0,
      }),
    ),
    http.patch('/api/v2/ratings/{id}/', async ({ params, request, response }) => {
      const { rating } = await request.json()
      const id = Number(params.id)
      rows = rows.map((row) => (row.id === id ? { ...row, rating: rating ?? 0 } : row))
      return response(200).json({
        id,
        listing_id: id + 1000,
        rating: rating ?? 0,
        server_time: AT,
        previous_update: AT,
      })
    }),
    http.delete('/api/v2/ratings/{id}/', ({ params }) => {
      rows = rows.filter((row) => row.id !== Number(params.id))
      return new HttpResponse(null, { status: 204, headers: { 'X-Server-Time': AT } }) as never
    }),
  )
}

async function show(...all: Rating[]): Promise<void> {
  rows = all
  serve()
  document.cookie = 'signed_in=1'
  await session.start()
  await savedMap('rating').observe(AT)
  renderApp(<SAVED_SECTIONS.rating />, { client: queryClient })
}

const names = () =>
  screen.queryAllByRole('heading', { level: 3 }).map(({ textContent }) => textContent)
const remove = (name: string) =>
  screen.findByRole('button', { name: `Remove your rating of ${name}` })

beforeEach(() => queryClient.setDefaultOptions({ queries: { retry: false } }))

afterEach(() => {
  act(() => session.end())
  queryClient.clear()
})

it('explains what to do if there is nothing yet', async () => {
  await show()
  expect(await screen.findByText('You have no rated places yet.')).toBeVisible()
  expect(screen.getByText(/Pick a star on the page of a place/)).toBeVisible()
  expect(screen.getByRole('link', { name: 'Browse places' })).toHaveAttribute('href', '/places/')
})

it('shows the number of places, each with the reader’s stars', async () => {
  await show(record(1, 4), record(2, 1))
  expect(await screen.findByText('2 rated')).toBeVisible()
  expect(names()).toEqual(['Place 1', 'Place 2'])
  const chosen = await screen.findAllByRole('radio', { checked: true })
  expect(chosen.map((star) => star.getAttribute('aria-label'))).toEqual(['4 stars', '1 star'])
})

it('sorts and searches', async () => {
  await show(record(1, 4))
  await userEvent.selectOptions(await screen.findByLabelText('Sort'), 'Name, A to Z')
  await waitFor(() => expect(calls.at(-1)).toBe('?ordering=name'))
  await userEvent.type(await screen.findByLabelText('Search your rated places'), 'lo & co{Enter}')
  await waitFor(() => expect(calls.at(-1)).toBe('?keywords=lo+%26+co&ordering=name'))
})

it('changes a rating, which keeps its position', async () => {
  await show(record(1, 4), record(2, 1))
  const group = await screen.findByRole('radiogroup', { name: 'Your rating of Place 2' })
  await userEvent.click([...group.querySelectorAll('button')][2] as HTMLElement)
  expect(await screen.findByText('Edit to 3 star rating:')).toBeVisible()
  await userEvent.click(screen.getByRole('button', { name: 'Confirm' }))
  await waitFor(() => expect(rows.map(({ rating }) => rating)).toEqual([4, 3]), { timeout: 3000 })
  expect(names()).toEqual(['Place 1', 'Place 2'])
})

it('removes a rating, and moves the focus to the next one', async () => {
  await show(record(1, 4), record(2, 1))
  await userEvent.click(await remove('Place 1'))
  await waitFor(() => expect(names()).toEqual(['Place 2']))
  expect(await screen.findByText('1 rated')).toBeVisible()
  expect(await remove('Place 2')).toHaveFocus()
  await waitFor(() => expect(rows).toHaveLength(1))
})

it('shows a closed place without stars to pick, and removes it', async () => {
  await show(record(1, 4, true))
  expect(await screen.findByText('You gave it 4 stars.')).toBeVisible()
  expect(screen.queryByRole('radiogroup')).toBeNull()
  await userEvent.click(await remove('Place 1'))
  expect(await screen.findByText('You have no rated places yet.')).toBeVisible()
})

it('removes the rating of a place that is no longer listed', async () => {
  const gone: Rating = {
    ...record(1, 4),
    is_available: false,
    listing: { id: 1001, name: 'Place 1' },
  }
  await show(gone)
  expect(await screen.findByText('This place is no longer listed.')).toBeVisible()
  await userEvent.click(screen.getByRole('button', { name: 'Remove' }))
  await waitFor(() => expect(rows).toHaveLength(0))
})
