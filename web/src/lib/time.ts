/** What the time is. Injected so that rules about days can be tested in milliseconds. */
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

/** A calendar date such as 2026-05-03, in the reader's language, without shifting it by a zone. */
export function formatDate(date: string): string {
  const parsed = new Date(`${date.slice(0, 10)}T00:00:00Z`)
  if (Number.isNaN(parsed.getTime())) return ''
  return new Intl.DateTimeFormat(undefined, { dateStyle: 'long', timeZone: 'UTC' }).format(parsed)
}
