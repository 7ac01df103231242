import { useQuery } from '@tanstack/react-query'
import { lazy, Suspense, useEffect, useState, type ReactNode } from 'react'
import { useAuthDialogs } from '#/features/auth/dialogs'
import { useCalendarQuestion } from '#/features/calendar/question'
import { ConsentQuestion } from '#/features/consent/ConsentQuestion'
import { useSession } from '#/features/session/current'
import { online } from '#/lib/online'
import { whenIdle } from '#/lib/when-idle'
import { Announcer } from '#/ui/Announcer'
import { DialogShell } from '#/ui/DialogShell'
import { Retry } from '#/ui/Retry'
import { Bar } from './Bar'
import { FailedChange } from './FailedChange'
import { Footer } from './Footer'
import { SiteContext, siteOptions } from './site'
import styles from './SiteFrame.module.css'

const loadAuthDialogs = online(() => import('#/features/auth/AuthDialogs'))
const AuthDialogs = lazy(loadAuthDialogs)
const CalendarDialog = lazy(online(() => import('#/features/calendar/CalendarDialog')))

interface Props {
  path: string
  children: ReactNode
}

/** The frame around every page. */
export function SiteFrame({ path, children }: Props) {
  const site = useQuery(siteOptions())

  useEffect(() => {
    const root = document.documentElement
    if (!site.data) return
    root.dataset.accent = site.data.accent
    root.dataset.variant = site.data.variant
  }, [site.data])

  if (site.isError) {
    return (
      <main className={styles.main}>
        <Retry onRetry={() => void site.refetch()} />
      </main>
    )
  }
  if (!site.data) return null
  return (
    <SiteContext value={site.data}>
      <a className={styles.skip} href="#content">
        Skip to the content
      </a>
      <ConsentQuestion />
      <Bar path={path} />
      <main className={styles.main} id="content" tabIndex={-1}>
        {children}
      </main>
      <Footer />
      <Announcer />
      <FailedChange />
      <Dialogs />
    </SiteContext>
  )
}

/** Loaded with the first dialog, then kept mounted so that closing is animated. */
function Dialogs() {
  const { open } = useAuthDialogs()
  const isAsked = useCalendarQuestion()
  const isGuest = useSession().status === 'guest'
  useEffect(() => {
    // A guest's click on a heart opens the log-in dialog.
    if (isGuest) whenIdle(() => void loadAuthDialogs().catch(() => undefined))
  }, [isGuest])
  return (
    <>
      <MountOnce isWanted={open !== null}>
        <AuthDialogs />
      </MountOnce>
      <MountOnce isWanted={isAsked}>
        <CalendarDialog />
      </MountOnce>
    </>
  )
}

/** Mounts its content when it is wanted for the first time, and keeps it. */
function MountOnce({ isWanted, children }: { isWanted: boolean; children: ReactNode }) {
  const [isNeeded, setNeeded] = useState(false)
  if (isWanted && !isNeeded) setNeeded(true)
  return (
    <Suspense fallback={isWanted && <DialogShell kind="dialog" />}>{isNeeded && children}</Suspense>
  )
}
