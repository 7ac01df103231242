import { expect, it } from 'vitest'
import { lastActive } from './last-active'

const ZONE = 'America/Toronto'
const NOW = Date.parse('2026-11-20T18:00:00Z')

it.each([
  ['2026-11-20T17:05:00Z', /^Last active today at 12:05/],
  // Yesterday in the city, but today in UTC.
  ['2026-11-20T04:59:00Z', /^Last active yesterday$/],
  ['2026-11-18T18:00:00Z', /^Last active 2 days ago$/],
  ['2026-10-21T18:00:00Z', /^Last active 30 days ago$/],
  ['2026-10-20T18:00:00Z', /^Last active on October 20, 2026$/],
])('names the day of %s in the city’s zone', (at, words) => {
  expect(lastActive(Date.parse(at), NOW, ZONE)).toMatch(words)
})

it('returns an empty text for an invalid instant', () => {
  expect(lastActive(Number.NaN, NOW, ZONE)).toBe('')
})
