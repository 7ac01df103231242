import { useMutation, type Query } from '@tanstack/react-query'
import type {
  CeremonyAnswer,
  EndingBody,
  LoginBody,
  Newcomer,
  RegistrationBody,
  ResetBody,
  SignedIn,
} from '#/api/types'
import { queryClient, session } from '#/features/session/current'
import { api, dataOf } from '#/lib/http'
import { debug } from '#/lib/log'
import { PERSONAL } from '#/lib/query-client'
import { currentPath, loadPage, sitePath } from '#/lib/site-path'
import { announce } from '#/ui/Announcer'
import { authDialogs, endDialogs, openPasskeyOffer, type LoginIntent } from './dialogs'
import { canKeepPasskey, makePasskey, signWithPasskey, usePasskeys } from './passkeys'

/** Time to read the success message before the page reloads. */
const SUCCESS_MS = 300

const READY = 'Your account is ready.'

/** The page to go to, and what to do once the reader is in. */
export interface Destination extends Partial<LoginIntent> {
  next: string
}

function finishSignIn(answer: SignedIn, text: string): void {
  const staysOnPage = isBack(answer.id)
  session.arrive(answer.id)
  announce(text)
  setTimeout(() => {
    if (staysOnPage) void resume()
    else loadPage(sitePath(answer.redirect_url, '/'))
  }, SUCCESS_MS)
}

/** Whether the page's own reader is back, and the sign-in has saved nothing that the page does not show. */
function isBack(id: number): boolean {
  const { again, intent } = authDialogs.get()
  const reader = session.state.get()
  const isOther = reader.status === 'member' && reader.id !== id
  return again !== undefined && intent === undefined && !isOther
}

/** Goes on with the page as it is, without a load, which would lose the reader's input. */
async function resume(): Promise<void> {
  await session.start()
  const isRefused = ({ state }: Query): boolean => state.status === 'error'
  void queryClient.invalidateQueries({ queryKey: [PERSONAL], predicate: isRefused })
  endDialogs()
}

/** After a sign-up with a password, a device that can keep a passkey is offered one before the page loads anew. */
async function finishSignUp(answer: SignedIn, hasPasskeys: boolean): Promise<void> {
  if (!hasPasskeys || !(await canKeepPasskey().catch(() => false))) {
    finishSignIn(answer, READY)
    return
  }
  session.arrive(answer.id)
  announce(READY)
  openPasskeyOffer(sitePath(answer.redirect_url, '/'))
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
  const hasPasskeys = usePasskeys()
  return useMutation(
    {
      mutationFn: (body: RegistrationBody) =>
        dataOf(api.POST('/api/v2/profiles/email-registration/', { body })),
      onSuccess: (answer) => finishSignUp(answer, hasPasskeys),
    },
    queryClient,
  )
}

/** Logs in by a passkey: by one that the browser has brought already, or that it asks for now. */
export function usePasskeyLogin() {
  return useMutation(
    {
      mutationFn: async ({ answer, ...to }: Destination & { answer?: CeremonyAnswer }) => {
        const brought = answer ?? (await signWithPasskey('dialog'))
        return endCeremony({ for: 'sign-in', ...brought, ...to })
      },
      onSuccess: (answer) => finishSignIn(answer, 'Login successful.'),
    },
    queryClient,
  )
}

/** Makes an account without a password. */
export function usePasskeySignUp() {
  return useMutation(
    {
      mutationFn: async ({ full_name, email, ...to }: Destination & Newcomer) => {
        const newcomer = { full_name, email }
        const made = await makePasskey(newcomer)
        return endCeremony({ for: 'registration', ...made, ...newcomer, ...to })
      },
      onSuccess: (answer) => finishSignIn(answer, READY),
    },
    queryClient,
  )
}

async function endCeremony(body: EndingBody): Promise<SignedIn> {
  const answer = await dataOf(api.POST('/api/v2/profiles/passkeys/', { body }))
  // A guest who ends a ceremony is signed in.
  return answer as SignedIn
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
