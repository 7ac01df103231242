import { describe, expect, it } from 'vitest'
import { isOver, windowOf, zoneNote } from './when'

const ZONE = 'America/Toronto'

it('names the zone only for a reader whose clock shows another time', () => {
  const at = '2026-11-21T01:00:00Z'
  const own = Intl.DateTimeFormat().resolvedOptions().timeZone
  const far = own === 'Asia/Tokyo' ? 'America/Toronto' : 'Asia/Tokyo'
  expect(zoneNote(at, own)).toBe('')
  expect(zoneNote(at, far)).toMatch(/GMT|UTC|E[SD]T/)
  expect(zoneNote(null, far)).toBe('')
})

it('is over at its end, or a day after its start', () => {
  const starts_at = '2026-11-21T01:00:00Z'
  const ends_at = '2026-11-21T04:00:00Z'
  expect(isOver({ starts_at, ends_at }, Date.parse('2026-11-21T03:59:59Z'))).toBe(false)
  expect(isOver({ starts_at, ends_at }, Date.parse(ends_at))).toBe(true)
  expect(isOver({ starts_at, ends_at: null }, Date.parse(ends_at))).toBe(false)
  expect(isOver({ starts_at, ends_at: null }, Date.parse('2026-11-22T01:00:00Z'))).toBe(true)
})

describe('the days of a filter', () => {
  it.each([
    // Late on a Wednesday, which is already Thursday in UTC.
    ['today', '2026-11-19T02:00:00Z', { to: '2026-11-19' }],
    ['week', '2026-11-19T02:00:00Z', { to: '2026-11-25' }],
    ['weekend', '2026-11-19T02:00:00Z', { from: '2026-11-21', to: '2026-11-23' }],
    ['weekend', '2026-11-21T15:00:00Z', { to: '2026-11-23' }],
    ['weekend', '2026-11-22T15:00:00Z', { to: '2026-11-23' }],
    [undefined, '2026-11-22T15:00:00Z', {}],
    ['someday', '2026-11-22T15:00:00Z', {}],
  ])('%s at %s', (word, now, expected) => {
    expect(windowOf(word, Date.parse(now), ZONE)).toEqual(expected)
  })
})
