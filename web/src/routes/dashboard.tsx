import { useLocation } from '@tanstack/react-router'
import { Suspense } from 'react'
import { DASHBOARD } from '#/features/dashboard/address'
import { sectionsOf } from '#/features/dashboard/sections'
import { GridSkeleton } from '#/features/grid/Grid'
import { useSession } from '#/features/session/current'
import { useSite } from '#/features/site/site'
import { PageTitle } from '#/features/site/PageTitle'
import { SiteLink } from '#/ui/SiteLink'
import { Skeleton } from '#/ui/Skeleton'
import styles from './dashboard.module.css'

export function DashboardPage() {
  const site = useSite()
  const session = useSession()
  const hash = useLocation({ select: (location) => location.hash })
  const sections = sectionsOf(site)
  const [home] = sections
  // A hash that names no section, or a disabled one, shows the first.
  const section = sections.find((known) => known.hash === hash) ?? home

  if (session.status !== 'member') {
    return (
      <>
        <PageTitle page="Dashboard" />
        <div className={styles.page} role="status" aria-label="Loading your dashboard">
          <Skeleton height="12rem" />
        </div>
      </>
    )
  }
  return (
    <>
      <PageTitle page={section === home ? 'Dashboard' : section.label} />
      <div className={styles.page}>
        <nav className={styles.menu} aria-label="Dashboard">
          <ul>
            {sections.map(({ hash: own, label }) => (
              <li key={own}>
                <SiteLink
                  href={`${DASHBOARD}#${own}`}
                  aria-current={own === section.hash ? 'page' : undefined}
                >
                  {label}
                </SiteLink>
              </li>
            ))}
          </ul>
        </nav>
        <Suspense fallback={<GridSkeleton what="your dashboard" count={4} />}>
          <section.Content />
        </Suspense>
      </div>
    </>
  )
}
