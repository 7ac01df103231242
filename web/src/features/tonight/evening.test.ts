import { expect, it } from 'vitest'
import type { Tonight, TonightEvent } from '#/api/types'
import {
  eveningOf,
  eventsOf,
  factsOf,
  hoursInWords,
  nextEvent,
  placesOf,
  tonightAddress,
  type Order,
} from './evening'

const ZONE = 'America/Toronto'
/** 30 November, 4 a.m. in Toronto. */
const START = Date.parse('2026-11-30T09:00:00Z')
const MINUTE = 60_000
/** A time of the evening in minutes after 4 a.m. */
const at = (hour: number, minute = 0): number => START + ((hour - 4) * 60 + minute) * MINUTE
const minutes = (hour: number, minute = 0): number => (hour - 4) * 60 + minute

function place(id: number, type: string, open: number[][], position?: [number, number]) {
  const [name, url] = [`Place ${id}`, `/${type}/place-${id}/`]
  return { id, name, share_url: url, type, kind: 'Bar', position: position ?? null, open }
}

const PLACES = [
  place(1, 'bars', [[minutes(17), minutes(26)]], [43.65, -79.38]),
  place(2, 'restaurants', [
    [minutes(11), minutes(14)],
    [minutes(18), minutes(22)],
  ]),
  place(3, 'bars', [[0, 1440]], [43.66, -79.4]),
  place(4, 'cafes', [[minutes(7), minutes(16)]]),
]

function event(id: number, starts: number, ends: number | null, isAllDay = false) {
  const text = (time: number | null) => (time === null ? null : new Date(time).toISOString())
  return {
    id,
    name: `Event ${id}`,
    starts_at: text(starts),
    ends_at: text(ends),
    is_all_day: isAllDay,
  }
}

const TONIGHT = {
  day: '2026-11-30',
  starts_at: new Date(START).toISOString(),
  ends_at: new Date(at(28)).toISOString(),
  sunset: '2026-11-30T21:43:00.000Z',
  late_kitchens: 11,
  events: [
    event(1, at(12), at(13)),
    event(2, at(19), at(21)),
    event(3, at(20), null),
    event(4, at(0), at(28), true),
  ] as TonightEvent[],
  places: PLACES,
  types: [],
  server_time: '',
} as unknown as Tonight

const eveningAt = (now: number, chosen?: string) => eveningOf(TONIGHT, ZONE, now, chosen)

function shown(
  now: number,
  {
    chosen,
    type,
    order = 'picks',
    here,
  }: {
    chosen?: string
    type?: string
    order?: Order
    here?: [number, number]
  } = {},
): string[] {
  const evening = eveningAt(now, chosen)
  return placesOf(evening, type, order, here).map((one) =>
    `${one.place.id} ${one.state}: ${hoursInWords(evening, one)}`.replaceAll('\u00a0', ' '),
  )
}

it('lists open places, marks those that close within an hour and crosses out those that have just closed', () => {
  expect(shown(at(15, 30))).toEqual(['3 open: All night', '4 last: Closes at 4:00 p.m.'])
  expect(shown(at(20))).toEqual([
    '1 open: Until 2:00 a.m.',
    '2 open: Until 10:00 p.m.',
    '3 open: All night',
  ])
  expect(shown(at(21))).toContain('2 last: Closes at 10:00 p.m.')
  expect(shown(at(22))).toContain('2 closed: Closed at 10:00 p.m.')
  expect(shown(at(22, 14))).toContain('2 closed: Closed at 10:00 p.m.')
  expect(shown(at(22, 15))).toEqual(['1 open: Until 2:00 a.m.', '3 open: All night'])
})

it('shows a later hour without places that have closed by then', () => {
  expect(shown(at(20), { chosen: '22:00' })).toEqual([
    '1 open: Until 2:00 a.m.',
    '3 open: All night',
  ])
  // An hour that has passed, or none at all, is now.
  for (const chosen of ['19:00', '22:30', 'soon']) expect(eveningAt(at(20), chosen).at).toBe(at(20))
  expect(eveningAt(at(15)).hours).toHaveLength(11)
  expect(eveningAt(at(26, 30)).hours).toEqual([at(27)])
})

it('selects a type, and sorts by closing time or by distance', () => {
  expect(shown(at(20), { type: 'restaurants' })).toEqual(['2 open: Until 10:00 p.m.'])
  const order = (order: Order, here?: [number, number]) =>
    shown(at(20), { order, ...(here && { here }) }).map((row) => row[0])
  expect(order('latest')).toEqual(['3', '1', '2'])
  expect(order('nearest', [43.661, -79.4])).toEqual(['3', '1', '2'])
  expect(order('nearest', [43.651, -79.38])).toEqual(['1', '3', '2'])
})

it('leaves out events that are over', () => {
  const ids = (time: number) => eventsOf(eveningAt(time)).map(({ id }) => id)
  expect(ids(at(12, 30))).toEqual([1, 2, 3, 4])
  expect(ids(at(20, 59))).toEqual([2, 3, 4])
  // Without an end, an event takes three hours.
  expect(ids(at(22, 59))).toEqual([3, 4])
  expect(ids(at(23))).toEqual([4])
})

it('announces the next event, and states the facts of the day', () => {
  const next = (time: number) => nextEvent(TONIGHT, ZONE, time)?.replaceAll('\u00a0', ' ')
  expect(next(at(14))).toBeUndefined()
  expect(next(at(15))).toBe('Event 2 at 7:00 p.m.')
  expect(next(at(18, 20))).toBe('Event 2 in 40 minutes')
  expect(next(at(18, 59))).toBe('Event 2 in 1 minute')
  expect(next(at(19))).toBe('Event 3 in 60 minutes')
  const facts = (changes: Partial<Tonight>) =>
    factsOf({ ...TONIGHT, ...changes }, ZONE)
      .join(', ')
      .replaceAll('\u00a0', ' ')
  expect(facts({})).toBe('Sunset 4:43 p.m., 11 kitchens open past midnight')
  expect(facts({ sunset: null, late_kitchens: 1 })).toBe('1 kitchen open past midnight')
  expect(facts({ sunset: null, late_kitchens: 0 })).toBe('')
})

it('writes addresses as the gateway does', () => {
  expect(tonightAddress({ at: undefined, type: undefined })).toBe('/tonight/')
  expect(tonightAddress({ type: 'bars', at: '23:00' })).toBe('/tonight/?at=23%3A00&type=bars')
})
