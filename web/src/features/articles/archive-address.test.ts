import { expect, it } from 'vitest'
import { archiveFilter, monthAddress, wholeMonth } from './archive-address'

it('ends on the first day of the next month, also in December', () => {
  expect(monthAddress(2026, 10)).toBe('/archives/?from=2026-10-01&to=2026-11-01')
  expect(monthAddress(2026, 12)).toBe('/archives/?from=2026-12-01&to=2027-01-01')
})

it('recognises a month by its two days, and no other period', () => {
  expect(wholeMonth({ from: '2026-12-01', to: '2027-01-01' })).toEqual({ year: 2026, month: 12 })
  expect(wholeMonth({ from: '2026-12-01', to: '2027-02-01' })).toBeNull()
  expect(wholeMonth({ from: '2026-12-02', to: '2027-01-01' })).toBeNull()
  expect(wholeMonth({ from: '2026-12-01' })).toBeNull()
})

it('drops values that the API would refuse', () => {
  expect(
    archiveFilter({ author: 'Maren O', tag: 'queen-street', from: '2026-02-30', to: '2026-03-01' }),
  ).toEqual({ tag: 'queen-street', to: '2026-03-01' })
  expect(archiveFilter({ author: '../x', from: 'yesterday', to: '20260301' })).toEqual({})
})
