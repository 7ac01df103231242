import { useMutation } from '@tanstack/react-query'
import type {
  AccessChoice,
  AvatarState,
  ErasureBody,
  PasswordChange,
  Profile,
  ProfileChange,
} from '#/api/types'
import { problemOf } from '#/features/photos/picture-files'
import { createPasskey, requestPasskey } from '#/features/auth/passkeys'
import { logInAgain, queryClient, session } from '#/features/session/current'
import { meOptions } from '#/features/session/queries'
import { api } from '#/lib/api'
import { dataOf, unlessGone } from '#/lib/http'
import { ReadableError } from '#/lib/readable-error'
import { fileName, saveFile } from '#/lib/save-file'
import { sendForm } from '#/lib/send-form'
import { loadPage } from '#/lib/site-path'
import { calendarFeedOptions, facebookOptions, passkeysOptions, sessionsOptions } from './queries'

/** The profile is refetched after this time if a picture is still being processed, in milliseconds. */
const PROCESSING_TIME = 10_000

function cacheProfile(profile: Profile): void {
  queryClient.setQueryData(meOptions().queryKey, profile)
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
      // All sessions of the account have ended. Only the server knows whether this browser's is one
      // of them: the link may have been another reader's.
      onSuccess: () => void session.recheck(),
    },
    queryClient,
  )
}

/**
 * Confirms an email address by the token of a mailed link. Without a choice about the sign-in methods of the account, the
 * server confirms only if the reader is signed in to it.
 */
export function useConfirmEmail(token: string) {
  return useMutation(
    {
      mutationFn: (access: AccessChoice | null) =>
        dataOf(api.POST('/api/v2/profiles/confirm-email/', { body: { token, access } })),
      onSuccess: () => void queryClient.invalidateQueries({ queryKey: meOptions().queryKey }),
    },
    queryClient,
  )
}

export function useChangeProfile() {
  return useMutation(
    {
      mutationFn: (body: ProfileChange) => dataOf(api.PATCH('/api/v2/profiles/me/', { body })),
      onSuccess: cacheProfile,
      onError: logInAgain,
    },
    queryClient,
  )
}

/** Sets the reader's own picture. */
export function useSetAvatar() {
  return useMutation(
    {
      mutationFn: async (file: File) => {
        const problem = problemOf(file)
        if (problem !== null) throw new ReadableError(problem)
        const form = new FormData()
        form.append('image', file, file.name)
        return sendForm<AvatarState>('/api/v2/profiles/me/avatar/', form)
      },
      onSuccess: ({ avatar_url, is_processing }) => {
        cacheAvatar(avatar_url)
        if (is_processing) {
          // Processing takes longer under load.
          const again = (): void =>
            void queryClient.invalidateQueries({ queryKey: meOptions().queryKey })
          setTimeout(again, PROCESSING_TIME)
        }
      },
      onError: logInAgain,
    },
    queryClient,
  )
}

/** Removes the reader's own picture. */
export function useRemoveAvatar() {
  return useMutation(
    {
      mutationFn: () => api.DELETE('/api/v2/profiles/me/avatar/'),
      onSuccess: () => cacheAvatar(null),
      onError: logInAgain,
    },
    queryClient,
  )
}

function cacheAvatar(avatar_url: string | null): void {
  queryClient.setQueryData(meOptions().queryKey, (me) => me && { ...me, avatar_url })
}

/** Sends the confirmation link again: to the pending address or, without one, to the account's address. */
export function useSendConfirmation() {
  return useMutation(
    {
      mutationFn: () =>
        api.POST('/api/v2/profiles/me/email-confirmation/', {
          headers: { 'Content-Type': 'application/json' },
        }),
      onError: logInAgain,
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
        cacheProfile(profile)
        // The other sessions have ended.
        void queryClient.invalidateQueries({ queryKey: sessionsOptions().queryKey })
      },
      onError: logInAgain,
    },
    queryClient,
  )
}

/** Returns an update that removes an item from a single-page list. */
function withoutId<Page extends { results: { id: number }[]; count: number }>(id: number) {
  return (page: Page | undefined): Page | undefined => {
    const results = page?.results.filter((one) => one.id !== id)
    return page && results && { ...page, results, count: results.length }
  }
}

function endSession(id: number) {
  return api.DELETE('/api/v2/profiles/me/sessions/{id}/', { params: { path: { id } } })
}

/** Ends a session on another device. For the browser's own session, use the log-out. */
export function useEndSession(id: number, onEnded: () => void) {
  return useMutation(
    {
      mutationFn: () => unlessGone(() => endSession(id)),
      onSuccess: () => {
        queryClient.setQueryData(sessionsOptions().queryKey, withoutId(id))
        onEnded()
      },
      onError: logInAgain,
    },
    queryClient,
  )
}

/** Creates a passkey on this device for the reader's account. */
export function useAddPasskey() {
  return useMutation(
    {
      mutationFn: async () => {
        const made = await createPasskey()
        const body = { for: 'registration' as const, ...made }
        return dataOf(api.POST('/api/v2/profiles/passkeys/', { body }))
      },
      onSuccess: () => queryClient.invalidateQueries({ queryKey: passkeysOptions().queryKey }),
      onError: logInAgain,
    },
    queryClient,
  )
}

/** Removes a passkey. */
export function useRemovePasskey(id: number, onRemoved: () => void) {
  return useMutation(
    {
      mutationFn: () => unlessGone(() => removePasskey(id)),
      onSuccess: () => {
        queryClient.setQueryData(passkeysOptions().queryKey, withoutId(id))
        onRemoved()
      },
      onError: logInAgain,
    },
    queryClient,
  )
}

function removePasskey(id: number) {
  return api.DELETE('/api/v2/profiles/me/passkeys/{id}/', { params: { path: { id } } })
}

/** Disconnects the reader's account from Facebook. */
export function useDisconnectFacebook() {
  return useMutation(
    {
      mutationFn: () => api.DELETE('/api/v2/profiles/me/facebook/'),
      onSuccess: () => {
        const none = { is_connected: false, date_connected: null }
        queryClient.setQueryData(facebookOptions().queryKey, none)
      },
      onError: logInAgain,
    },
    queryClient,
  )
}

/** Creates the calendar feed, or replaces its address. */
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
      onError: logInAgain,
    },
    queryClient,
  )
}

/** Turns the calendar feed off. */
export function useEndFeed() {
  return useMutation(
    {
      mutationFn: () => api.DELETE('/api/v2/profiles/me/calendar-feed/'),
      onSuccess: () => {
        const off = { url: null, date_created: null }
        queryClient.setQueryData(calendarFeedOptions().queryKey, off)
      },
      onError: logInAgain,
    },
    queryClient,
  )
}

/** Downloads all stored data of the reader. */
export function useExport() {
  return useMutation(
    {
      mutationFn: async () => {
        const answer = api.GET('/api/v2/profiles/me/export/', { parseAs: 'blob' })
        const { data, response } = await answer
        if (data) saveFile(fileName(response, 'your-data.zip'), data)
      },
      onError: logInAgain,
    },
    queryClient,
  )
}

/** Deletes the account after a confirmation by passkey. */
export function useEraseByPasskey() {
  return useErasure(async () => ({
    current_password: '',
    passkey: await requestPasskey('dialog'),
  }))
}

/** Deletes the account after a confirmation by password. */
export function useEraseAccount() {
  return useErasure((body: ErasureBody) => Promise.resolve(body))
}

/** Deletes the account. Every tab is signed out, and this one loads the page with the confirmation. */
function useErasure<Given>(proofOf: (given: Given) => Promise<ErasureBody>) {
  return useMutation(
    {
      mutationFn: async (given: Given) =>
        api.DELETE('/api/v2/profiles/me/', { body: await proofOf(given) }),
      onSuccess: () => {
        session.end()
        loadPage('/profiles/logout?erased=1')
      },
      onError: logInAgain,
    },
    queryClient,
  )
}
