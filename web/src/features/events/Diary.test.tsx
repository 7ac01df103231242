import { screen, within } from '@testing-library/react'
import { expect, it } from 'vitest'
import type { Event } from '#/api/types'
import { renderApp } from '../../../test/render-app'
import { Diary } from './Diary'

function event(id: number, day: string, weekday?: string): Event {
  return {
    id,
    name: `Event ${id}`,
    excerpt: '',
    share_url: `/events/${id}/`,
    authors: [],
    tags: [],
    is_age_restricted: false,
    starts_at: '2026-12-05T01:00:00Z',
    ends_at: null,
    days: '',
    hours: '',
    start_time: '8:00 p.m.',
    diary_day: day,
    ...(weekday && { diary_weekday: weekday }),
    is_all_day: false,
    timezone: 'America/Toronto',
    venue: 'The Bindery',
    address: '',
    is_free: true,
    price: '',
  }
}

it('lists events below their days, and names the weekday within a weekend', async () => {
  const events = [
    event(1, 'Today'),
    event(2, 'Today'),
    event(3, 'This weekend', 'Sat'),
    event(4, 'Monday, December 7'),
  ]
  renderApp(<Diary events={events} />)
  const headings = await screen.findAllByRole('heading', { level: 2 })
  const days = headings.map((heading) => {
    const section = heading.closest('section') as HTMLElement
    return [
      heading.textContent,
      ...within(section)
        .getAllByRole('article')
        .map((article) => article.textContent),
    ]
  })
  const rest = 'The Bindery\u00a0· Free'
  expect(days).toEqual([
    ['Today', `8:00 p.m.Event 1${rest}`, `8:00 p.m.Event 2${rest}`],
    ['This weekend', `Sat 8:00 p.m.Event 3${rest}`],
    ['Monday, December 7', `8:00 p.m.Event 4${rest}`],
  ])
})
