import { useQueryClient } from '@tanstack/react-query'
import { lazy, Suspense, useEffect, useState } from 'react'
import { useSession } from '#/features/session/current'
import { online } from '#/lib/online'
import { upTo } from '#/lib/breakpoints'
import { useMediaQuery } from '#/lib/use-media-query'
import { whenIdle } from '#/lib/when-idle'
import { DialogShell } from '#/ui/DialogShell'
import { MenuIcon, PersonIcon, SearchIcon } from '#/ui/icons'
import { SiteLink } from '#/ui/SiteLink'
import { BarLink } from './BarLink'
import { Brand } from './Brand'
import { togglePanel, usePanel } from './chrome'
import { useMenuPath } from './menu-path'
import { navigationOptions } from './navigation-query'
import { OfflineNotice } from './OfflineNotice'
import { useSite } from './site'
import styles from './Bar.module.css'

const loadPanels = online(() => import('./Panels'))
const Panels = lazy(loadPanels)
const SHELLS = { menu: 'drawer', profile: 'panel', search: 'sheet' } as const

/** Loads the code before the click; the click reports errors. */
function prepare(): void {
  loadPanels().catch(() => undefined)
}

interface Props {
  path: string
}

export function Bar({ path: own }: Props) {
  const site = useSite()
  const path = useMenuPath(own)
  const panel = usePanel()
  const session = useSession()
  const client = useQueryClient()
  const isSmall = useMediaQuery(upTo('smallBar'))
  // Stays mounted after the first opening, so that closing is animated.
  const [isNeeded, setNeeded] = useState(false)
  if (panel !== null && !isNeeded) setNeeded(true)

  useEffect(() => whenIdle(prepare), [])
  const prepareMenu = (): void => {
    prepare()
    client.query(navigationOptions()).catch(() => undefined)
  }

  const isReader = session.status !== 'guest'
  return (
    <header className={styles.bar}>
      <div className={styles.inner}>
        <button
          type="button"
          className={styles.icon}
          aria-label="Menu"
          aria-haspopup="dialog"
          aria-expanded={panel === 'menu'}
          onPointerEnter={prepareMenu}
          onFocus={prepareMenu}
          onClick={() => togglePanel('menu')}
        >
          <MenuIcon />
        </button>
        <SiteLink href="/" className={styles.wordmark} aria-label={`${site.name}, front page`}>
          <Brand />
        </SiteLink>
        <nav className={styles.wide} aria-label="Sections">
          {/* The wordmark links to the front page, and space is scarce here. */}
          <ul>
            {site.navigation
              .filter(({ href }) => href !== '/')
              .map((item) => (
                <li key={item.href}>
                  <BarLink item={item} path={path} />
                </li>
              ))}
          </ul>
        </nav>
        <div className={styles.tools}>
          <button
            type="button"
            className={styles.icon}
            aria-label="Search"
            aria-haspopup="dialog"
            aria-expanded={panel === 'search'}
            onPointerEnter={prepare}
            onFocus={prepare}
            onClick={() => togglePanel('search')}
          >
            <SearchIcon />
          </button>
          <button
            type="button"
            className={styles.icon}
            aria-label={isReader ? 'Your account' : 'Log in or sign up'}
            aria-haspopup="dialog"
            aria-expanded={panel === 'profile'}
            onPointerEnter={prepare}
            onFocus={prepare}
            onClick={() => togglePanel('profile')}
          >
            <PersonIcon />
            {isReader && <span className={styles.dot} aria-hidden="true" />}
          </button>
        </div>
      </div>
      <OfflineNotice />
      <Suspense fallback={panel && <DialogShell kind={SHELLS[panel]} isModal={isSmall} />}>
        {isNeeded && <Panels path={path} isSmall={isSmall} />}
      </Suspense>
    </header>
  )
}
