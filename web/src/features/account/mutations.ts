import { useMutation } from '@tanstack/react-query'
import type { ErasureBody, PasswordChange, Profile, ProfileChange } from '#/api/types'
import { queryClient, session } from '#/features/session/current'
import { sessionKeys } from '#/features/session/keys'
import { meOptions } from '#/features/session/queries'
import { api, dataOf, isStatus } from '#/lib/http'
import { fileName, saveFile } from '#/lib/save-file'
import { loadPage } from '#/lib/site-path'
import { accountKeys } from './keys'
import { calendarFeedOptions, sessionsOptions } from './queries'

function keepProfile(profile: Profile): void {
  queryClient.setQueryData(meOptions().queryKey, profile)
}

/** A refusal for want of a session means that it has ended elsewhere. */
function recheckIfSignedOut(error: Error): void {
  if (isStatus(error, 401)) void session.recheck()
}

/** Sets a new password by the token of a mailed link. */
export function useConfirmReset(token: string) {
  return useMutation(
    {
      mutationFn: (password: string) =>
        dataOf(
          api.POST('/api/v2/profiles/reset-password/confirm/', {
            body: { token, new_password: password },
          }),
        ),
      // All sessions of the account have ended. Whether this browser's is one of them, the server knows:
      // the link may have been another reader's.
      onSuccess: () => void session.recheck(),
    },
    queryClient,
  )
}

/** Confirms an email address by the token of a mailed link. */
export function useConfirmEmail(token: string) {
  return useMutation(
    {
      mutationFn: () => dataOf(api.POST('/api/v2/profiles/confirm-email/', { body: { token } })),
      onSuccess: () => void queryClient.invalidateQueries({ queryKey: sessionKeys.me() }),
    },
    queryClient,
  )
}

export function useChangeProfile() {
  return useMutation(
    {
      mutationFn: (body: ProfileChange) => dataOf(api.PATCH('/api/v2/profiles/me/', { body })),
      onSuccess: keepProfile,
      onError: recheckIfSignedOut,
    },
    queryClient,
  )
}

/** Sends the link again that confirms the new address, or the only one. */
export function useSendConfirmation() {
  return useMutation(
    {
      mutationFn: () =>
        api.POST('/api/v2/profiles/me/email-confirmation/', {
          headers: { 'Content-Type': 'application/json' },
        }),
      onError: recheckIfSignedOut,
    },
    queryClient,
  )
}

export function useChangePassword() {
  return useMutation(
    {
      mutationFn: (body: PasswordChange) =>
        dataOf(api.POST('/api/v2/profiles/me/password/', { body })),
      onSuccess: (profile) => {
        keepProfile(profile)
        // The other sessions have ended.
        void queryClient.invalidateQueries({ queryKey: accountKeys.sessions() })
      },
      onError: recheckIfSignedOut,
    },
    queryClient,
  )
}

/** A session that is gone already has ended too. */
async function endSession(id: number): Promise<void> {
  try {
    await api.DELETE('/api/v2/profiles/me/sessions/{id}/', { params: { path: { id } } })
  } catch (error) {
    if (!isStatus(error, 404)) throw error
  }
}

/** Ends a session on another device; the reader's own ends with a log-out. */
export function useEndSession(id: number, onEnded: () => void) {
  return useMutation(
    {
      mutationFn: () => endSession(id),
      onSuccess: () => {
        queryClient.setQueryData(sessionsOptions().queryKey, (page) => {
          const results = page?.results.filter((one) => one.id !== id)
          return page && results && { ...page, results, count: results.length }
        })
        onEnded()
      },
      onError: recheckIfSignedOut,
    },
    queryClient,
  )
}

/** Makes the calendar feed, or gives it another address. */
export function useMakeFeed() {
  return useMutation(
    {
      mutationFn: () =>
        dataOf(
          api.POST('/api/v2/profiles/me/calendar-feed/', {
            headers: { 'Content-Type': 'application/json' },
          }),
        ),
      onSuccess: (feed) => {
        queryClient.setQueryData(calendarFeedOptions().queryKey, feed)
      },
      onError: recheckIfSignedOut,
    },
    queryClient,
  )
}

/** Switches the calendar feed off. */
export function useEndFeed() {
  return useMutation(
    {
      mutationFn: () => api.DELETE('/api/v2/profiles/me/calendar-feed/'),
      onSuccess: () => {
        const off = { url: null, date_created: null }
        queryClient.setQueryData(calendarFeedOptions().queryKey, off)
      },
      onError: recheckIfSignedOut,
    },
    queryClient,
  )
}

/** Fetches all that is stored of the reader, and has the browser save it. */
export function useExport() {
  return useMutation(
    {
      mutationFn: async () => {
        const answer = api.GET('/api/v2/profiles/me/export/', { parseAs: 'blob' })
        const { data, response } = await answer
        if (data) saveFile(fileName(response, 'your-data.zip'), data)
      },
      onError: recheckIfSignedOut,
    },
    queryClient,
  )
}

/** Deletes the account. Every tab is signed out, and this one says what happens now. */
export function useEraseAccount() {
  return useMutation(
    {
      mutationFn: (body: ErasureBody) => api.DELETE('/api/v2/profiles/me/', { body }),
      onSuccess: () => {
        session.end()
        loadPage('/profiles/logout?erased=1')
      },
      onError: recheckIfSignedOut,
    },
    queryClient,
  )
}
