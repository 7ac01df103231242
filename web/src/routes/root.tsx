import { Outlet, useLocation } from '@tanstack/react-router'
import { PageTitle } from '#/features/site/PageTitle'
import { SiteFrame } from '#/features/site/SiteFrame'
import { useEffect } from 'react'
import { pagePath } from '#/lib/page-path'
import { noteError } from '#/lib/script-errors'
import { Retry } from '#/ui/Retry'

export function Root() {
  const path = useLocation({ select: (location) => pagePath(location.pathname) })
  return (
    <SiteFrame path={path}>
      <PageTitle />
      <Outlet />
    </SiteFrame>
  )
}

export function ErrorPage({ error, reset }: { error: unknown; reset: () => void }) {
  // The router has handled the error, so the browser does not report it.
  useEffect(() => noteError({ error }), [error])
  return <Retry title="Something went wrong on this page" onRetry={reset} />
}
