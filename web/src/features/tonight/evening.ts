import type { OpenPlace, Tonight, TonightEvent } from '#/api/types'
import { clockValue, clockWords, parseInstant } from '#/lib/time'
import { addressOf } from '#/lib/api-queries'
import { metresBetween, type Position } from './distance'

// The gateway applies the same rules to the page without scripts (gateway/src/pages/kinds/tonight.rs).

const MINUTE = 60_000
const HOUR = 60 * MINUTE
/** The first hour to choose, in hours after the start of the day at 4 a.m.: 5 p.m. */
const FIRST_CHOICE = 13
/** A place that closes within this number of minutes is marked. */
const LAST_ORDERS = 60
/** How long a place that has closed is still shown, crossed out, in minutes. */
const CROSSED_OUT = 15
/** How long before its start an event is announced. */
const SOON = 4 * HOUR
/** The assumed length of an event without an end. */
const USUAL_LENGTH = 3 * HOUR

export const ORDERS = [
  { value: 'picks', label: 'Our picks first' },
  { value: 'latest', label: 'Open latest' },
  { value: 'nearest', label: 'Nearest' },
] as const
export type Order = (typeof ORDERS)[number]['value']

/** The day's file at a time. */
export interface Evening {
  tonight: Tonight
  zone: string
  startsAt: number
  endsAt: number
  /** The time that the page shows: the reader's choice, otherwise now. */
  at: number
  /** The hours to choose from. */
  hours: readonly number[]
  /** Whether `at` is one of the hours. */
  isChosen: boolean
}

/** A place that is open or has just closed. */
export interface ShownPlace {
  place: OpenPlace
  state: 'open' | 'last' | 'closed'
  /** The end of the period. */
  until: number
  /** The distance from the reader. */
  metres: number | undefined
}

export function eveningOf(
  tonight: Tonight,
  zone: string,
  now: number,
  chosen: string | undefined,
): Evening {
  const startsAt = parseInstant(tonight.starts_at)
  const endsAt = parseInstant(tonight.ends_at)
  const hours: number[] = []
  for (let hour = startsAt + FIRST_CHOICE * HOUR; hour < endsAt; hour += HOUR) {
    if (hour > now) hours.push(hour)
  }
  const at = hours.find((hour) => clockValue(hour, zone) === chosen)
  return { tonight, zone, startsAt, endsAt, at: at ?? now, hours, isChosen: at !== undefined }
}

/** The events that are not over, in the order of the file. */
export function eventsOf({ tonight, at }: Evening): TonightEvent[] {
  return tonight.events.filter(({ starts_at: from, ends_at: to }) => {
    const starts = parseInstant(from)
    const ends = to === from ? Number.NaN : parseInstant(to)
    return !((Number.isNaN(ends) ? starts + USUAL_LENGTH : ends) <= at)
  })
}

/** The places of a type that are open or have just closed. */
export function placesOf(
  { tonight, startsAt, endsAt, at, isChosen }: Evening,
  type: string | undefined,
  order: Order,
  here: Position | undefined,
): ShownPlace[] {
  const shown: ShownPlace[] = []
  const minute = Math.floor((at - startsAt) / MINUTE)
  for (const place of tonight.places) {
    if (type && place.type !== type) continue
    const period = place.open.find(
      ([start = 0, end = 0]) => start <= minute && minute < end + (isChosen ? 0 : CROSSED_OUT),
    )
    if (!period) continue
    const end = period[1] ?? 0
    const until = startsAt + end * MINUTE
    const isLast = until < endsAt && end - minute <= LAST_ORDERS
    const state = minute >= end ? 'closed' : isLast ? 'last' : 'open'
    const metres = here && place.position ? metresBetween(here, place.position) : undefined
    shown.push({ place, state, until, metres })
  }
  if (order === 'latest') shown.sort((one, other) => other.until - one.until)
  if (order === 'nearest') shown.sort((one, other) => far(one) - far(other))
  return shown
}

/** Places without a position are last. */
function far({ metres }: ShownPlace): number {
  return metres ?? Number.MAX_VALUE
}

/** "Until 2:00 a.m." */
export function hoursInWords({ zone, endsAt }: Evening, { state, until }: ShownPlace): string {
  if (until >= endsAt) return 'All night'
  const words = clockWords(until, zone)
  return { open: 'Until', last: 'Closes at', closed: 'Closed at' }[state] + ` ${words}`
}

/** "Sunset 4:43 p.m. · 11 kitchens open past midnight" */
export function factsOf(tonight: Tonight, zone: string): string[] {
  const sunset = parseInstant(tonight.sunset)
  const late = tonight.late_kitchens
  return [
    Number.isNaN(sunset) ? '' : `Sunset ${clockWords(sunset, zone)}`,
    late === 0 ? '' : `${late === 1 ? '1 kitchen' : `${late} kitchens`} open past midnight`,
  ].filter(Boolean)
}

/** The next event of the coming hours: "Lantern Walk in 40 minutes". */
export function nextEvent(tonight: Tonight, zone: string, now: number): string | undefined {
  const next = tonight.events.find((event) => {
    const wait = parseInstant(event.starts_at) - now
    return !event.is_all_day && wait > 0 && wait <= SOON
  })
  if (!next) return undefined
  const starts = parseInstant(next.starts_at)
  const minutes = Math.ceil((starts - now) / MINUTE)
  if (minutes > 60) return `${next.name} at ${clockWords(starts, zone)}`
  return `${next.name} in ${minutes === 1 ? '1 minute' : `${minutes} minutes`}`
}

/** The address of the page with its choices, in the order in which the gateway writes them. */
export function tonightAddress(choice: {
  at?: string | undefined
  type?: string | undefined
  order?: string | undefined
}): string {
  return addressOf('/tonight/', choice)
}
