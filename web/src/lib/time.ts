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

/** The day of an instant in the city's zone, in the reader's language; empty for garbage. */
export function formatDay(
  text: string | null | undefined,
  zone: string,
  dateStyle: 'long' | 'medium' = 'long',
): string {
  const at = instant(text)
  if (Number.isNaN(at)) return ''
  return new Intl.DateTimeFormat(undefined, { dateStyle, timeZone: zone }).format(at)
}

/** A month such as October 2026, or October alone, in the reader's language; `month` from 1. */
export function formatMonth(year: number, month: number, isYearKnown = false): string {
  const first = Date.UTC(year, month - 1, 1)
  const options = isYearKnown ? {} : ({ year: 'numeric' } as const)
  return new Intl.DateTimeFormat(undefined, { ...options, month: 'long', timeZone: 'UTC' }).format(
    first,
  )
}

/** A calendar date such as 2026-05-03, in the reader's language, without shifting it by a zone. */
export function formatDate(date: string): string {
  const parsed = new Date(`${date.slice(0, 10)}T00:00:00Z`)
  if (Number.isNaN(parsed.getTime())) return ''
  return new Intl.DateTimeFormat(undefined, { dateStyle: 'long', timeZone: 'UTC' }).format(parsed)
}
