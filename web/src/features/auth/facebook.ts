import { useSyncExternalStore } from 'react'
import { proveAgain } from '#/features/session/current'
import { useSite } from '#/features/site/site'
import { Emitter } from '#/lib/emitter'
import type { Destination } from './mutations'

/** Whether readers can log in with Facebook. */
export function useFacebook(): boolean {
  return useSite().facebook
}

/** The address of the redirect to Facebook, which returns to a page with the reader logged in. */
export function facebookAddress({ next, ...intent }: Destination): string {
  const query = new URLSearchParams({ next })
  for (const [name, value] of Object.entries(intent)) query.set(name, String(value))
  return `/profiles/facebook-login?${query.toString()}`
}

const REASONS: Record<string, string> = {
  'address-taken':
    'You have an account with this email address already. Log in to it, then connect Facebook in your profile.',
  'no-address':
    'Facebook did not tell us your email address. Sign up with your email address instead.',
  'other-account':
    'This Facebook account belongs to another account here, or your account is connected with another one.',
  disabled:
    'This account has been disabled. Please write to us if you think that this is a mistake.',
  unproven: 'Log in again first, then connect Facebook.',
  failed: 'Facebook did not confirm that it is you. Please try again.',
}

/** The result of the visit to Facebook, if the reader has just come back from it. */
export interface FacebookReturn {
  isConnected: boolean
  /** The reason for a failure. */
  failure: string | undefined
}

const NONE: FacebookReturn = { isConnected: false, failure: undefined }

const returnResult = new Emitter<FacebookReturn>(NONE)

/** Takes the result of the visit to Facebook out of the address, which a reader may bookmark or share. */
export function removeFacebookFromAddress(): void {
  const url = new URL(window.location.href)
  const outcome = url.searchParams.get('facebook')
  returnResult.set(NONE)
  if (outcome === null) return
  url.searchParams.delete('facebook')
  window.history.replaceState(window.history.state, '', url)
  returnResult.set({ isConnected: outcome === 'connected', failure: REASONS[outcome] })
  if (outcome === 'unproven') void proveAgain()
}

export function useFacebookReturn(): FacebookReturn {
  return useSyncExternalStore(returnResult.subscribe, returnResult.get)
}
