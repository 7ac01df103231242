import { personalQuery } from '#/lib/api-queries'

/** The connection to the reader's own calendar. */
export function calendarOptions() {
  return personalQuery('/api/v2/profiles/me/calendar/')
}
