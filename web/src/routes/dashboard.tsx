import { useLocation, useNavigate } from '@tanstack/react-router'
import { useEffect } from 'react'
import { FavouriteList } from '#/features/favourites/FavouriteList'
import { DashboardHome } from '#/features/favourites/DashboardHome'
import { useSession } from '#/features/session/current'
import { useSite } from '#/features/site/site'
import { useDocumentTitle } from '#/lib/document-title'
import { SiteLink } from '#/ui/SiteLink'
import { Skeleton } from '#/ui/Skeleton'
import styles from './dashboard.module.css'

const PATH = '/accounts/dashboard'

const SECTIONS = [
  { path: '/home/', label: 'Home' },
  { path: '/favourites/', label: 'Favourites' },
] as const

export function DashboardPage() {
  const site = useSite()
  const session = useSession()
  const navigate = useNavigate()
  const { pathname, hash } = useLocation()
  // A section that does not exist, or not any more, is the first.
  const section = SECTIONS.find((known) => known.path === hash) ?? SECTIONS[0]
  useDocumentTitle(section.path === '/home/' ? 'Dashboard' : section.label, site.name)

  useEffect(() => {
    // The next page's address is already current while this page waits for its code.
    if (session.status !== 'guest' || !pathname.startsWith(PATH)) return
    // The hash never reaches a server by itself: it goes along in the query.
    const next = `${PATH}${hash && `#${hash}`}`
    void navigate({ to: '/accounts/login', search: { next }, replace: true })
  }, [session.status, pathname, hash, navigate])

  if (session.status !== 'member') {
    return (
      <div className={styles.page} role="status" aria-label="Loading your dashboard">
        <Skeleton height="12rem" />
      </div>
    )
  }
  return (
    <div className={styles.page}>
      <nav className={styles.menu} aria-label="Dashboard">
        <ul>
          {SECTIONS.map(({ path, label }) => (
            <li key={path}>
              <SiteLink
                href={`${PATH}#${path}`}
                aria-current={path === section.path ? 'page' : undefined}
              >
                {label}
              </SiteLink>
            </li>
          ))}
        </ul>
      </nav>
      {section.path === '/favourites/' ? <FavouriteList /> : <DashboardHome />}
    </div>
  )
}
