import { useMutation, type UseMutationResult } from '@tanstack/react-query'
import type { GuestNewslettersBody, NewsletterSettings, Profile } from '#/api/types'
import { logInAgainFor, queryClient } from '#/features/session/current'
import { meOptions } from '#/features/session/queries'
import { api } from '#/lib/api'
import { dataOf } from '#/lib/http'
import { ReadableError } from '#/lib/readable-error'

/** Changes are sent in order, so that the last one wins. */
const KEY = ['newsletters'] as const

/** Requests newsletters as a guest. The server mails a confirmation link to the address. */
export function useSubscribe() {
  return useMutation({
    mutationFn: async (body: GuestNewslettersBody) => {
      const answer = dataOf(api.POST('/api/v2/profiles/guest-newsletters/', { body }))
      // A success has the settings; an empty answer is a failure.
      const settings = (await answer) as NewsletterSettings | null
      if (!settings) throw new ReadableError('You could not be signed up. Please try again.')
      return settings
    },
  })
}

function change(settings: Partial<NewsletterSettings>): void {
  queryClient.setQueryData(meOptions().queryKey, (me) =>
    me?.newsletter_settings
      ? { ...me, newsletter_settings: { ...me.newsletter_settings, ...settings } }
      : me,
  )
}

/** Turns a reader's newsletters on and off; shown immediately, and reverted after a failure. */
export function useChangeNewsletters() {
  const mutation: UseMutationResult<Profile, Error, Partial<NewsletterSettings>> = useMutation(
    {
      mutationKey: KEY,
      scope: { id: KEY[0] },
      meta: { failure: 'Your newsletters were not changed.' },
      mutationFn: (settings: Partial<NewsletterSettings>) =>
        dataOf(api.PATCH('/api/v2/profiles/me/', { body: { newsletter_settings: settings } })),
      onMutate: (settings) => change(settings),
      onSuccess: (profile) => {
        // A later change is already shown.
        const isLast = queryClient.isMutating({ mutationKey: KEY }) === 1
        if (isLast) queryClient.setQueryData(meOptions().queryKey, profile)
      },
      onError: (error, settings) => {
        const back = Object.entries(settings).map(([kind, isOn]) => [kind, !isOn])
        change(Object.fromEntries(back) as Partial<NewsletterSettings>)
        void logInAgainFor(error, { retry: () => mutation.mutate(settings) })
      },
    },
    queryClient,
  )
  return mutation
}
