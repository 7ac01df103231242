import { queryOptions } from '@tanstack/react-query'
import { personalQuery } from '#/lib/api-queries'
import { api } from '#/lib/api'
import { dataOf } from '#/lib/http'

/** The reader's sessions on all devices in one page, the last active first. */
export function sessionsOptions() {
  return personalQuery('/api/v2/profiles/me/sessions/')
}

/** The reader's passkeys in one page, the latest first. */
export function passkeysOptions() {
  return personalQuery('/api/v2/profiles/me/passkeys/')
}

/** The reader's saved events as a feed for calendars. */
export function calendarFeedOptions() {
  return personalQuery('/api/v2/profiles/me/calendar-feed/')
}

/** The connection of the reader's account with Facebook. */
export function facebookOptions() {
  return personalQuery('/api/v2/profiles/me/facebook/')
}

/** The outcome of a deletion that was requested at Facebook, by its code. */
export function facebookDeletionOptions(code: string) {
  const query = personalQuery('/api/v2/profiles/facebook/deletion/{code}/', { path: { code } })
  return { ...query, staleTime: Infinity }
}

/** Whether a mailed link can still set a new password. Checking does not use up the link. */
export function resetLinkOptions(token: string) {
  return queryOptions({
    queryKey: ['reset-link', token],
    queryFn: () => dataOf(api.POST('/api/v2/profiles/reset-password/check/', { body: { token } })),
    enabled: token !== '',
    // The link is dropped from memory with its page.
    gcTime: 0,
    staleTime: Infinity,
  })
}

/** The receipt of an erasure, by the token of its link. */
export function receiptOptions(token: string) {
  return { ...personalQuery('/api/v2/receipts/{token}/', { path: { token } }), staleTime: Infinity }
}
