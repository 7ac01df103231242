/** The milliseconds of a day without a clock change. */
export const DAY = 86_400_000

/** The calendar day of an instant in a zone: 2026-11-20. */
export function dayIn(zone: string, at: number): string {
  return new Intl.DateTimeFormat('en-CA', { dateStyle: 'short', timeZone: zone }).format(at)
}

/** The number of midnights in a zone between two instants. */
export function daysBetween(zone: string, from: number, to: number): number {
  const midnight = (at: number): number => Date.parse(`${dayIn(zone, at)}T00:00:00Z`)
  return Math.round((midnight(to) - midnight(from)) / DAY)
}
