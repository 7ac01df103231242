import type { Event } from '#/api/types'
import { LANGUAGE } from '#/lib/words'
import { parseInstant } from '#/lib/time'
import { DAY, dayIn } from '#/lib/zone'

/** The name of a zone if the reader's clock shows another time; otherwise empty. */
export function zoneNote(startsAt: string | null | undefined, zone: string): string {
  const at = parseInstant(startsAt)
  if (Number.isNaN(at)) return ''
  const shown = (timeZone?: string): string =>
    new Intl.DateTimeFormat(LANGUAGE, {
      dateStyle: 'short',
      timeStyle: 'short',
      ...(timeZone ? { timeZone } : {}),
    }).format(at)
  if (shown() === shown(zone)) return ''
  const parts = new Intl.DateTimeFormat(LANGUAGE, {
    timeZone: zone,
    timeZoneName: 'short',
  }).formatToParts(at)
  return parts.find((part) => part.type === 'timeZoneName')?.value ?? ''
}

/** Whether an event's last occurrence has ended. Without an end, it lasts a day. */
export function isOver(event: Pick<Event, 'starts_at' | 'ends_at'>, now: number): boolean {
  const ends = event.ends_at ? parseInstant(event.ends_at) : parseInstant(event.starts_at) + DAY
  return ends <= now
}

/** A day of the zone in the format of the API's filters, `ahead` days from now. */
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

/** The API's filters for a period in days of the site's zone; `to` is exclusive. */
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
