import { render, screen, within } from '@testing-library/react'
import { expect, it } from 'vitest'
import type { Event } from '#/api/types'
import { renderApp } from '../../../test/render-app'
import { EventFacts } from './EventFacts'

const ZONE = 'America/Toronto'

const event: Event = {
  id: 5,
  name: 'Bread Swap',
  share_url: '/events/bread-swap/',
  excerpt: '',
  is_age_restricted: false,
  authors: [],
  tags: [],
  starts_at: '2026-11-21T01:00:00.000Z',
  ends_at: '2026-11-21T03:00:00.000Z',
  days: 'Friday, November 20, 2026',
  hours: '8:00 – 10:00 p.m.',
  start_time: '8:00 p.m.',
  is_all_day: false,
  timezone: 'America/Toronto',
  venue: 'The co-operative laundry',
  address: '1435 Queen Street West',
  is_free: true,
  price: '$5',
}

/** The value of a fact by its name. */
function fact(name: string): HTMLElement | null {
  const term = screen.queryByText(name, { selector: 'dt' })
  return term?.nextElementSibling instanceof HTMLElement ? term.nextElementSibling : null
}

it('shows Free for a free event, whatever its price, and otherwise the price', () => {
  const { rerender } = render(<EventFacts zone={ZONE} event={event} />)
  expect(fact('Price')).toHaveTextContent(/^Free$/)
  rerender(<EventFacts zone={ZONE} event={{ ...event, is_free: false }} />)
  expect(fact('Price')).toHaveTextContent(/^\$5$/)
  rerender(<EventFacts zone={ZONE} event={{ ...event, is_free: false, price: '' }} />)
  expect(fact('Price')).toBeNull()
})

it('names the zone of the site, which the hours are in, and not that of the event', () => {
  const own = Intl.DateTimeFormat().resolvedOptions().timeZone
  const far = own === 'Asia/Tokyo' ? 'America/Toronto' : 'Asia/Tokyo'
  const { rerender } = render(<EventFacts zone={far} event={{ ...event, timezone: own }} />)
  expect(fact('When')).toHaveTextContent(/GMT|UTC|E[SD]T/)
  rerender(<EventFacts zone={own} event={{ ...event, timezone: far }} />)
  expect(fact('When')).not.toHaveTextContent(/GMT|UTC|E[SD]T/)
})

it('has no further dates for a single event', () => {
  const { starts_at = null, ends_at = null, days, hours } = event
  const occurrences = [{ starts_at, ends_at, days, hours }]
  render(<EventFacts zone={ZONE} event={{ ...event, occurrences }} />)
  expect(fact('Repeats')).toBeNull()
  expect(fact('Then')).toBeNull()
})

it('lists five dates after the next one', () => {
  const weeks = [0, 1, 2, 3, 4, 5, 6].map((week) => ({
    starts_at: new Date(Date.UTC(2026, 9, 24 + 7 * week)).toISOString(),
    ends_at: null,
    days: `Friday number ${week}`,
    hours: '',
  }))
  render(
    <EventFacts
      zone={ZONE}
      event={{
        ...event,
        starts_at: weeks[0]?.starts_at ?? null,
        ends_at: null,
        repeats: 'Weekly',
        occurrences: weeks,
      }}
    />,
  )
  const then = fact('Repeats') ?? document.body
  expect(then).toHaveTextContent(/^Weekly/)
  const later = within(then).getAllByRole('listitem')
  expect(later.map((date) => date.textContent)).toEqual(
    [1, 2, 3, 4, 5].map((week) => `Friday number ${week}`),
  )
})

it('links only to a website that the server has validated', () => {
  const website = 'https://www.example.com/swap'
  const { rerender } = render(
    <EventFacts zone={ZONE} event={{ ...event, website, website_host: 'example.com' }} />,
  )
  expect(screen.getByRole('link', { name: 'example.com' })).toHaveAttribute('href', website)
  rerender(<EventFacts zone={ZONE} event={{ ...event, website: 'javascript:alert(1)' }} />)
  expect(fact('Website')).toBeNull()
})

it('gives the calendar file as a download, not as a page', () => {
  render(<EventFacts zone={ZONE} event={event} />)
  const link = screen.getByRole('link', { name: 'Add to calendar' })
  expect(link).toHaveAttribute('href', '/api/v2/events/5.ics')
  expect(link).toHaveAttribute('download')
})

it('links the venue to its page if it is a place of the guide', async () => {
  const listing = { name: 'The Loop', share_url: '/cafes/the-loop/' } as Event['listing']
  renderApp(<EventFacts zone={ZONE} event={{ ...event, ...(listing && { listing }) }} />)
  const link = await screen.findByRole('link', { name: 'The co-operative laundry' })
  expect(link).toHaveAttribute('href', '/cafes/the-loop/')
})
