import { queryClient } from '#/features/session/current'
import { meOptions } from '#/features/session/queries'
import { siteOptions } from '#/features/site/site'
import { ApiError, isStatus } from '#/lib/http'
import { debug } from '#/lib/log'
import { leaveFor } from './authorization'
import { askForCalendar, type Answer } from './question'

/** The status that the server answers with if the reader's calendar must be authorised first. */
const AUTHORIZATION_REQUIRED = 101

/**
 * Whether an event is saved with the reader's calendar; undefined if it is not to be saved. Fails if the session has
 * ended.
 */
export async function calendarChoice(): Promise<Answer> {
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

/** Leads the reader to the page that authorises the calendar, if that is why the server did not save. */
export function authoriseCalendar(error: unknown): void {
  if (!(error instanceof ApiError) || error.body.status !== AUTHORIZATION_REQUIRED) return
  leaveFor().catch((reason: unknown) => debug('The calendar could not be authorised', reason))
}
