import { useSyncExternalStore } from 'react'
import { Emitter } from '#/lib/emitter'

/** What a guest wanted to do, carried through login and sign-up to the server. */
export interface LoginIntent {
  post_authenticate_action: 'favourite'
  object_id: number
}

export interface AuthDialogs {
  open: 'login' | 'signup' | null
  intent: LoginIntent | undefined
  /** Where to go afterwards; the page shown now if not given. */
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

/** From one dialog to the other; what the guest wanted stays remembered. */
export function switchDialog(open: 'login' | 'signup'): void {
  authDialogs.set({ ...authDialogs.get(), open })
}

export function closeDialogs(): void {
  authDialogs.set(CLOSED)
}

export function useAuthDialogs(): AuthDialogs {
  return useSyncExternalStore(authDialogs.subscribe, authDialogs.get)
}
