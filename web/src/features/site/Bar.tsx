import { useEffect } from 'react'
import type { NavigationItem } from '#/api/types'
import { useSession } from '#/features/session/current'
import { SMALL_BAR, useMediaQuery } from '#/lib/use-media-query'
import { Dialog } from '#/ui/Dialog'
import { MenuIcon, PersonIcon } from '#/ui/icons'
import { SiteLink } from '#/ui/SiteLink'
import { setPanel, togglePanel, usePanel } from './chrome'
import { ProfilePanel } from './ProfilePanel'
import { useSite } from './site'
import styles from './Bar.module.css'

interface Props {
  path: string
}

export function Bar({ path }: Props) {
  const site = useSite()
  const panel = usePanel()
  const session = useSession()
  const isSmall = useMediaQuery(SMALL_BAR)

  // Going somewhere and crossing the bar's breakpoint both put away what is open, and with it
  // the lock on scrolling.
  useEffect(() => setPanel(null), [path, isSmall])

  const isMember = session.status === 'member'
  return (
    <header className={styles.bar}>
      <div className={styles.inner}>
        <button
          type="button"
          className={`${styles.icon} ${styles.menuButton}`}
          aria-label="Menu"
          aria-haspopup="dialog"
          aria-expanded={panel === 'menu'}
          onClick={() => togglePanel('menu')}
        >
          <MenuIcon />
        </button>
        <SiteLink href="/" className={styles.wordmark} aria-label={`${site.name}, front page`}>
          {site.name}
        </SiteLink>
        <nav className={styles.wide} aria-label="Sections">
          {/* The wordmark leads home already, and room is dear here. */}
          <Items items={site.navigation.filter(({ href }) => href !== '/')} path={path} />
        </nav>
        <button
          type="button"
          className={styles.icon}
          aria-label={isMember ? 'Your account' : 'Log in or sign up'}
          aria-haspopup="dialog"
          aria-expanded={panel === 'profile'}
          onClick={() => togglePanel('profile')}
        >
          <PersonIcon />
          {isMember && <span className={styles.dot} aria-hidden="true" />}
        </button>
      </div>

      <Dialog
        kind="drawer"
        title={site.name}
        isOpen={panel === 'menu' && isSmall}
        onClose={() => setPanel(null)}
      >
        <nav className={styles.side} aria-label="Sections">
          <Items items={site.navigation} path={path} />
        </nav>
        <p className={styles.tagline}>{site.tagline}</p>
      </Dialog>
      <Dialog
        kind="panel"
        title="Your account"
        isTitleHidden
        isModal={isSmall}
        isOpen={panel === 'profile'}
        onClose={() => setPanel(null)}
      >
        <ProfilePanel />
      </Dialog>
    </header>
  )
}

interface ItemsProps {
  items: readonly NavigationItem[]
  path: string
}

function Items({ items, path }: ItemsProps) {
  return (
    <ul>
      {items.map((item) => (
        <li key={item.href}>
          {item.external ? (
            <a href={item.href} rel="noopener">
              {item.label}
            </a>
          ) : (
            <SiteLink
              href={item.href}
              aria-current={isWithin(item.href, path) ? 'page' : undefined}
            >
              {item.label}
            </SiteLink>
          )}
        </li>
      ))}
    </ul>
  )
}

function isWithin(href: string, path: string): boolean {
  return href === '/' ? path === '/' : path.startsWith(href)
}
