import { screen, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { HttpResponse } from 'msw'
import { afterEach, expect, it } from 'vitest'
import type { MatchedListing, TakeoutReview } from '#/api/types'
import { savedMap } from '#/features/saved/saved'
import { queryClient } from '#/features/session/current'
import { renderApp } from '../../../test/render-app'
import { http, server, withTestServer } from '../../../test/server'
import { Takeout } from './Takeout'

withTestServer()

const REVIEW = '/api/v2/profiles/me/takeout/'
const SAVE = '/api/v2/profiles/me/takeout/save/'
const NOW = '2026-03-04T05:06:07.000Z'
const FILE = new File(['data'], 'Want to go.csv', { type: 'text/csv' })

function listing(id: number, name: string): MatchedListing {
  return {
    id,
    name,
    share_url: `/restaurants/${id}/`,
    address: `${id} Queen St W`,
    is_closed: false,
    default_neighborhood: { name: 'The Annex', share_url: '/neighbourhoods/the-annex/' },
  }
}

const FOUND: TakeoutReview = {
  list: 'Want to go',
  nameless: 0,
  left_out: 0,
  results: [
    { name: 'Pai', address: null, note: null, certainty: 'sure', listing: listing(1, 'Pai') },
    { name: 'LENA', address: null, note: null, certainty: 'sure', listing: listing(2, 'Lena') },
    {
      name: 'Rook Bar',
      address: '9 King St',
      note: 'with the view',
      certainty: 'perhaps',
      listing: listing(3, 'Rook'),
    },
    { name: 'Nowhere', address: null, note: null, certainty: 'none', listing: null },
    { name: 'Oslo Bar', address: null, note: null, certainty: 'elsewhere', listing: null },
  ],
}

afterEach(() => {
  queryClient.clear()
  savedMap('favourite').clear()
})

const choose = async (label: string, file = FILE) =>
  userEvent.upload(await screen.findByLabelText(label), file, { applyAccept: false })
const box = (name: RegExp) => screen.getByRole('checkbox', { name })

it('shows the matches, with the sure places ticked, and saves the reader’s choice', async () => {
  const sent: unknown[] = []
  server.use(
    http.post(REVIEW, ({ response }) => response(200).json(FOUND)),
    http.post(SAVE, async ({ request, response }) => {
      sent.push(await request.json())
      return response(200).json({
        saved: 1,
        already_saved: 1,
        unknown: [],
        server_time: NOW,
        previous_update: null,
      })
    }),
    http.get('/api/v2/favourites/listing_ids/', ({ response }) => {
      const results = [1, 3].map((listing_id) => ({ id: 10 + listing_id, listing_id }))
      return response(200).json({ results, server_time: NOW })
    }),
  )
  renderApp(<Takeout />, { client: queryClient })
  await choose('Choose a file')
  const title = await screen.findByRole('heading', { name: 'Want to go: 5 places' })
  expect(title).toHaveFocus()
  expect(
    screen.getByText('2 found for sure, 1 perhaps; 1 is not in our guide, 1 is in other cities.'),
  ).toBeVisible()
  const sure = screen.getByRole('group', { name: 'Found for sure 2' })
  expect(within(sure).getAllByRole('checkbox', { checked: true })).toHaveLength(2)
  const perhaps = box(/Rook.*You saved: Rook Bar, 9 King St.*with the view/)
  expect(perhaps).not.toBeChecked()
  expect(screen.getByRole('radio', { name: 'Your to-dos' })).toBeChecked()

  await userEvent.click(box(/^Lena/))
  await userEvent.click(perhaps)
  await userEvent.click(screen.getByRole('radio', { name: 'Your favourites' }))
  await userEvent.click(screen.getByRole('button', { name: 'Save 2 places' }))
  const message = await screen.findByText(
    '1 place saved to your favourites. 1 place was there before.',
  )
  expect(message).toHaveFocus()
  await expect.poll(() => savedMap('favourite').objectIds()).toEqual([3, 1])
  expect(sent).toEqual([{ listings: [1, 3], kind: 'favourites' }])
  expect(screen.getByRole('link', { name: 'See your favourites' })).toHaveAttribute(
    'href',
    '/accounts/dashboard#/favourites/',
  )
})

it('has nothing to save if nothing is chosen or found, and accepts another file', async () => {
  let found = FOUND
  server.use(http.post(REVIEW, ({ response }) => response(200).json(found)))
  renderApp(<Takeout />, { client: queryClient })
  await choose('Choose a file')
  await screen.findByRole('heading', { name: 'Want to go: 5 places' })
  await userEvent.click(box(/^Pai/))
  await userEvent.click(box(/^Lena/))
  expect(screen.getByRole('button', { name: 'Save 0 places' })).toBeDisabled()
  found = { ...FOUND, list: '', results: [] }
  await choose('Choose another file')
  await screen.findByRole('heading', { name: 'Your file: 0 places' })
  expect(screen.getByText('There are no places in it.')).toBeVisible()
  expect(screen.queryByRole('button', { name: /^Save/ })).toBeNull()
})

it('shows the problem of a file, whether the page or the server finds it', async () => {
  let sent = 0
  server.use(
    http.post(REVIEW, ({ response }) => {
      sent += 1
      const body = { code: 'invalid', file: ['This is no list of Google Takeout.'] }
      return response.untyped(HttpResponse.json(body, { status: 400 }))
    }),
  )
  renderApp(<Takeout />, { client: queryClient })
  await choose('Choose a file', new File(['data'], 'takeout.zip'))
  expect(await screen.findByRole('alert')).toHaveTextContent('This is the whole archive.')
  expect(sent).toBe(0)
  await choose('Choose a file')
  expect(await screen.findByText('This is no list of Google Takeout.')).toBeVisible()
})
