import { Outlet, useLocation } from '@tanstack/react-router'
import { PageTitle } from '#/features/site/PageTitle'
import { SiteFrame } from '#/features/site/SiteFrame'
import { pagePath } from '#/lib/page-path'
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

export function ErrorPage({ reset }: { reset: () => void }) {
  return <Retry title="Something went wrong on this page" onRetry={reset} />
}
