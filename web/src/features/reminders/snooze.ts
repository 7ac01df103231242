/**
 * Whether a reminder that was closed on a day is still hidden: until the same day of the next
 * month, or that month's last day, inclusive. Both days are like 2026-01-31.
 */
export function isSnoozed(closedOn: string | null, today: string): boolean {
  const closed = /^(\d{4})-(\d{2})-(\d{2})$/.exec(closedOn ?? '')
  if (!closed || (closedOn ?? '') > today) return false
  const [year, month, day] = closed.slice(1).map(Number) as [number, number, number]
  // Day 0 is the last day of the previous month; months count from 0.
  const lastDay = new Date(Date.UTC(year, month + 1, 0)).getUTCDate()
  const until = new Date(Date.UTC(year, month, Math.min(day, lastDay)))
  return today <= until.toISOString().slice(0, 10)
}
