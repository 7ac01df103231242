import { queryOptions } from '@tanstack/react-query'
import { api, dataOf } from '#/lib/http'
import { accountKeys } from './keys'

/** The reader's sessions on all devices; the server lists the last active first, and all at once. */
export function sessionsOptions() {
  return queryOptions({
    queryKey: accountKeys.sessions(),
    queryFn: ({ signal }) => dataOf(api.GET('/api/v2/profiles/me/sessions/', { signal })),
    // Another device may have signed in.
    staleTime: 0,
  })
}

/** The reader's passkeys; the server lists the latest first, and all at once. */
export function passkeysOptions() {
  return queryOptions({
    queryKey: accountKeys.passkeys(),
    queryFn: ({ signal }) => dataOf(api.GET('/api/v2/profiles/me/passkeys/', { signal })),
    // Another device may have made one.
    staleTime: 0,
  })
}

/** The reader's saved events as a feed for calendars. */
export function calendarFeedOptions() {
  return queryOptions({
    queryKey: accountKeys.calendarFeed(),
    queryFn: ({ signal }) => dataOf(api.GET('/api/v2/profiles/me/calendar-feed/', { signal })),
    // Another device may have made a new address.
    staleTime: 0,
  })
}

/** The receipt of an erasure, by the token of its link. It never changes. */
export function receiptOptions(token: string) {
  return queryOptions({
    queryKey: accountKeys.receipt(token),
    queryFn: ({ signal }) =>
      dataOf(api.GET('/api/v2/receipts/{token}/', { params: { path: { token } }, signal })),
    staleTime: Infinity,
  })
}
