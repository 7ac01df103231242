import { useSyncExternalStore } from 'react'
import type { LoginBody } from '#/api/types'
import { Emitter } from '#/lib/emitter'

/** The action that a guest tried, carried through login and sign-up to the server. */
export interface LoginIntent {
  post_authenticate_action: NonNullable<LoginBody['post_authenticate_action']>
  object_id: number
}

export interface AuthDialogs {
  open: 'login' | 'signup' | null
  intent: LoginIntent | undefined
  /** Where to go afterwards; the current page by default. */
  next: string | undefined
}

const CLOSED: AuthDialogs = { open: null, intent: undefined, next: undefined }

export const authDialogs = new Emitter<AuthDialogs>(CLOSED)

export function openLogin(intent?: LoginIntent, next?: string): void {
  authDialogs.set({ open: 'login', intent, next })
}

export function openSignUp(next?: string): void {
  authDialogs.set({ open: 'signup', intent: undefined, next })
}

/** Switches from one dialog to the other and keeps the guest's intent. */
export function switchDialog(open: 'login' | 'signup'): void {
  authDialogs.set({ ...authDialogs.get(), open })
}

export function closeDialogs(): void {
  authDialogs.set(CLOSED)
}

export function useAuthDialogs(): AuthDialogs {
  return useSyncExternalStore(authDialogs.subscribe, authDialogs.get)
}
