import { useSyncExternalStore } from 'react'
import type { LoginBody } from '#/api/types'
import { Emitter } from '#/lib/emitter'

/** The action that a guest tried. The dialogs pass it to the server. */
export interface LoginIntent {
  post_authenticate_action: NonNullable<LoginBody['post_authenticate_action']>
  object_id: number
  /** The chosen stars. */
  rating?: number
}

/** A log-in after the session has ended elsewhere, or as a proof of identity; the page stays as it is. */
export interface Relogin {
  reason: 'ended' | 'proof'
  /** The reader has logged in again. */
  onReturn: () => void
  /** The reader has closed the dialog. */
  onLeave: () => void
}

type AuthDialog = 'login' | 'signup' | 'reset' | 'passkey'

export interface AuthDialogs {
  open: AuthDialog | null
  intent: LoginIntent | undefined
  /** The page after the log-in; the current page by default. */
  next: string | undefined
  relogin?: Relogin | undefined
}

const CLOSED: AuthDialogs = { open: null, intent: undefined, next: undefined }

export const authDialogs = new Emitter<AuthDialogs>(CLOSED)

export function openLogin(intent?: LoginIntent, next?: string, relogin?: Relogin): void {
  authDialogs.set({ open: 'login', intent, next, relogin })
}

export function openSignUp(next?: string): void {
  authDialogs.set({ open: 'signup', intent: undefined, next })
}

/** Opens the password reset, for a reader who logs in with the new password later. */
export function openReset(next?: string): void {
  authDialogs.set({ open: 'reset', intent: undefined, next })
}

/** Offers a passkey after a sign-up, before the given page. */
export function openPasskeyOffer(next: string): void {
  authDialogs.set({ open: 'passkey', intent: undefined, next })
}

/** Replaces a dialog by another, and keeps the guest's intent. */
export function switchDialog(open: AuthDialog): void {
  authDialogs.set({ ...authDialogs.get(), open })
}

export function closeDialogs(): void {
  const { relogin } = authDialogs.get()
  authDialogs.set(CLOSED)
  relogin?.onLeave()
}

/** Closes the dialogs after a reader has logged in again, and continues with the page. */
export function finishRelogin(): void {
  const { relogin } = authDialogs.get()
  authDialogs.set(CLOSED)
  relogin?.onReturn()
}

export function useAuthDialogs(): AuthDialogs {
  return useSyncExternalStore(authDialogs.subscribe, authDialogs.get)
}
