import { useSyncExternalStore } from 'react'
import { useSite } from '#/features/site/site'
import { Emitter } from '#/lib/emitter'
import type { Destination } from './mutations'

/** Whether readers can log in with Facebook; otherwise none of its controls is shown. */
export function useFacebook(): boolean {
  return useSite().facebook
}

/** The address that leads to Facebook and, by the server, back to a page with the reader logged in. */
export function facebookAddress({ next, ...intent }: Destination): string {
  const query = new URLSearchParams({ next })
  for (const [name, value] of Object.entries(intent)) query.set(name, String(value))
  return `/profiles/facebook-login?${query.toString()}`
}

const WHY: Record<string, string> = {
  'address-taken':
    'You have an account with this email address already. Log in to it, then connect Facebook in your profile.',
  'no-address':
    'Facebook did not tell us your email address. Sign up with your email address instead.',
  'other-account':
    'This Facebook account belongs to another account here, or your account is connected with another one.',
  disabled:
    'This account has been disabled. Please write to us if you think that this is a mistake.',
  failed: 'Facebook did not confirm that it is you. Please try again.',
}

/** How the way to Facebook has ended, if the reader has just come back from it. */
export interface FacebookReturn {
  isConnected: boolean
  /** Why it did not succeed. */
  failure: string | undefined
}

const NONE: FacebookReturn = { isConnected: false, failure: undefined }

const returned = new Emitter<FacebookReturn>(NONE)

/** Reads how the way to Facebook has ended out of the address, where nobody should bookmark or share it. */
export function takeFacebookOutOfAddress(): void {
  const url = new URL(window.location.href)
  const outcome = url.searchParams.get('facebook')
  returned.set(NONE)
  if (outcome === null) return
  url.searchParams.delete('facebook')
  window.history.replaceState(window.history.state, '', url)
  returned.set({ isConnected: outcome === 'connected', failure: WHY[outcome] })
}

export function useFacebookReturn(): FacebookReturn {
  return useSyncExternalStore(returned.subscribe, returned.get)
}
