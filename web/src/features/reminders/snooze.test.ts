import { expect, it } from 'vitest'
import { isSnoozed } from './snooze'

it.each([
  // From the same day to the same day of the next month.
  ['2026-04-15', '2026-04-15', true],
  ['2026-04-15', '2026-05-15', true],
  ['2026-04-15', '2026-05-16', false],
  // From 31 January to the end of February.
  ['2026-01-31', '2026-02-28', true],
  ['2026-01-31', '2026-03-01', false],
  ['2028-01-31', '2028-02-29', true],
  ['2028-01-31', '2028-03-01', false],
  // Across the end of a year.
  ['2026-12-31', '2027-01-31', true],
  ['2026-12-31', '2027-02-01', false],
  // Never closed, an invalid value, and a clock that was ahead.
  [null, '2026-04-15', false],
  ['yesterday', '2026-04-15', false],
  ['2026-04-16', '2026-04-15', false],
])('a reminder closed on %s is left out on %s: %s', (closedOn, today, isOut) => {
  expect(isSnoozed(closedOn, today)).toBe(isOut)
})
