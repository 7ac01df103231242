import type { Occurrence } from '#/api/types'
import { instant } from '#/lib/time'
import { DAY, dayIn } from '#/lib/zone'

/** The zone that an event's times are meant in, and whether they are whole days. */
export interface Calendar {
  timezone: string
  is_all_day: boolean
}

/** An event that ends before this hour belongs to the evening before. */
const SMALL_HOURS = 6

interface Span {
  from: number
  /** The end, for all-day events too; equal to `from` if unknown. */
  until: number
}

function spanOf({ starts_at, ends_at }: Occurrence, calendar: Calendar): Span | undefined {
  const from = instant(starts_at)
  if (Number.isNaN(from)) return undefined
  const end = instant(ends_at)
  // Whole days end with the midnight that begins the next one.
  const until = calendar.is_all_day ? end - 1 : end
  return { from, until: until > from ? until : from }
}

/** Whether it ends on the day it begins, or in the night after. */
function isOneDay({ from, until }: Span, { timezone, is_all_day }: Calendar): boolean {
  if (dayIn(timezone, from) === dayIn(timezone, until)) return true
  if (is_all_day || until - from >= DAY / 2) return false
  const hour = { hour: 'numeric', hourCycle: 'h23', timeZone: timezone } as const
  return Number(new Intl.DateTimeFormat('en-CA', hour).format(until)) < SMALL_HOURS
}

export interface DateParts {
  weekday: string
  day: string
  month: string
}

/** The parts of the date block: the first day, in the event's zone and the reader's language. */
export function dateParts(occurrence: Occurrence, calendar: Calendar): DateParts | undefined {
  const span = spanOf(occurrence, calendar)
  if (!span) return undefined
  const part = (options: Intl.DateTimeFormatOptions): string =>
    new Intl.DateTimeFormat(undefined, { ...options, timeZone: calendar.timezone }).format(
      span.from,
    )
  return {
    weekday: part({ weekday: 'short' }),
    day: part({ day: 'numeric' }),
    month: part({ month: 'short' }),
  }
}

/** "Friday, November 20, 2026", or from when until when where it takes several days. */
export function days(occurrence: Occurrence, calendar: Calendar): string {
  const span = spanOf(occurrence, calendar)
  if (!span) return ''
  const { timezone: timeZone } = calendar
  if (isOneDay(span, calendar)) {
    return new Intl.DateTimeFormat(undefined, { dateStyle: 'full', timeZone }).format(span.from)
  }
  return new Intl.DateTimeFormat(undefined, { dateStyle: 'long', timeZone }).formatRange(
    span.from,
    span.until,
  )
}

/** "8:00 – 10:00 p.m.", with its zone where the reader's clock shows another time; or "All day". */
export function hours(occurrence: Occurrence, calendar: Calendar): string {
  const span = spanOf(occurrence, calendar)
  if (!span) return ''
  if (calendar.is_all_day) return 'All day'
  const { timezone: timeZone } = calendar
  const time = new Intl.DateTimeFormat(undefined, { timeStyle: 'short', timeZone })
  const start = time.format(span.from)
  if (span.until === span.from) return start + zoneNote(span.from, timeZone)
  const isSameDay = dayIn(timeZone, span.from) === dayIn(timeZone, span.until)
  const text = isSameDay
    ? time.formatRange(span.from, span.until)
    : `${start} – ${time.format(span.until)}`
  return text + zoneNote(span.from, timeZone)
}

/** The start, for a card; the zone is shown on the event's page only. */
export function startTime(occurrence: Occurrence, calendar: Calendar): string {
  const span = spanOf(occurrence, calendar)
  if (!span) return ''
  if (calendar.is_all_day) return 'All day'
  const { timezone: timeZone } = calendar
  return new Intl.DateTimeFormat(undefined, { timeStyle: 'short', timeZone }).format(span.from)
}

function zoneNote(at: number, zone: string): string {
  const shown = (timeZone?: string): string =>
    new Intl.DateTimeFormat('en-CA', {
      dateStyle: 'short',
      timeStyle: 'short',
      ...(timeZone ? { timeZone } : {}),
    }).format(at)
  if (shown() === shown(zone)) return ''
  const parts = new Intl.DateTimeFormat(undefined, {
    timeZone: zone,
    timeZoneName: 'short',
  }).formatToParts(at)
  const name = parts.find((part) => part.type === 'timeZoneName')?.value
  return name ? ` ${name}` : ''
}

const REPEATS: Record<string, string> = {
  DAILY: 'Every day',
  WEEKLY: 'Every week',
  MONTHLY: 'Every month',
  YEARLY: 'Every year',
}

/** The frequency (RFC 5545, RRULE) in a word or two; the listed dates say the rest. */
export function repeats(recurrence: string | null | undefined): string | undefined {
  if (!recurrence) return undefined
  const rule = new Map(
    recurrence.split(';').map((part) => {
      const [name = '', value = ''] = part.split('=')
      return [name.toUpperCase(), value.toUpperCase()] as const
    }),
  )
  const isPlain = (rule.get('INTERVAL') ?? '1') === '1' && !rule.get('BYDAY')?.includes(',')
  return (isPlain && REPEATS[rule.get('FREQ') ?? '']) || 'More than once'
}

/** A day of the zone as the API's filters take it, `ahead` days from now. */
function dayAhead(now: number, zone: string, ahead: number): string {
  const day = new Date(`${dayIn(zone, now)}T00:00:00Z`)
  return new Date(day.getTime() + ahead * DAY).toISOString().slice(0, 10)
}

export const WINDOWS = [
  { value: '', label: 'Any day' },
  { value: 'today', label: 'Today' },
  { value: 'weekend', label: 'This weekend' },
  { value: 'week', label: 'The next 7 days' },
] as const

/** The API's filters for a period: days in the site's zone, the last one excluded. */
export function windowOf(
  word: string | undefined,
  now: number,
  zone: string,
): { from?: string; to?: string } {
  const ahead = (count: number): string => dayAhead(now, zone, count)
  if (word === 'today') return { to: ahead(1) }
  if (word === 'week') return { to: ahead(7) }
  if (word !== 'weekend') return {}
  const weekday = new Date(`${ahead(0)}T00:00:00Z`).getUTCDay()
  if (weekday === 0) return { to: ahead(1) }
  if (weekday === 6) return { to: ahead(2) }
  return { from: ahead(6 - weekday), to: ahead(8 - weekday) }
}
