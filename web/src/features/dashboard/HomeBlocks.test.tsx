import { act, screen, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { HttpResponse } from 'msw'
import { afterEach, beforeEach, expect, it } from 'vitest'
import type { DashboardCounts, Event, Listing } from '#/api/types'
import { TOGGLED_NAMES, type SavedItem } from '#/features/saved/kinds'
import { savedMap } from '#/features/saved/saved'
import { queryClient, session } from '#/features/session/current'
import { DASHBOARD_VISIT, PROFILE_ID } from '#/features/session/session'
import { NO_COUNTS } from '../../../test/counts'
import { placeOf } from '../../../test/places'
import { AT } from '../../../test/reader'
import { renderApp } from '../../../test/render-app'
import { http, server, withTestServer } from '../../../test/server'
import { HomeBlocks } from './HomeBlocks'

withTestServer()

function event(id: number, starts_at: string): Event {
  return {
    id,
    name: `Event ${id}`,
    share_url: `/events/event-${id}/`,
    excerpt: '',
    is_age_restricted: false,
    authors: [],
    tags: [],
    days: '',
    hours: '',
    start_time: '',
    is_all_day: false,
    timezone: 'America/Toronto',
    venue: '',
    address: '',
    is_free: false,
    price: '',
    starts_at,
  }
}

const favourite = (id: number, day: number): SavedItem<'favourite'> => ({
  id,
  listing: placeOf(id),
  is_available: true,
  date_created: `2026-11-${day}T12:00:00.000Z`,
})

let listingCalls: URL[]
let open: Listing[]
let closed: Listing[]
let events: Event[]
let eventsFail: boolean
let isArticleGone: boolean

const failure = () => HttpResponse.json({ code: 'internal' }, { status: 500 })
const page = <T,>(results: T[]) => ({ results, count: -1, next: null, server_time: AT })

/** The ids 1 to `places` are favourites, 1 is also a to-do, 70 an event, and 80 an article. */
async function show(counts: Partial<DashboardCounts>, places = 2): Promise<void> {
  const rows = Array.from({ length: places }, (_, index) => index + 1)
  server.use(
    http.get('/api/v2/profiles/status/', ({ response }) =>
      response(200).json({ id: 7, server_time: AT }),
    ),
    http.get('/api/v2/favourites/listing_ids/', ({ response }) =>
      response(200).json({
        results: rows.map((id) => ({ id, listing_id: id })),
        server_time: AT,
      }),
    ),
    http.get('/api/v2/todos/listing_ids/', ({ response }) =>
      response(200).json({
        results: [{ id: 1, listing_id: 1, is_done: false }],
        server_time: AT,
      }),
    ),
    http.get('/api/v2/event-bookmarks/event_ids/', ({ response }) =>
      response(200).json({ results: [{ id: 1, object_id: 70 }], server_time: AT }),
    ),
    http.get('/api/v2/article-bookmarks/article_ids/', ({ response }) =>
      response(200).json({ results: [{ id: 1, object_id: 80 }], server_time: AT }),
    ),
    http.get('/api/v2/video-bookmarks/video_ids/', ({ response }) =>
      response(200).json({ results: [], server_time: AT }),
    ),
    http.get('/api/v2/favourites/', ({ response }) =>
      response(200).json(page([favourite(2, 19), favourite(1, 12)])),
    ),
    http.get('/api/v2/todos/', ({ response }) =>
      response(200).json(page([{ ...favourite(1, 15), is_done: false }])),
    ),
    http.get('/api/v2/event-bookmarks/', ({ response }) => response(200).json(page([]))),
    http.get('/api/v2/article-bookmarks/', ({ response }) => response(200).json(page([]))),
    http.get('/api/v2/listings/', ({ request, response }) => {
      const url = new URL(request.url)
      listingCalls.push(url)
      if (url.searchParams.has('open_now')) return response(200).json(page(open))
      if (url.searchParams.has('is_closed')) return response(200).json(page(closed))
      if (url.searchParams.has('reviewed')) return response(200).json(page([]))
      return response(200).json(page([placeOf(1)]))
    }),
    http.get('/api/v2/events/', ({ request, response }) => {
      const isOfBlock = !new URL(request.url).searchParams.has('from')
      return eventsFail && isOfBlock
        ? response.untyped(failure())
        : response(200).json(page(events))
    }),
    http.get('/api/v2/articles/', ({ response }) =>
      response(200).json(
        page(
          isArticleGone
            ? []
            : [{ ...event(80, AT), section: { name: '', slug: '', share_url: '' } }],
        ),
      ),
    ),
  )
  document.cookie = 'signed_in=1'
  await session.start()
  await Promise.all(TOGGLED_NAMES.map((name) => savedMap(name).observe(AT)))
  renderApp(
    <HomeBlocks counts={{ ...NO_COUNTS, ...counts }}>
      <p>the profile</p>
    </HomeBlocks>,
    { client: queryClient },
  )
}

const block = async (name: string) => within(await screen.findByRole('region', { name }))
const names = async (name: string) =>
  (await block(name)).getAllByRole('heading', { level: 3 }).map((one) => one.textContent)

beforeEach(() => {
  queryClient.setDefaultOptions({ queries: { retry: false } })
  listingCalls = []
  open = [placeOf(2)]
  closed = []
  events = [event(70, '2026-11-21T00:00:00.000Z')]
  eventsFail = false
  isArticleGone = false
})

afterEach(() => {
  act(() => session.end())
  queryClient.clear()
})

const SOME = { favourites: 2, todos: 1, event_bookmarks: 1, article_bookmarks: 1 }

it('shows the newest things of all kinds, and a place that was saved twice only once', async () => {
  await show(SOME)
  expect(await names('Recently saved')).toEqual(['Place 2', 'Place 1'])
})

it('shows which places are open, and requests no more than it shows', async () => {
  await show(SOME)
  expect(await names('Open now')).toEqual(['Place 2'])
  const [call] = listingCalls.filter((url) => url.searchParams.has('open_now'))
  expect(call?.searchParams.get('ids')).toBe('2,1')
  expect(call?.searchParams.get('limit')).toBe('6')
})

it('requests a hundred places at a time, the last saved first, until it has enough', async () => {
  open = [placeOf(1), placeOf(2), placeOf(3)]
  await show({ favourites: 350 }, 350)
  expect(await names('Open now')).toHaveLength(6)
  const calls = listingCalls
    .filter((url) => url.searchParams.has('open_now'))
    .map((url) => url.searchParams.get('ids')?.split(',') ?? [])
  expect(calls.map((ids) => [ids[0], ids.length])).toEqual([
    ['350', 100],
    ['250', 100],
  ])
})

it('shows the events of the next fourteen days of the city, in order', async () => {
  events = [
    // 4 December, 11:59 p.m. in Toronto, and midnight.
    event(3, '2026-12-05T04:59:00.000Z'),
    event(4, '2026-12-05T05:00:00.000Z'),
    event(1, '2026-11-20T17:00:00.000Z'),
    event(2, '2026-11-21T00:00:00.000Z'),
  ]
  await show(SOME)
  expect(await names('In the next two weeks')).toEqual(['Event 1', 'Event 2', 'Event 3'])
})

it('says so if nothing is open or coming up, and appears all at once', async () => {
  open = []
  events = [event(70, '2027-01-01T00:00:00.000Z')]
  await show(SOME)
  expect(screen.queryByText('the profile')).toBeNull()
  expect(await screen.findByText('None of your places is open right now.')).toBeVisible()
  expect(screen.getByText('None of your saved events is in the next two weeks.')).toBeVisible()
  expect(screen.getByText('the profile')).toBeVisible()
})

it('explains what to do, and requests nothing, if nothing is saved', async () => {
  await show({})
  expect(await screen.findByText('Nothing is kept here yet')).toBeVisible()
  expect(screen.getByText('the profile')).toBeVisible()
  expect(listingCalls).toEqual([])
})

it('offers a retry for a failed block, and shows the others', async () => {
  eventsFail = true
  await show(SOME)
  expect(await screen.findByText('Your coming events did not load')).toBeVisible()
  expect(await names('Open now')).toEqual(['Place 2'])
  eventsFail = false
  await userEvent.click(screen.getByRole('button', { name: 'Try again' }))
  expect(await names('In the next two weeks')).toEqual(['Event 70'])
})

it('offers a retry if the maps of saved things did not load', async () => {
  await show(SOME)
  await block('Open now')
  server.use(
    http.get('/api/v2/favourites/listing_ids/', ({ response }) => response.untyped(failure()), {
      once: true,
    }),
  )
  await act(() => savedMap('favourite').observe('2026-11-20T19:00:00.000Z'))
  expect(await screen.findByText('Your open places did not load')).toBeVisible()
  const [again] = screen.getAllByRole('button', { name: 'Try again' })
  if (again) await userEvent.click(again)
  expect(await names('Open now')).toEqual(['Place 2'])
})

const BEFORE = {
  at: '2026-11-19T18:00:00.000Z',
  places: [1, 2],
  closed: [],
  reviewed: [],
  withdrawn: { place: [], article: [], video: [], event: [] },
}

it('reports closed and withdrawn things since the last visit, and stores this one', async () => {
  closed = [placeOf(2, { is_closed: true })]
  isArticleGone = true
  window.localStorage.setItem(PROFILE_ID, '7')
  window.localStorage.setItem(DASHBOARD_VISIT, JSON.stringify({ before: null, latest: BEFORE }))
  await show(SOME)
  const news = await block('Since your last visit')
  expect(news.getAllByRole('listitem').map((one) => one.textContent)).toEqual([
    'Place 2 has closed.',
    'One of your saved articles is no longer published.',
  ])
  const stored = JSON.parse(window.localStorage.getItem(DASHBOARD_VISIT) ?? '{}') as {
    latest: { at: string; closed: number[] }
  }
  expect(stored.latest).toMatchObject({ at: AT, closed: [2] })
})

it('reports nothing on the first visit', async () => {
  closed = [placeOf(2, { is_closed: true })]
  await show(SOME)
  await block('Open now')
  expect(screen.queryByText('Since your last visit')).toBeNull()
})
