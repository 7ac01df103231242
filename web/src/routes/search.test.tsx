import { screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { forgetSearches, recentSearches, rememberSearch } from '#/features/search/recent'
import { deferred } from '../../test/deferred'
import { placeOf } from '../../test/places'
import { AT } from '../../test/reader'
import { renderApp } from '../../test/render-app'
import { http, server, withTestServer } from '../../test/server'
import { SearchPage } from './search'

withTestServer()

const EMPTY = { results: [], count: 0, next: null, server_time: AT }
const NOTHING = {
  ...EMPTY,
  corrected: null,
  understood: { free: false, near: false, open_now: false, taken: [] },
}
const PLACE = placeOf(9, {
  name: 'The Wren',
  share_url: '/bars/the-wren/',
  coordinates: { lat: 43.65, lng: -79.4 },
})
const TYPES = {
  results: [{ ...PLACE.type, slug: 'bars', count: 12, sub_types: [] }],
  server_time: AT,
}

let requests: string[]

beforeEach(() => {
  requests = []
  server.use(
    http.get('/api/v2/events/', ({ request, response }) => {
      requests.push(new URL(request.url).pathname)
      return response(200).json(EMPTY)
    }),
    http.get('/api/v2/listings/', ({ request, response }) => {
      requests.push(new URL(request.url).pathname)
      return response(200).json({ ...EMPTY, results: [PLACE], count: 1 })
    }),
    http.get('/api/v2/listing-types/', ({ response }) => response(200).json(TYPES as never)),
    http.get('/api/v2/search/', ({ request, response }) => {
      requests.push(new URL(request.url).search)
      return response(200).json(NOTHING)
    }),
  )
})

afterEach(forgetSearches)

const visit = (at: string, sections: Record<string, boolean> = { listings: true, events: true }) =>
  renderApp(<SearchPage />, { at, path: '/search', site: { sections } })

const links = async (name: string) =>
  within(await screen.findByRole('list', { name }))
    .getAllByRole('link')
    .map((link) => [link.textContent, link.getAttribute('href')])

describe('without a question, the page', () => {
  it('offers examples, the recent searches on this device, and the home page’s places', async () => {
    rememberSearch('ramen')
    visit('/search')
    expect(await links('Searched before')).toEqual([['ramen', '/search?q=ramen']])
    expect(await links('Searches to try')).toContainEqual([
      'coffee near me',
      '/search?q=coffee+near+me',
    ])
    const place = await screen.findByRole('link', { name: 'The Wren' })
    expect(place).toHaveAttribute('href', '/bars/the-wren/')
    expect(new Set(requests)).toEqual(new Set(['/api/v2/events/', '/api/v2/listings/']))
  })

  it('omits sections that are off, and the recent searches before the first one', async () => {
    visit('/search', { events: true })
    expect(await links('Searches to try')).toEqual([
      ['events this weekend', '/search?q=events+this+weekend'],
      ['free this weekend', '/search?q=free+this+weekend'],
    ])
    expect(screen.queryByText('Searched before')).toBeNull()
    expect(requests).not.toContain('/api/v2/listings/')
  })

  it('remembers a search from its box', async () => {
    visit('/search')
    await userEvent.type(await screen.findByRole('searchbox'), 'ramen{Enter}')
    expect(await screen.findByRole('heading', { level: 1 })).toHaveTextContent(
      'Results for “ramen”',
    )
    expect(recentSearches()).toEqual(['ramen'])
  })
})

it('has the question in its heading and title before the results have loaded', async () => {
  const answer = deferred<typeof NOTHING>()
  server.use(
    http.get('/api/v2/search/', async ({ response }) => response(200).json(await answer.promise)),
  )
  visit('/search?q=ramen')
  expect(await screen.findByRole('heading', { level: 1 })).toHaveTextContent('Results for “ramen”')
  expect(document.title).toMatch(/^Results for “ramen”/)
  expect(screen.getByRole('group', { name: 'Loading results' })).toBeVisible()
  answer.resolve(NOTHING)
  expect(await screen.findByText('Nothing matches that')).toBeVisible()
})

it('links onward from a search without results', async () => {
  visit('/search?q=coffee+near+me&category=places', { listings: true, articles: true })
  expect(await screen.findByText('Nothing matches that')).toBeVisible()
  expect(screen.getByRole('link', { name: 'Search the whole site' })).toHaveAttribute(
    'href',
    '/search?q=coffee+near+me',
  )
  // The search itself is not among the examples.
  expect(await links('Searches to try')).toEqual([
    ['restaurants open now', '/search?q=restaurants+open+now'],
  ])
  expect(await screen.findByRole('link', { name: 'Bars' })).toHaveAttribute('href', '/bars/')
})

/** Answers the search with a place, and how the server has understood the question. */
function answerWith(corrected: string | null, understood: object = {}): void {
  const found = { ...PLACE, kind: 'listing', highlight: { name: [], text: [] } }
  server.use(
    http.get('/api/v2/search/', ({ request, response }) => {
      requests.push(new URL(request.url).search)
      const page = { ...NOTHING, corrected, results: [found], count: 1 }
      return response(200).json({
        ...page,
        understood: { ...NOTHING.understood, ...understood },
      } as never)
    }),
  )
}

it('shows the results of a corrected question, and offers the uncorrected one', async () => {
  answerWith('foghorn ramen')
  visit('/search?q=fohgorn+ramne')
  expect(await screen.findByText('foghorn ramen')).toBeVisible()
  expect(screen.getByText(/^Showing results for/)).toBeVisible()
  expect(screen.getByRole('heading', { level: 3, name: 'The Wren' })).toBeVisible()
  const uncorrected = screen.getByRole('link', { name: 'Search for “fohgorn ramne” instead' })
  const query = new URL((uncorrected as HTMLAnchorElement).href).searchParams.get('q') ?? ''
  // The test's router encodes a text in quotes once more.
  expect(JSON.parse(query)).toBe('"fohgorn ramne"')
})

it('lists the understood filters, which can be removed one by one', async () => {
  answerWith(null, {
    taken: [
      { field: 'neighbourhood', label: 'Kensington Market', rest: 'coffee open now' },
      { field: 'open_now', label: 'Open now', rest: 'kensington coffee' },
      { field: 'free', label: 'Free', rest: '' },
    ],
  })
  visit('/search?q=kensington+coffee+open+now')
  expect(await screen.findByRole('heading', { level: 3, name: 'The Wren' })).toBeVisible()
  const filters = within(screen.getByRole('list', { name: 'Filters' })).getAllByRole('link')
  expect(filters.map((link) => [link.ariaLabel, link.getAttribute('href')])).toEqual([
    ['Remove the filter Kensington Market', '/search?q=coffee+open+now'],
    ['Remove the filter Open now', '/search?q=kensington+coffee'],
    ['Remove the filter Free', '/search'],
  ])
})

it('asks for the position of a reader who searches near them, and sends it rounded', async () => {
  answerWith(null, { near: true })
  const getCurrentPosition = (found: PositionCallback) =>
    found({ coords: { latitude: 43.65418, longitude: -79.40113 } } as GeolocationPosition)
  vi.stubGlobal('navigator', Object.assign(navigator, { geolocation: { getCurrentPosition } }))
  const { router } = visit('/search?q=coffee+near+me')
  await userEvent.click(await screen.findByRole('button', { name: 'Use my location' }))
  await waitFor(() => expect(screen.queryByRole('button', { name: 'Use my location' })).toBeNull())
  expect(new URLSearchParams(requests.at(-1)).get('near')).toBe('43.654,-79.401')
  expect(router.state.location.href).not.toContain('43.6')
})

it('links each kind to all of its results, and shows the places of one on a map on request', async () => {
  answerWith(null)
  const { router } = visit('/search?q=wren')
  const all = await screen.findByRole('link', { name: 'All places that match' })
  expect(all).toHaveAttribute('href', '/search?category=places&q=wren')
  await router.navigate({ href: '/search?category=places&q=wren' } as never)
  await userEvent.click(await screen.findByRole('button', { name: 'Show on a map' }))
  const map = 'Where the places that match are'
  expect(await screen.findByRole('region', { name: map })).toBeVisible()
  await userEvent.click(screen.getByRole('button', { name: 'Hide the map' }))
  expect(screen.queryByRole('region', { name: map })).not.toBeInTheDocument()
})
