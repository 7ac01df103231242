import { useLocation } from '@tanstack/react-router'
import { Suspense } from 'react'
import { CONTENTS } from '#/features/dashboard/contents'
import { enabledSections, sectionHref, SECTIONS } from '#/features/dashboard/sections'
import { GridSkeleton } from '#/features/grid/Grid'
import { useSession } from '#/features/session/current'
import { useSite } from '#/features/site/site'
import { PageTitle } from '#/features/site/PageTitle'
import { Loading } from '#/ui/Loading'
import { Placeholder } from '#/ui/Placeholder'
import { Skeleton } from '#/ui/Skeleton'
import { TabStrip } from '#/ui/TabStrip'
import styles from './dashboard.module.css'

export function DashboardPage() {
  const site = useSite()
  const session = useSession()
  const hash = useLocation({ select: (location) => location.hash })
  const sections = enabledSections(site)
  // An unknown or disabled section falls back to the first.
  const section = sections.find((name) => SECTIONS[name].hash === hash) ?? 'home'
  const Content = CONTENTS[section]

  if (session.status !== 'member') {
    return (
      <>
        <PageTitle page="Dashboard" />
        <Placeholder what="your dashboard" className={styles.page}>
          <Loading>
            <Skeleton height="12rem" />
          </Loading>
        </Placeholder>
      </>
    )
  }
  return (
    <>
      <PageTitle page={section === 'home' ? 'Dashboard' : SECTIONS[section].label} />
      <div className={styles.page}>
        <TabStrip
          label="Dashboard"
          tabs={sections.map((name) => ({
            label: SECTIONS[name].label,
            href: sectionHref(name),
          }))}
          current={sectionHref(section)}
        />
        <Suspense
          fallback={
            <Loading>
              <GridSkeleton what="your dashboard" count={4} />
            </Loading>
          }
        >
          <Content />
        </Suspense>
      </div>
    </>
  )
}
