import { expect, it } from 'vitest'
import { stageOf, timeLeft } from './stage'

const ZONE = 'America/Toronto'
const contest = {
  opens_at: '2026-11-01T04:00:00Z',
  closes_at: '2026-12-01T05:00:00Z',
  has_closed: false,
}

it.each([
  ['upcoming', '2026-11-01T03:59:59Z'],
  ['open', '2026-11-01T04:00:00Z'],
  ['open', '2026-12-01T04:59:59Z'],
  ['closed', '2026-12-01T05:00:00Z'],
])('is %s at %s', (stage, now) => {
  expect(stageOf(contest, Date.parse(now))).toBe(stage)
})

it('is closed if the server says so, whatever the browser’s clock shows', () => {
  expect(stageOf({ ...contest, has_closed: true }, Date.parse('2026-11-02T00:00:00Z'))).toBe(
    'closed',
  )
})

it.each([
  ['Opens Nov 1', '2026-10-15T12:00:00Z'],
  ['Ends in 29 days', '2026-11-01T04:00:00Z'],
  ['Ends in 10 days', '2026-11-20T12:00:00Z'],
  // Late in the evening of the 28th, but already the 29th in UTC.
  ['Ends in 2 days', '2026-11-29T03:00:00Z'],
  ['Ends tomorrow', '2026-11-29T12:00:00Z'],
  ['Ends today', '2026-11-30T12:00:00Z'],
  ['Closed', '2026-12-01T05:00:00Z'],
])('says "%s" at %s', (words, now) => {
  expect(timeLeft(contest, Date.parse(now), ZONE)).toBe(words)
})

it('shows the last day if too many days are left to count', () => {
  const far = { ...contest, closes_at: '2027-12-01T05:00:00Z' }
  expect(timeLeft(far, Date.parse('2026-11-20T12:00:00Z'), ZONE)).toBe('Ends Nov 30, 2027')
})
