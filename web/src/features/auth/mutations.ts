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
import { api } from '#/lib/api'
import { dataOf } from '#/lib/http'
import { debug } from '#/lib/log'
import { PERSONAL } from '#/lib/query-client'
import { currentPath, loadPage, sitePath } from '#/lib/site-path'
import { announce } from '#/ui/Announcer'
import { authDialogs, finishRelogin, openPasskeyOffer, type LoginIntent } from './dialogs'
import { canStorePasskey, createPasskey, requestPasskey, usePasskeys } from './passkeys'

/** Time to read the success message before the page reloads. */
const SUCCESS_MS = 300

const READY = 'Your account is ready.'

/** The page after the log-in, and the intent to carry out. */
export interface Destination extends Partial<LoginIntent> {
  next: string
}

function finishSignIn(answer: SignedIn, text: string): void {
  const staysOnPage = isSameReader(answer.id)
  session.recordArrival(answer.id)
  announce(text)
  setTimeout(() => {
    if (staysOnPage) void resume()
    else loadPage(sitePath(answer.redirect_url, '/'))
  }, SUCCESS_MS)
}

/**
 * Whether the page's own reader has logged in again, and the sign-in has saved nothing that the page does not show.
 */
function isSameReader(id: number): boolean {
  const { relogin, intent } = authDialogs.get()
  const reader = session.state.get()
  const isOther = reader.status === 'member' && reader.id !== id
  return relogin !== undefined && intent === undefined && !isOther
}

/** Continues with the page without a reload, which would lose the reader's input. */
async function resume(): Promise<void> {
  await session.start()
  const isRefused = ({ state }: Query): boolean => state.status === 'error'
  void queryClient.invalidateQueries({ queryKey: [PERSONAL], predicate: isRefused })
  finishRelogin()
}

/** Offers a passkey after a sign-up with a password, if the device can store one, before the page reloads. */
async function finishSignUp(answer: SignedIn, hasPasskeys: boolean): Promise<void> {
  if (!hasPasskeys || !(await canStorePasskey().catch(() => false))) {
    finishSignIn(answer, READY)
    return
  }
  session.recordArrival(answer.id)
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

/** Logs in by passkey: the given passkey, or a passkey that the browser asks for. */
export function usePasskeyLogin() {
  return useMutation(
    {
      mutationFn: async ({ answer, ...to }: Destination & { answer?: CeremonyAnswer }) => {
        const brought = answer ?? (await requestPasskey('dialog'))
        return endCeremony({ for: 'sign-in', ...brought, ...to })
      },
      onSuccess: (answer) => finishSignIn(answer, 'Login successful.'),
    },
    queryClient,
  )
}

/** Creates an account without a password. */
export function usePasskeySignUp() {
  return useMutation(
    {
      mutationFn: async ({ full_name, email, ...to }: Destination & Newcomer) => {
        const newcomer = { full_name, email }
        const made = await createPasskey(newcomer)
        return endCeremony({ for: 'registration', ...made, ...newcomer, ...to })
      },
      onSuccess: (answer) => finishSignIn(answer, READY),
    },
    queryClient,
  )
}

async function endCeremony(body: EndingBody): Promise<SignedIn> {
  const answer = await dataOf(api.POST('/api/v2/profiles/passkeys/', { body }))
  // A ceremony of a guest ends with a sign-in.
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

/** Ends the session, then opens the log-out page, which links back to this page. */
export function useLogout(next?: string) {
  return useMutation(
    {
      mutationFn: postLogout,
      onSuccess: () => session.end(),
      onError: (error) => debug('The log-out failed', error),
      onSettled: () => {
        const query = new URLSearchParams({ next: next ?? currentPath() })
        loadPage(`/profiles/logout?${query.toString()}`)
      },
    },
    queryClient,
  )
}
