import { LANGUAGE } from './words'

/** The clock, injected so that rules about days can be tested in milliseconds. */
export interface Clock {
  now(): number
  sleep(milliseconds: number): Promise<void>
}

export const systemClock: Clock = {
  now: () => Date.now(),
  sleep: (milliseconds) => new Promise((resolve) => setTimeout(resolve, milliseconds)),
}

/** Milliseconds since the epoch of a server's RFC 3339 instant; NaN for none or garbage. */
export function instant(text: string | null | undefined): number {
  return text ? Date.parse(text) : Number.NaN
}

/** A month such as October 2026; `month` from 1. */
export function formatMonth(year: number, month: number): string {
  const options = { year: 'numeric', month: 'long', timeZone: 'UTC' } as const
  return new Intl.DateTimeFormat(LANGUAGE, options).format(Date.UTC(year, month - 1, 1))
}

/** A calendar date such as 2026-05-03, without shifting it by a zone. */
export function formatDate(date: string): string {
  const parsed = new Date(`${date.slice(0, 10)}T00:00:00Z`)
  if (Number.isNaN(parsed.getTime())) return ''
  return new Intl.DateTimeFormat(LANGUAGE, { dateStyle: 'long', timeZone: 'UTC' }).format(parsed)
}

/** An instant in a zone, such as "November 20, 2026 at 1:00 p.m."; empty for none. */
export function formatMoment(at: number, zone: string): string {
  if (Number.isNaN(at)) return ''
  const options = { dateStyle: 'long', timeStyle: 'short', timeZone: zone } as const
  return new Intl.DateTimeFormat(LANGUAGE, options).format(at)
}
