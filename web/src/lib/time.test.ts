import { expect, it } from 'vitest'
import { formatDay, formatMonth } from './time'

it('gives the day of the city, not of the reader or of UTC', () => {
  // Half past midnight in UTC is still the evening before in Toronto.
  const at = '2026-11-21T00:30:00.000Z'
  expect(formatDay(at, 'Canada/Eastern')).toMatch(/20/)
  expect(formatDay(at, 'UTC')).toMatch(/21/)
})

it('gives an empty text for an invalid instant', () => {
  expect(formatDay(null, 'UTC')).toBe('')
  expect(formatDay('soon', 'UTC')).toBe('')
})

it('names a month with and without its year', () => {
  expect(formatMonth(2026, 12)).toMatch(/2026/)
  expect(formatMonth(2026, 12, true)).not.toMatch(/2026/)
})
