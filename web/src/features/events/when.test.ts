import { describe, expect, it } from 'vitest'
import { dateParts, days, hours, repeats, windowOf } from './when'

const timed = { timezone: 'America/Toronto', is_all_day: false }
const whole = { timezone: 'America/Toronto', is_all_day: true }
const ZONE = 'America/Toronto'

describe('the day of an event', () => {
  it('is that of its own zone', () => {
    // One in the morning in UTC is still the evening before in Toronto.
    const evening = { starts_at: '2026-11-21T01:00:00Z', ends_at: '2026-11-21T03:00:00Z' }
    expect(dateParts(evening, timed)).toMatchObject({ day: '20' })
    expect(days(evening, timed)).toMatch(/20/)
    expect(hours(evening, timed)).toMatch(/8:00.+10:00/)
  })

  it('is one although it ends after midnight, and several where it goes on', () => {
    const starts_at = '2026-11-21T02:00:00Z'
    const night = { starts_at, ends_at: '2026-11-21T07:00:00Z' }
    expect(days(night, timed)).toMatch(/Friday/)
    expect(days(night, timed)).not.toMatch(/21/)
    expect(hours(night, timed)).toMatch(/9:00.+2:00/)
    expect(days({ starts_at, ends_at: '2026-11-22T22:00:00Z' }, timed)).toMatch(/20.+22/)
  })

  it('ends with the last day of whole ones, not with the midnight after', () => {
    const one = { starts_at: '2026-07-01T04:00:00Z', ends_at: '2026-07-02T04:00:00Z' }
    expect(days(one, whole)).toMatch(/July 1, 2026/)
    expect(hours(one, whole)).toBe('All day')
    // Over the autumn's clock change: the last midnight is at five in UTC.
    const three = { starts_at: '2026-10-31T04:00:00Z', ends_at: '2026-11-03T05:00:00Z' }
    expect(days(three, whole)).toMatch(/October 31.+November 2, 2026/)
  })

  it('shows the start alone without an end, and nothing without a start', () => {
    const open = { starts_at: '2026-11-21T01:00:00Z', ends_at: null }
    expect(hours(open, timed)).toMatch(/^8:00/)
    expect(hours(open, timed)).not.toMatch(/–/)
    expect(days({ starts_at: null, ends_at: null }, timed)).toBe('')
    expect(dateParts({ starts_at: null, ends_at: null }, timed)).toBeUndefined()
  })
})

it('names the zone only for a reader whose clock shows another time', () => {
  const evening = { starts_at: '2026-11-21T01:00:00Z', ends_at: null }
  const own = Intl.DateTimeFormat().resolvedOptions().timeZone
  const far = own === 'Asia/Tokyo' ? 'America/Toronto' : 'Asia/Tokyo'
  expect(hours(evening, { timezone: own, is_all_day: false })).not.toMatch(/GMT|UTC|E[SD]T/)
  expect(hours(evening, { timezone: far, is_all_day: false })).toMatch(/GMT|UTC|E[SD]T/)
})

it.each([
  ['FREQ=WEEKLY;BYDAY=FR', 'Every week'],
  ['FREQ=MONTHLY;BYDAY=1SA', 'Every month'],
  ['FREQ=WEEKLY;INTERVAL=2', 'More than once'],
  ['FREQ=WEEKLY;BYDAY=MO,WE', 'More than once'],
  ['', undefined],
  [null, undefined],
])('says of %s how often it happens', (rule, expected) => {
  expect(repeats(rule)).toBe(expected)
})

describe('the days that a filter means', () => {
  it.each([
    // A Wednesday, late: in UTC it is Thursday already.
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
