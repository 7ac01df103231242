import { useMutation } from '@tanstack/react-query'
import type { AvatarState, ErasureBody, PasswordChange, Profile, ProfileChange } from '#/api/types'
import { problemOf } from '#/features/photos/picture-files'
import { makePasskey, signWithPasskey } from '#/features/auth/passkeys'
import { logInAgain, queryClient, session } from '#/features/session/current'
import { sessionKeys } from '#/features/session/keys'
import { meOptions } from '#/features/session/queries'
import { api, dataOf, unlessGone } from '#/lib/http'
import { ReadableError } from '#/lib/readable-error'
import { fileName, saveFile } from '#/lib/save-file'
import { sendForm } from '#/lib/send-form'
import { loadPage } from '#/lib/site-path'
import { accountKeys } from './keys'
import { calendarFeedOptions, facebookOptions, passkeysOptions, sessionsOptions } from './queries'

/** The profile is asked again after this time for a picture that was not made at once, in milliseconds. */
const PROCESSING = 10_000

function keepProfile(profile: Profile): void {
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
        keepAvatar(avatar_url)
        if (is_processing) {
          // Under load it takes a while.
          const again = (): void =>
            void queryClient.invalidateQueries({ queryKey: sessionKeys.me() })
          setTimeout(again, PROCESSING)
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
      onSuccess: () => keepAvatar(null),
      onError: logInAgain,
    },
    queryClient,
  )
}

function keepAvatar(avatar_url: string | null): void {
  queryClient.setQueryData(meOptions().queryKey, (me) => me && { ...me, avatar_url })
}

/** Sends the link again that confirms the new address, or the only one. */
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
        keepProfile(profile)
        // The other sessions have ended.
        void queryClient.invalidateQueries({ queryKey: accountKeys.sessions() })
      },
      onError: logInAgain,
    },
    queryClient,
  )
}

/** A change of a list that is a page by itself: takes one from it. */
function without<Page extends { results: { id: number }[]; count: number }>(id: number) {
  return (page: Page | undefined): Page | undefined => {
    const results = page?.results.filter((one) => one.id !== id)
    return page && results && { ...page, results, count: results.length }
  }
}

function endSession(id: number) {
  return api.DELETE('/api/v2/profiles/me/sessions/{id}/', { params: { path: { id } } })
}

/** Ends a session on another device; the reader's own ends with a log-out. */
export function useEndSession(id: number, onEnded: () => void) {
  return useMutation(
    {
      mutationFn: () => unlessGone(() => endSession(id)),
      onSuccess: () => {
        queryClient.setQueryData(sessionsOptions().queryKey, without(id))
        onEnded()
      },
      onError: logInAgain,
    },
    queryClient,
  )
}

/** Makes a passkey on this device, for the reader's account. */
export function useAddPasskey() {
  return useMutation(
    {
      mutationFn: async () => {
        const made = await makePasskey()
        const body = { for: 'registration' as const, ...made }
        return dataOf(api.POST('/api/v2/profiles/passkeys/', { body }))
      },
      onSuccess: () => queryClient.invalidateQueries({ queryKey: accountKeys.passkeys() }),
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
        queryClient.setQueryData(passkeysOptions().queryKey, without(id))
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

/** Ends the connection of the reader's account with Facebook. */
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
      onError: logInAgain,
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
      onError: logInAgain,
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
      onError: logInAgain,
    },
    queryClient,
  )
}

/** Deletes the account of a reader who proves it by a passkey. */
export function useEraseByPasskey() {
  return useErasure(async () => ({
    current_password: '',
    passkey: await signWithPasskey('dialog'),
  }))
}

/** Deletes the account of a reader who knows its password. */
export function useEraseAccount() {
  return useErasure((body: ErasureBody) => Promise.resolve(body))
}

/** Deletes the account. Every tab is signed out, and this one says what happens now. */
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
