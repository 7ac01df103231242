import { queryClient } from '#/features/session/current'
import { meOptions } from '#/features/session/queries'
import { siteOptions } from '#/features/site/site'
import { ApiError, isStatus } from '#/lib/http'
import { debug } from '#/lib/log'
import { leaveFor } from './authorization'
import { askForCalendar, type CalendarAnswer } from './question'

/** The server's status if the reader must first authorise the calendar. */
const AUTHORIZATION_REQUIRED = 101

/**
 * Whether to save an event to the reader's calendar too; undefined if it must not be saved at all.
 * Fails if the session has ended.
 */
export async function calendarChoice(): Promise<CalendarAnswer> {
  try {
    const site = await queryClient.query(siteOptions())
    if (!site.has_calendars) return false
    const me = await queryClient.query(meOptions())
    return me.calendar_sync ?? (await askForCalendar())
  } catch (error) {
    if (isStatus(error, 401)) throw error
    debug('The calendar choice could not be read', error)
    return undefined
  }
}

/** Opens the page that authorises the calendar, if the server refused the save for lack of it. */
export function authoriseCalendar(error: unknown): void {
  if (!(error instanceof ApiError) || error.body.status !== AUTHORIZATION_REQUIRED) return
  leaveFor().catch((reason: unknown) => debug('The calendar could not be authorised', reason))
}
