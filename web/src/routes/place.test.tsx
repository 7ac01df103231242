import { act, screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { ListingDetail } from '#/api/types'
import { forgetAnswer } from '#/features/age-gate/age'
import { savedMap } from '#/features/saved/saved'
import { queryClient, session } from '#/features/session/current'
import { pageOfPhotos } from '../../test/photos'
import { renderApp } from '../../test/render-app'
import { http, server, withTestServer } from '../../test/server'
import { PlacePage } from './place'

withTestServer()

const AT = '2026-11-20T18:00:00.000Z'

function written(review: string): NonNullable<ListingDetail['review']> {
  const body = `<p>${review}</p>`
  return { body, author: 'A', date: '2026-11-01', written_on: 'November 1, 2026' }
}

function place(isRestricted: boolean, review: string | null): ListingDetail {
  return {
    id: 7,
    name: 'The Green Door',
    share_url: '/dispensaries/the-green-door/',
    address: '12 Queen Street West',
    is_closed: false,
    type: {
      id: 1,
      name: 'Dispensaries',
      name_singular: 'Dispensary',
      share_url: '/dispensaries/',
      is_food: false,
      is_age_restricted: isRestricted,
    },
    appears_in_best_of_lists: [],
    voters: 0,
    hours: [],
    review: review === null ? null : written(review),
    server_time: AT,
  }
}

let requests: (string | null)[] = []

function serve(isRestricted: boolean, review: string | null): void {
  server.use(
    http.get('/api/v2/photos/', ({ response }) => response(200).json(pageOfPhotos([], 0, 5))),
    http.get('/api/v2/listings/', ({ response }) =>
      response(200).json({ results: [], count: 0, next: null, server_time: AT }),
    ),
    http.get('/api/v2/listings/{id}/', ({ response }) =>
      response(200).json(place(isRestricted, review)),
    ),
    http.get('/api/v2/listings/{id}/gated/', ({ request, response }) => {
      requests.push(request.headers.get('x-of-legal-age'))
      return response(200).json(place(true, 'What is behind the door.'))
    }),
  )
}

function visit(): void {
  const path = '/dispensaries/the-green-door/'
  renderApp(<PlacePage id={7} path={path} />, { at: path, client: queryClient })
}

beforeEach(() => {
  requests = []
})

afterEach(() => {
  forgetAnswer()
  queryClient.clear()
})

it('counts the reader’s own vote, which the public answer lacks', async () => {
  serve(false, 'A review.')
  server.use(
    http.get('/api/v2/profiles/status/', ({ response }) =>
      response(200).json({ id: 7, server_time: AT }),
    ),
    http.get('/api/v2/ratings/{id}/', ({ response }) =>
      response(200).json({ id: 50, listing: 7, rating: 2, average: 2, voters: 1 }),
    ),
  )
  document.cookie = 'signed_in=1'
  await session.start()
  const map = JSON.stringify({ updated: AT, map: { 7: [50, 2] } })
  window.localStorage.setItem('ratings:listingMap', map)
  savedMap('rating').load()
  visit()
  expect(await screen.findByText('You gave it 2 stars.')).toBeVisible()
  const badge = screen.getByRole('complementary', { name: 'About this place' })
  await waitFor(() => expect(badge).toHaveTextContent('Rated 2.0 of 5 (1 vote)'))
  expect(badge).not.toHaveTextContent('No votes yet')
  act(() => session.end())
})

it('names the lists that rank the place, without the city', async () => {
  const bars = { name: 'The best bars in the city', share_url: '/toronto/bars/', rank: 2 }
  serve(false, 'A review.')
  server.use(
    http.get('/api/v2/listings/{id}/', ({ response }) =>
      response(200).json({ ...place(false, 'A review.'), appears_in_best_of_lists: [bars] }),
    ),
  )
  visit()
  const link = await screen.findByRole('link', { name: 'No. 2 in our best bars in the city' })
  expect(link).toHaveAttribute('href', '/toronto/bars/')
})

it('asks for the age before the review of a place of a restricted type', async () => {
  serve(true, null)
  visit()
  expect(await screen.findByRole('alertdialog')).toBeVisible()
  expect(screen.queryByText(/We have not written/)).toBeNull()
  expect(requests).toEqual([])
  await userEvent.click(screen.getByRole('button', { name: 'Yes, I am of legal age' }))
  expect(await screen.findByText('What is behind the door.')).toBeVisible()
  expect(requests).toEqual(['1'])
})

it('keeps recommendations and reviews beside the place after a Yes', async () => {
  const others = Array.from({ length: 6 }, (_, index) => ({
    ...place(false, null),
    id: 100 + index,
    name: `Neighbour ${index}`,
  }))
  serve(true, null)
  server.use(
    http.get('/api/v2/listings/{id}/', ({ response }) =>
      response(200).json({ ...place(true, null), similar: others.slice(0, 2), recent: others }),
    ),
  )
  visit()
  await screen.findByRole('alertdialog')
  await userEvent.click(screen.getByRole('button', { name: 'Yes, I am of legal age' }))
  expect(await screen.findByText('What is behind the door.')).toBeVisible()
  expect(screen.getByRole('heading', { name: 'Recommended places' })).toBeVisible()
  expect(screen.getByRole('heading', { name: 'Recent reviews' })).toBeVisible()
})

it('shows the mean and the votes after a save and a removal, without a reload', async () => {
  serve(false, 'Good.')
  let votes = [5, 2]
  const average = () =>
    votes.length ? votes.reduce((sum, vote) => sum + vote) / votes.length : null
  const answer = { id: 50, listing_id: 7, rating: 4, server_time: AT, previous_update: null }
  server.use(
    http.get('/api/v2/profiles/status/', ({ response }) =>
      response(200).json({ id: 3, server_time: AT }),
    ),
    http.post('/api/v2/ratings/', ({ response }) => {
      votes = [5, 2, 4]
      return response(201).json(answer)
    }),
    http.delete('/api/v2/ratings/{id}/', ({ response }) => {
      votes = []
      return response(204).empty()
    }),
    http.get('/api/v2/ratings/{id}/', ({ response }) =>
      response(200).json({
        id: null,
        listing: 7,
        rating: null,
        average: average(),
        voters: votes.length,
      }),
    ),
  )
  document.cookie = 'signed_in=1'
  await session.start()
  visit()
  expect(await screen.findByText('No votes yet')).toBeVisible()
  savedMap('rating').put(7, 4)
  expect(await screen.findByText('3.7')).toBeVisible()
  const badge = screen.getByRole('complementary', { name: 'About this place' })
  expect(badge).toHaveTextContent('Rated 3.7 of 5 (3 votes)')
  savedMap('rating').put(7, null)
  expect(await screen.findByText('No votes yet')).toBeVisible()
  expect(screen.queryByText(/NaN/)).toBeNull()
  act(() => session.end())
})

it('shows no rating controls at a closed place', async () => {
  serve(false, 'It was good.')
  const closed = { ...place(false, 'It was good.'), is_closed: true, rating: 4.5, voters: 12 }
  server.use(http.get('/api/v2/listings/{id}/', ({ response }) => response(200).json(closed)))
  visit()
  expect(await screen.findByText('It was good.')).toBeVisible()
  expect(screen.queryByRole('radiogroup')).toBeNull()
  expect(screen.queryByText('Rating')).toBeNull()
  expect(screen.queryByText(/votes/)).toBeNull()
})

it('does not ask at an unrestricted place', async () => {
  serve(false, 'What is in the window.')
  visit()
  expect(await screen.findByText('What is in the window.')).toBeVisible()
  expect(screen.queryByRole('alertdialog')).toBeNull()
  expect(requests).toEqual([])
})

it.each([
  ['https://inspections.example/10512345', 1],
  [null, 0],
])('links to the inspections at %s, if the place has any', async (inspection_url, links) => {
  const averages = { ...place(false, 'Good.'), inspection_url }
  serve(false, 'Good.')
  server.use(http.get('/api/v2/listings/{id}/', ({ response }) => response(200).json(averages)))
  visit()
  expect(await screen.findByText('12 Queen Street West')).toBeVisible()
  expect(screen.queryAllByRole('link', { name: 'DineSafe results' })).toHaveLength(links)
})

describe('recent reviews', () => {
  const others = (count: number, from = 100) =>
    Array.from({ length: count }, (_, index) => ({
      ...place(false, null),
      id: from + index,
      name: `Neighbour ${from + index}`,
    }))
  const withRecent = (recent: ListingDetail[]): void => {
    serve(false, 'Good.')
    server.use(
      http.get('/api/v2/listings/{id}/', ({ response }) =>
        response(200).json({ ...place(false, 'Good.'), recent }),
      ),
    )
  }
  const shown = () => screen.queryAllByRole('heading', { level: 3 }).length

  it.each([
    [5, 0],
    [6, 6],
  ])('of %i places show %i', async (count, cards) => {
    withRecent(others(count))
    visit()
    await screen.findByText('Good.')
    expect(shown()).toBe(cards)
    expect(screen.queryByRole('button', { name: 'Load More' })).toBeNull()
  })

  it('show the rest of the page’s own answer and the next page of the list together', async () => {
    withRecent(others(9))
    const listingCalls: string[] = []
    server.use(
      http.get('/api/v2/listings/', ({ request, response }) => {
        listingCalls.push(new URL(request.url).search)
        const results = others(3, 108)
        return response(200).json({ results, count: -1, next: null, server_time: AT })
      }),
    )
    visit()
    await screen.findByText('Good.')
    expect(shown()).toBe(8)
    expect(listingCalls).toEqual([])
    await userEvent.click(screen.getByRole('button', { name: 'Load More' }))
    // The first place of the list's page came with the place.
    await waitFor(() => expect(shown()).toBe(11))
    expect(listingCalls).toEqual(['?offset=9&ordering=-date_reviewed&reviewed=1'])
    expect(screen.queryByRole('button', { name: 'Load More' })).toBeNull()
  })
})
