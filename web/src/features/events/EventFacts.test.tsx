import { render, screen, within } from '@testing-library/react'
import { expect, it } from 'vitest'
import type { Event } from '#/api/types'
import { EventFacts } from './EventFacts'

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

it('says Free for a free event, whatever its price, and the price otherwise', () => {
  const { rerender } = render(<EventFacts event={event} />)
  expect(fact('Price')).toHaveTextContent(/^Free$/)
  rerender(<EventFacts event={{ ...event, is_free: false }} />)
  expect(fact('Price')).toHaveTextContent(/^\$5$/)
  rerender(<EventFacts event={{ ...event, is_free: false, price: '' }} />)
  expect(fact('Price')).toBeNull()
})

it('has no further dates for a single event', () => {
  const { starts_at, ends_at } = event
  const occurrences = [{ starts_at: starts_at ?? null, ends_at: ends_at ?? null }]
  render(<EventFacts event={{ ...event, occurrences }} />)
  expect(fact('Then')).toBeNull()
})

it('lists five dates after the next one, over the change of the clocks', () => {
  const weeks = [0, 1, 2, 3, 4, 5, 6].map((week) => ({
    // Eight in the evening; from the eighth of November on an hour later in UTC.
    starts_at: new Date(Date.UTC(2026, 9, 24 + 7 * week, week < 2 ? 0 : 1)).toISOString(),
    ends_at: null,
  }))
  render(
    <EventFacts
      event={{
        ...event,
        starts_at: weeks[0]?.starts_at ?? null,
        ends_at: null,
        recurrence: 'FREQ=WEEKLY;BYDAY=FR',
        occurrences: weeks,
      }}
    />,
  )
  const later = within(fact('Then') ?? document.body).getAllByRole('listitem')
  expect(later).toHaveLength(5)
  for (const date of later) expect(date).toHaveTextContent(/^Friday/)
})

it('links only to a website that is one', () => {
  const { rerender } = render(
    <EventFacts event={{ ...event, website: 'https://www.example.com/swap' }} />,
  )
  expect(screen.getByRole('link', { name: 'example.com' })).toHaveAttribute(
    'href',
    'https://www.example.com/swap',
  )
  rerender(<EventFacts event={{ ...event, website: 'javascript:alert(1)' }} />)
  expect(fact('Website')).toBeNull()
})

it('gives the calendar file as a download, not as a page', () => {
  render(<EventFacts event={event} />)
  const link = screen.getByRole('link', { name: 'Add to calendar' })
  expect(link).toHaveAttribute('href', '/api/v2/events/5.ics')
  expect(link).toHaveAttribute('download')
})
