import { screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { expect, it } from 'vitest'
import type { Article, Event, NeighbourhoodPortrait } from '#/api/types'
import { portraitOptions } from '#/features/listings/queries'
import { makeQueryClient } from '#/lib/query-client'
import { placeOf } from '../../test/places'
import { renderApp } from '../../test/render-app'
import { http, server, withTestServer } from '../../test/server'
import { NeighbourhoodPage } from './neighbourhood'

withTestServer()

const AT = '2026-11-20T18:00:00.000Z'
const PATH = '/neighbourhoods/parkdale/'

const LONGWAVE = placeOf(7, { name: 'Longwave', image_url: '/media/a/whole', line: 'A line.' })

const PORTRAIT: NeighbourhoodPortrait = {
  id: 3,
  name: 'Parkdale',
  slug: 'parkdale',
  share_url: PATH,
  count: 2,
  intro: '<p>Momos and a bar.</p>',
  best: [LONGWAVE],
  events: [
    { id: 5, name: 'Four Sides', share_url: '/events/four-sides/', tags: [] } as unknown as Event,
  ],
  articles: [article('All night')],
  server_time: AT,
}

function article(name: string): Article {
  const section = { slug: 'food', name: 'Food', share_url: '/food/' }
  const share_url = '/food/all-night/'
  return {
    id: 9,
    name,
    share_url,
    section,
    excerpt: '',
    is_age_restricted: false,
    authors: [],
    tags: [],
  }
}

let asked: string[] = []

const PLACES = { results: [LONGWAVE, { ...LONGWAVE, id: 8, name: 'Another bar' }], count: 30 }

function visit(portrait: NeighbourhoodPortrait) {
  asked = []
  server.use(
    http.get('/api/v2/listing-types/', ({ response }) =>
      response(200).json({ results: [], server_time: AT }),
    ),
    http.get('/api/v2/listings/', ({ request, response }) => {
      asked.push(new URL(request.url).search)
      return response(200).json({ ...PLACES, next: null, server_time: AT })
    }),
  )
  const client = makeQueryClient()
  client.setQueryData(portraitOptions('parkdale').queryKey, portrait)
  renderApp(<NeighbourhoodPage id={3} path={PATH} />, {
    client,
    at: PATH,
    path: PATH,
    site: { city: 'Toronto', sections: { listings: true, articles: true, events: true } },
  })
}

const titles = () =>
  screen.getAllByRole('heading', { level: 2 }).map((heading) => heading.textContent)

it('shows the text, the best places, tonight’s events and the stories above all places', async () => {
  visit(PORTRAIT)
  await screen.findByRole('heading', { level: 1, name: 'Parkdale' })
  expect(screen.getByText('Momos and a bar.')).toBeVisible()
  expect(titles().slice(0, 4)).toEqual([
    'The best of Parkdale',
    'Tonight in Parkdale',
    'Stories from Parkdale',
    'All places',
  ])
  for (const name of ['Four Sides', 'All night']) {
    expect(screen.getByRole('link', { name })).toBeVisible()
  }
})

it('opens all places with a place that is not among the best', async () => {
  visit(PORTRAIT)
  await screen.findByRole('link', { name: 'Another bar' })
  const cards = screen.getAllByRole('article').map((card) => [card.className, card.textContent])
  const leads = cards.filter(([look]) => look?.includes('lead')).map(([, words]) => words)
  expect(leads).toEqual([expect.stringContaining('Another bar')])
})

it('shows only what a neighbourhood has', async () => {
  visit({ ...PORTRAIT, count: 0, intro: '', best: [], events: [], articles: [] })
  await screen.findByRole('heading', { level: 1, name: 'Parkdale' })
  expect(titles()[0]).toBe('All places')
  expect(screen.queryByRole('button', { name: 'Show the map' })).toBeNull()
})

it('fetches the places of the map only for the map', async () => {
  visit(PORTRAIT)
  const button = await screen.findByRole('button', { name: 'Show the map' })
  expect(screen.getByText('2 places')).toBeVisible()
  const isOfMap = (search: string) => search.includes('limit=100')
  expect(asked.some(isOfMap)).toBe(false)
  await userEvent.click(button)
  await expect.poll(() => asked.some(isOfMap)).toBe(true)
})
