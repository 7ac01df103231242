import { Outlet, useLocation, useNavigate } from '@tanstack/react-router'
import { useEffect, useRef } from 'react'
import { openSignUp, useAuthDialogs } from '#/features/auth/dialogs'
import { useSession } from '#/features/session/current'
import { SiteFrame } from '#/features/site/SiteFrame'
import { Retry } from '#/ui/Retry'

const SIGN_UP = 'signupDialogActive'

export function Root() {
  const path = useLocation({ select: (location) => location.pathname })
  useSignUpFromAddress()
  return (
    <SiteFrame path={path}>
      <Outlet />
    </SiteFrame>
  )
}

export function ErrorPage({ reset }: { reset: () => void }) {
  return <Retry title="Something on this page broke" onRetry={reset} />
}

/** `signupDialogActive` opens the sign-up dialog by its presence, and leaves with the dialog. */
function useSignUpFromAddress(): void {
  const location = useLocation()
  const navigate = useNavigate()
  const session = useSession()
  const { open } = useAuthDialogs()
  const wasOpen = useRef(false)
  const isAsked = SIGN_UP in location.search
  const isGuest = session.status === 'guest'

  useEffect(() => {
    if (!isAsked || !isGuest) return
    const next = new URL(window.location.href)
    next.searchParams.delete(SIGN_UP)
    openSignUp(next.pathname + next.search + next.hash)
  }, [isAsked, isGuest])

  useEffect(() => {
    const hasClosed = wasOpen.current && open === null
    wasOpen.current = open !== null
    if (!hasClosed || !isAsked) return
    void navigate({
      to: '.',
      search: (before: Record<string, unknown>) =>
        Object.fromEntries(Object.entries(before).filter(([name]) => name !== SIGN_UP)),
      hash: true,
      replace: true,
      resetScroll: false,
    })
  }, [open, isAsked, navigate])
}
