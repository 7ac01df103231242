import { screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { HttpResponse } from 'msw'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { forgetAnswer } from '#/features/age-gate/age'
import { queryClient } from '#/features/session/current'
import { renderApp } from '../../test/render-app'
import { http, server, withTestServer } from '../../test/server'
import { ContestPage } from './contest'
import { EventPage } from './event'
import { ListingTypePage } from './listing-type'
import { VideoPage } from './video'

withTestServer()

const CARD = {
  id: 7,
  name: 'Behind the door',
  share_url: '/behind-the-door/',
  excerpt: '',
  is_age_restricted: true,
  authors: [],
  tags: [],
}
const DAY = 24 * 60 * 60 * 1000
const inDays = (days: number) => new Date(Date.now() + days * DAY).toISOString()
const EVENT = { ...CARD, starts_at: inDays(1), ends_at: null, timezone: 'America/Toronto' }
const CONTEST = {
  ...CARD,
  ...{ opens_at: inDays(-1), closes_at: inDays(1), has_closed: false },
  ...{ question: '', rules: '' },
}
const QUESTION = 'What is behind it?'
const VIDEO = { ...CARD, duration_seconds: 30, source_url: '' }
const WHOLE = { body: '<p>The whole text.</p>' }

let requests: (string | null)[]

beforeEach(() => {
  requests = []
  server.use(
    http.get('/api/v2/events/{id}/', () => HttpResponse.json(EVENT) as never),
    http.get('/api/v2/videos/{id}/', () => HttpResponse.json(VIDEO) as never),
    http.get('/api/v2/contests/{id}/', () => HttpResponse.json(CONTEST) as never),
    http.get('/api/v2/videos/', () => HttpResponse.json({ results: [], count: 0 }) as never),
    http.get('/api/v2/events/{id}/gated/', ({ request }) => {
      requests.push(request.headers.get('x-of-legal-age'))
      return HttpResponse.json({ ...EVENT, ...WHOLE }) as never
    }),
    http.get('/api/v2/contests/{id}/gated/', ({ request }) => {
      requests.push(request.headers.get('x-of-legal-age'))
      return HttpResponse.json({ ...CONTEST, ...WHOLE, question: QUESTION }) as never
    }),
    http.get('/api/v2/videos/{id}/gated/', ({ request }) => {
      requests.push(request.headers.get('x-of-legal-age'))
      return HttpResponse.json({ ...VIDEO, ...WHOLE }) as never
    }),
  )
})

afterEach(() => {
  forgetAnswer()
  queryClient.clear()
})

const sayYes = () => userEvent.click(screen.getByRole('button', { name: 'Yes, I am of legal age' }))

it.each([
  ['contest', <ContestPage key="contest" id={7} path={CARD.share_url} />],
  ['event', <EventPage key="event" id={7} path={CARD.share_url} />],
  ['video', <VideoPage key="video" id={7} path={CARD.share_url} />],
])('asks for the age before the text of a restricted %s', async (_, page) => {
  renderApp(page, { client: queryClient, site: { legal_age: 19 } })
  expect(await screen.findByRole('alertdialog', { name: 'Age Restricted Content' })).toBeVisible()
  expect(requests).toEqual([])
  await sayYes()
  expect(await screen.findByText('The whole text.')).toBeVisible()
  expect(requests).toEqual(['1'])
})

it('asks for the age before the entry form of a restricted contest', async () => {
  renderApp(<ContestPage id={7} path={CARD.share_url} />, { client: queryClient })
  expect(await screen.findByRole('alertdialog', { name: 'Age Restricted Content' })).toBeVisible()
  expect(screen.queryByRole('link', { name: 'Enter the contest' })).toBeNull()
  await sayYes()
  expect(await screen.findByLabelText(QUESTION)).toBeVisible()
})

it('asks for the age before the places of a restricted type', async () => {
  const type = { id: 3, name: 'Dispensaries', slug: 'dispensaries', share_url: '/dispensaries/' }
  let lists = 0
  server.use(
    http.get('/api/v2/listing-types/', () =>
      HttpResponse.json({ results: [{ ...type, count: 0, is_age_restricted: true }] } as never),
    ),
    http.get('/api/v2/listings/', () => {
      lists += 1
      return HttpResponse.json({ results: [], count: 0, next: null } as never)
    }),
    http.get('/api/v2/neighbourhoods/', () => HttpResponse.json({ results: [] } as never)),
  )
  renderApp(<ListingTypePage id={3} path={type.share_url} />, { client: queryClient })
  expect(await screen.findByRole('alertdialog', { name: 'Age Restricted Content' })).toBeVisible()
  expect(screen.getByText('Dispensaries')).toBeInTheDocument()
  expect(lists).toBe(0)
  await sayYes()
  expect(await screen.findByText('No places here yet')).toBeVisible()
  expect(lists).toBeGreaterThan(0)
})

it('opens the front page after a No', async () => {
  renderApp(<ContestPage id={7} path={CARD.share_url} />, { client: queryClient })
  await screen.findByRole('alertdialog')
  await userEvent.click(screen.getByRole('button', { name: 'No, I am not of legal age' }))
  expect(await screen.findByText('the front')).toBeVisible()
})
