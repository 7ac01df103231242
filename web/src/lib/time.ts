import { LANGUAGE } from './words'

/** The clock, injected so that tests of rules about days take milliseconds. */
export interface Clock {
  now(): number
  sleep(milliseconds: number): Promise<void>
}

export const systemClock: Clock = {
  now: () => Date.now(),
  sleep: (milliseconds) => new Promise((resolve) => setTimeout(resolve, milliseconds)),
}

/** Milliseconds since the epoch of an RFC 3339 instant; NaN if it is missing or invalid. */
export function parseInstant(text: string | null | undefined): number {
  return text ? Date.parse(text) : Number.NaN
}

/** A month such as October 2026; `month` from 1. */
export function formatMonth(year: number, month: number): string {
  const options = { year: 'numeric', month: 'long', timeZone: 'UTC' } as const
  return new Intl.DateTimeFormat(LANGUAGE, options).format(Date.UTC(year, month - 1, 1))
}

/** A calendar date such as 2026-05-03, independent of time zones. */
export function formatDate(date: string): string {
  const parsed = new Date(`${date.slice(0, 10)}T00:00:00Z`)
  if (Number.isNaN(parsed.getTime())) return ''
  return new Intl.DateTimeFormat(LANGUAGE, { dateStyle: 'long', timeZone: 'UTC' }).format(parsed)
}

/** The day of an instant in a zone, such as "Nov 20"; with the year if it is not the year of `now`. */
export function formatDay(at: number, now: number, zone: string): string {
  const day = (options: Intl.DateTimeFormatOptions) =>
    new Intl.DateTimeFormat(LANGUAGE, { ...options, timeZone: zone })
  const year = day({ year: 'numeric' })
  const isThisYear = year.format(at) === year.format(now)
  return day(isThisYear ? { month: 'short', day: 'numeric' } : { dateStyle: 'medium' }).format(at)
}

/** An instant in a zone, such as "November 20, 2026 at 1:00 p.m."; empty for NaN. */
export function formatMoment(at: number, zone: string): string {
  if (Number.isNaN(at)) return ''
  const options = { dateStyle: 'long', timeStyle: 'short', timeZone: zone } as const
  return new Intl.DateTimeFormat(LANGUAGE, options).format(at)
}

/** A time of day in a zone: "4:43 p.m.", "noon", "midnight"; as `words/opening_hours.rs` of the gateway writes it. */
export function clockWords(at: number, zone: string): string {
  const value = clockValue(at, zone)
  if (value === '00:00') return 'midnight'
  if (value === '12:00') return 'noon'
  const options = { hour: 'numeric', minute: '2-digit', timeZone: zone } as const
  return new Intl.DateTimeFormat(LANGUAGE, options).format(at).replace(/\s/g, '\u00a0')
}

/** A time of day in a zone, for addresses: "16:43". */
export function clockValue(at: number, zone: string): string {
  const options = { hour: '2-digit', minute: '2-digit', hourCycle: 'h23', timeZone: zone } as const
  return new Intl.DateTimeFormat(LANGUAGE, options).format(at)
}
