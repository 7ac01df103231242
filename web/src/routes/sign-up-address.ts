import type { RegisteredRouter } from '@tanstack/react-router'
import { authDialogs, openSignUp } from '#/features/auth/dialogs'
import { session } from '#/features/session/current'

/** The parameter whose presence in the address opens the sign-up dialog. */
export const SIGN_UP = 'signupDialogActive'

type Router = Pick<RegisteredRouter, 'state' | 'subscribe' | 'navigate'>

/** Opens the dialog for a guest at an address with this parameter, and removes the parameter when the dialog closes. */
export function followSignUpAddress(router: Router): void {
  let wasOpened = false
  const isRequested = (): boolean => SIGN_UP in router.state.location.search

  const update = (): void => {
    if (!isRequested()) wasOpened = false
    else if (!wasOpened && session.state.get().status === 'guest') {
      wasOpened = true
      const next = new URL(window.location.href)
      next.searchParams.delete(SIGN_UP)
      openSignUp(next.pathname + next.search + next.hash)
    }
  }

  let isOpen = false
  authDialogs.subscribe(() => {
    const hasClosed = isOpen && authDialogs.get().open === null
    isOpen = authDialogs.get().open !== null
    if (!hasClosed || !isRequested()) return
    void router.navigate({
      to: '.',
      search: (before: Record<string, unknown>) =>
        Object.fromEntries(Object.entries(before).filter(([name]) => name !== SIGN_UP)),
      hash: true,
      replace: true,
      resetScroll: false,
    })
  })
  session.state.subscribe(update)
  router.subscribe('onResolved', update)
}
