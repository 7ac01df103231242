import { formatDate } from '#/lib/time'
import { LANGUAGE } from '#/lib/words'
import { dayIn, daysBetween } from '#/lib/zone'

/** From this number of days on, the date is shown instead of the number of days. */
const MAX_DAYS = 30

/** The last activity of a session, in days of the city's zone. Both instants are the server's. */
export function lastActive(at: number, now: number, zone: string): string {
  if (Number.isNaN(at) || Number.isNaN(now)) return ''
  const days = daysBetween(zone, at, now)
  if (days > MAX_DAYS) return `Last active on ${formatDate(dayIn(zone, at))}`
  if (days > 1) return `Last active ${days} days ago`
  if (days === 1) return 'Last active yesterday'
  const time = new Intl.DateTimeFormat(LANGUAGE, { timeStyle: 'short', timeZone: zone }).format(at)
  return `Last active today at ${time}`
}
