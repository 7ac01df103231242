import { act, screen, waitFor } from '@testing-library/react'
import { http, HttpResponse } from 'msw'
import { expect, it } from 'vitest'
import type { Ad, AdSlot } from '#/api/types'
import { renderApp } from '../../../test/render-app'
import { allResponsesRead, server, withTestServer } from '../../../test/server'
import { AdPage } from './AdPage'
import { AdSpot } from './AdSpot'
import type { PageSubject } from './slots'

withTestServer()

const slot = (position: string, changes: Partial<AdSlot> = {}): AdSlot => ({
  position,
  pages: ['article'],
  at: 'lead',
  box: 'leaderboard',
  screens: ['medium', 'large'],
  sizes: ['728x90', '970x90'],
  ...changes,
})

const FRAMED = {
  kind: 'image' as const,
  advertiser: 'Harbour Kayaks',
  frame_url: '/api/v2/ads/creatives/1/',
  alt: 'Two kayaks at dawn',
  headline: null,
  text: null,
  call: null,
  picture_url: null,
  click_url: '/api/v2/ads/clicks/t/',
  token: 't',
}
const NATIVE = {
  ...FRAMED,
  kind: 'native' as const,
  frame_url: null,
  alt: '',
  headline: 'Paddle <b>before</b> work',
  text: 'Rent one at the foot of the street.',
  call: 'Book a kayak',
  picture_url: '/media/kayak.webp',
}

function answer(creative: Ad['creative']): Ad[] {
  const where = { elementId: 'ad-lead', advert_position: 'lead', screenTypes: [] }
  const about = { article_id: null, article_category: null, boxType: 'leaderboard' as const }
  return [{ id: '1', width: 970, height: 90, creative, ...where, ...about }]
}

let requestCount = 0
function serve(results: Ad[] | number): void {
  requestCount = 0
  server.use(
    http.get('*/api/v2/ads/', () => {
      requestCount += 1
      return typeof results === 'number'
        ? new HttpResponse(null, { status: results })
        : HttpResponse.json({ results, server_time: '' })
    }),
    http.post('*/api/v2/ads/events/', () => new HttpResponse(null, { status: 204 })),
  )
}

const ABOUT: PageSubject = { page: 'article' }

function visit(slots: AdSlot[], about: PageSubject | null = ABOUT) {
  return renderApp(
    <AdPage about={about}>
      <p>the story</p>
      <AdSpot at="lead" />
    </AdPage>,
    { site: { ads: { slots } } },
  )
}

const room = () => document.getElementById('ad-lead')
const frame = () => document.querySelector('iframe')

it('reserves the height of the tallest ad for each slot of the page’s spot, on each screen', async () => {
  serve([])
  visit([
    slot('lead', { sizes: ['728x90', '970x250'] }),
    slot('other-page', { pages: ['home'] }),
    slot('other-spot', { at: 'end' }),
  ])
  const group = await screen.findByRole('group', { name: 'Advertisement' })
  expect(group).toHaveAttribute('id', 'ad-lead')
  expect(group).toHaveTextContent('Advertisement')
  expect(group.dataset).toMatchObject({ medium: '90', large: '250' })
  expect(group.dataset).not.toHaveProperty('small')
  expect(document.querySelectorAll('[id^=ad-]')).toHaveLength(1)
})

it.each([['nothing', []] as const, ['an error', 503] as const])(
  'collapses the slot for %s',
  async (_, result) => {
    serve(typeof result === 'number' ? result : [...result])
    visit([slot('lead')])
    await waitFor(() => expect(room()).toHaveAttribute('hidden'))
    expect(screen.queryByRole('group', { name: 'Advertisement' })).toBeNull()
  },
)

it('shows a creative in an unreachable frame, below the site’s own link', async () => {
  serve(answer(FRAMED))
  visit([slot('lead')])
  await waitFor(() => expect(frame()).not.toBeNull())
  // A picture has no permissions.
  expect(frame()).toHaveAttribute('sandbox', '')
  expect(frame()).toHaveAttribute('inert')
  expect(frame()).toHaveAttribute('aria-hidden', 'true')
  expect(frame()).toHaveAttribute('tabindex', '-1')
  expect(frame()).toHaveAttribute('loading', 'lazy')
  expect(frame()).toHaveAttribute('src', '/api/v2/ads/creatives/1/')
  expect([frame()?.width, frame()?.height]).toEqual(['970', '90'])
  const link = screen.getByRole('link', { name: 'Harbour Kayaks: Two kayaks at dawn' })
  expect(link).toHaveAttribute('href', '/api/v2/ads/clicks/t/')
  expect(link).toHaveAttribute('target', '_blank')
  expect(link).toHaveAttribute('rel', 'sponsored noopener')
})

it('allows an HTML creative only to run scripts', async () => {
  serve(answer({ ...FRAMED, kind: 'html' }))
  visit([slot('lead')])
  await waitFor(() => expect(frame()).toHaveAttribute('sandbox', 'allow-scripts'))
})

it('shows a native ad as text, under its advertiser’s name', async () => {
  serve(answer(NATIVE))
  visit([slot('lead')])
  const link = await screen.findByRole('link', {
    name: 'Harbour Kayaks: Paddle <b>before</b> work',
  })
  expect(link).toHaveAttribute('rel', 'sponsored noopener')
  expect(screen.getByText('Paddle <b>before</b> work')).toBeVisible()
  expect(screen.getByText('Harbour Kayaks')).toBeVisible()
  expect(screen.getByText('Book a kayak')).toBeVisible()
  expect(frame()).toBeNull()
})

it('shows no ads on pages with an age limit', async () => {
  serve(answer(FRAMED))
  visit([slot('lead')], null)
  expect(await screen.findByText('the story')).toBeVisible()
  await act(allResponsesRead)
  expect(room()).toBeNull()
  expect(requestCount).toBe(0)
})

it('requests nothing on a page without slots, and removes its ads with the page', async () => {
  serve(answer(FRAMED))
  const { router } = visit([slot('lead')])
  await waitFor(() => expect(frame()).not.toBeNull())
  await act(async () => router.navigate({ to: '/' }))
  expect(await screen.findByText('the front')).toBeVisible()
  expect(room()).toBeNull()
  expect(requestCount).toBe(1)
})
