import { expect, it } from 'vitest'
import { formatDate, formatMonth } from './time'

it('names a day and a month in the language of the site', () => {
  expect(formatDate('2026-05-03')).toBe('May 3, 2026')
  expect(formatDate('soon')).toBe('')
  expect(formatMonth(2026, 12)).toBe('December 2026')
})
