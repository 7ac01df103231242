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

/** The connection of the reader's account with Facebook. */
export function facebookOptions() {
  return queryOptions({
    queryKey: accountKeys.facebook(),
    queryFn: ({ signal }) => dataOf(api.GET('/api/v2/profiles/me/facebook/', { signal })),
    // Another device may have connected it.
    staleTime: 0,
  })
}

/** What was done about a request of Facebook's, by its code. It never changes. */
export function facebookDeletionOptions(code: string) {
  return queryOptions({
    queryKey: accountKeys.facebookDeletion(code),
    queryFn: ({ signal }) =>
      dataOf(
        api.GET('/api/v2/profiles/facebook/deletion/{code}/', {
          params: { path: { code } },
          signal,
        }),
      ),
    staleTime: Infinity,
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
