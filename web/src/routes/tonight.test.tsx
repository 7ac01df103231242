import { act, screen, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import type { Tonight } from '#/api/types'
import { tonightOptions } from '#/features/tonight/queries'
import { makeQueryClient } from '#/lib/query-client'
import { renderApp } from '../../test/render-app'
import { TonightPage } from './tonight'

/** 8:59 p.m. in Toronto. */
const NOW = Date.parse('2026-12-01T01:59:00Z')

function place(id: number, type: string, open: number[][], position: [number, number] | null) {
  const name = `Place ${id}`
  return { id, name, share_url: `/${type}/${id}/`, type, kind: 'Bar', position, open }
}

const TONIGHT = {
  day: '2026-11-30',
  starts_at: '2026-11-30T09:00:00.000Z',
  ends_at: '2026-12-01T09:00:00.000Z',
  sunset: '2026-11-30T21:43:00.000Z',
  late_kitchens: 2,
  events: [],
  places: [
    place(1, 'bars', [[780, 1320]], [43.65, -79.38]),
    place(2, 'restaurants', [[480, 1020]], [43.66, -79.4]),
  ],
  types: [
    { slug: 'bars', name: 'Bars', count: 1 },
    { slug: 'restaurants', name: 'Restaurants', count: 1 },
  ],
  server_time: '',
} as unknown as Tonight

beforeEach(() => void vi.useFakeTimers({ now: NOW, toFake: ['Date'] }))
afterEach(() => void vi.useRealTimers())

function visit(at = '/tonight/') {
  const client = makeQueryClient()
  client.setQueryData(tonightOptions().queryKey, TONIGHT)
  return renderApp(<TonightPage />, {
    client,
    at,
    path: '/tonight/',
    site: { city: 'Toronto', sections: { listings: true } },
  })
}

function rows(): string[] {
  const articles = screen.getAllByRole('article')
  return articles.map((row) => row.textContent.replaceAll('\u00a0', ' '))
}

/** Shows the page again after this number of minutes. */
function later(minutes: number): void {
  vi.setSystemTime(NOW + minutes * 60_000)
  act(() => void document.dispatchEvent(new Event('visibilitychange')))
}

it('crosses out a place when it closes and removes it later', async () => {
  visit()
  await screen.findByRole('heading', { level: 1, name: 'Tonight in Toronto' })
  expect(rows()).toEqual(['Place 1Until 2:00 a.m.Bar', 'Place 2Closes at 9:00 p.m.Bar'])
  expect(screen.getByRole('heading', { name: 'Open now 2 places' })).toBeVisible()
  later(1)
  expect(rows()[1]).toBe('Place 2Closed at 9:00 p.m.Bar')
  expect(screen.getByRole('heading', { name: 'Open now 1 place' })).toBeVisible()
  later(16)
  expect(rows()).toEqual(['Place 1Until 2:00 a.m.Bar'])
})

it('shows a later hour and a type at their own addresses', async () => {
  visit('/tonight/?at=23:00&type=bars')
  await screen.findByRole('heading', { level: 2, name: /Open at 11:00.p\.m\./ })
  expect(rows()).toEqual(['Place 1Until 2:00 a.m.Bar'])
  const current = screen.getAllByRole('link', { current: 'page' })
  expect(current.map((link) => link.textContent.replace('\u00a0', ' '))).toEqual([
    '11:00 p.m.',
    'Bars',
  ])
  const times = within(screen.getByRole('navigation', { name: 'Time' }))
  expect(times.getByRole('link', { name: 'Now' })).toHaveAttribute('href', '/tonight/?type=bars')
})

it('sorts by distance on the device', async () => {
  const getCurrentPosition = (found: PositionCallback): void =>
    found({ coords: { latitude: 43.66, longitude: -79.4 } } as GeolocationPosition)
  vi.stubGlobal('navigator', { geolocation: { getCurrentPosition } })
  const request = vi.spyOn(globalThis, 'fetch')
  visit('/tonight/?order=nearest')
  await userEvent.click(await screen.findByRole('button', { name: 'Use my location' }))
  expect(rows()[0]).toContain('Place 2')
  expect(rows().map((row) => /\d[\d.]* k?m$/.exec(row)?.[0])).toEqual(['50 m', '2.0 km'])
  expect(request).not.toHaveBeenCalled()
  vi.unstubAllGlobals()
})
