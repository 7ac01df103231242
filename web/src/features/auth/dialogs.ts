import { useSyncExternalStore } from 'react'
import type { LoginBody } from '#/api/types'
import { Emitter } from '#/lib/emitter'

/** The action that a guest tried, carried from dialog to dialog to the server. */
export interface LoginIntent {
  post_authenticate_action: NonNullable<LoginBody['post_authenticate_action']>
  object_id: number
  /** The stars that a guest has clicked. */
  rating?: number
}

/** For a reader whose session has ended elsewhere, and who goes on with the page as it is. */
export interface Again {
  /** The reader has logged in again. */
  onReturn: () => void
  /** The reader has closed the dialog. */
  onLeave: () => void
}

type AuthDialog = 'login' | 'signup' | 'reset' | 'passkey'

export interface AuthDialogs {
  open: AuthDialog | null
  intent: LoginIntent | undefined
  /** Where to go afterwards; the current page by default. */
  next: string | undefined
  again?: Again | undefined
}

const CLOSED: AuthDialogs = { open: null, intent: undefined, next: undefined }

export const authDialogs = new Emitter<AuthDialogs>(CLOSED)

export function openLogin(intent?: LoginIntent, next?: string, again?: Again): void {
  authDialogs.set({ open: 'login', intent, next, again })
}

export function openSignUp(next?: string): void {
  authDialogs.set({ open: 'signup', intent: undefined, next })
}

/** For a reader who has lost their password, and logs in with the new one later. */
export function openReset(next?: string): void {
  authDialogs.set({ open: 'reset', intent: undefined, next })
}

/** For a reader who has just signed up, and then goes on to a page. */
export function openPasskeyOffer(next: string): void {
  authDialogs.set({ open: 'passkey', intent: undefined, next })
}

/** Switches from one dialog to another and keeps the guest's intent. */
export function switchDialog(open: AuthDialog): void {
  authDialogs.set({ ...authDialogs.get(), open })
}

export function closeDialogs(): void {
  const { again } = authDialogs.get()
  authDialogs.set(CLOSED)
  again?.onLeave()
}

/** Closes the dialogs of a reader who has logged in again, and goes on with the page. */
export function endDialogs(): void {
  const { again } = authDialogs.get()
  authDialogs.set(CLOSED)
  again?.onReturn()
}

export function useAuthDialogs(): AuthDialogs {
  return useSyncExternalStore(authDialogs.subscribe, authDialogs.get)
}
