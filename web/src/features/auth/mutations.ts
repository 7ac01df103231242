import { useMutation } from '@tanstack/react-query'
import type { LoginBody, RegistrationBody, ResetBody, SignedIn } from '#/api/types'
import { queryClient, session } from '#/features/session/current'
import { api, dataOf } from '#/lib/http'
import { debug } from '#/lib/log'
import { currentPath, loadPage, sitePath } from '#/lib/site-path'
import { announce } from '#/ui/Announcer'

/** Time to read the success message before the page reloads. */
const SUCCESS_MS = 300

function finishSignIn(answer: SignedIn, text: string): void {
  session.arrive(answer.id)
  announce(text)
  setTimeout(() => loadPage(sitePath(answer.redirect_url, '/')), SUCCESS_MS)
}

export function useLogin() {
  return useMutation(
    {
      mutationFn: (body: LoginBody) => dataOf(api.POST('/api/v2/profiles/email-login/', { body })),
      onSuccess: (answer) => finishSignIn(answer, 'Login successful.'),
    },
    queryClient,
  )
}

export function useSignUp() {
  return useMutation(
    {
      mutationFn: (body: RegistrationBody) =>
        dataOf(api.POST('/api/v2/profiles/email-registration/', { body })),
      onSuccess: (answer) => finishSignIn(answer, 'Your account is ready.'),
    },
    queryClient,
  )
}

export function useResetPassword() {
  return useMutation(
    {
      mutationFn: (body: ResetBody) =>
        dataOf(api.POST('/api/v2/profiles/reset-password/', { body })),
    },
    queryClient,
  )
}

async function postLogout(): Promise<void> {
  await api.POST('/api/v2/profiles/logout/v1/validate/', {
    headers: { 'Content-Type': 'application/json' },
  })
}

/** Ends the session, then opens the log-out page, which links back to the page before. */
export function useLogout(next?: string) {
  return useMutation(
    {
      mutationFn: postLogout,
      onSuccess: () => session.end(),
      onError: (error) => debug('Logging out failed', error),
      onSettled: () => {
        const query = new URLSearchParams({ next: next ?? currentPath() })
        loadPage(`/profiles/logout?${query.toString()}`)
      },
    },
    queryClient,
  )
}
