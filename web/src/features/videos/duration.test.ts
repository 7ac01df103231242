import { expect, it } from 'vitest'
import { clock, spoken } from './duration'

it.each([
  [0, '', ''],
  [5, '0:05', '5 seconds'],
  [60, '1:00', '1 minute'],
  [73, '1:13', '1 minute 13 seconds'],
  [3599, '59:59', '59 minutes 59 seconds'],
  [3723, '1:02:03', '1 hour 2 minutes 3 seconds'],
])('%d seconds are shown as "%s" and read as "%s"', (seconds, shown, read) => {
  expect(clock(seconds)).toBe(shown)
  expect(spoken(seconds)).toBe(read)
})
