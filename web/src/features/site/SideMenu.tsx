import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { NavigationItem } from '#/api/types'
import { NewsletterPanel } from '#/features/newsletters/NewsletterPanel'
import { upTo } from '#/lib/breakpoints'
import { useMediaQuery } from '#/lib/use-media-query'
import { Loading } from '#/ui/Loading'
import { Placeholder } from '#/ui/Placeholder'
import { Skeleton } from '#/ui/Skeleton'
import { BarLink } from './BarLink'
import { sideEntries, type SideEntries } from './navigation'
import { navigationOptions } from './navigation-query'
import { useSite } from './site'
import { SubMenu } from './SubMenu'
import styles from './SideMenu.module.css'

interface Props {
  path: string
}

/** The side menu's links, with new items. */
export function SideMenu({ path }: Props) {
  const site = useSite()
  const navigation = useQuery(navigationOptions())
  const isSmall = useMediaQuery(upTo('smallBar'))
  if (navigation.isPending) {
    return (
      <Loading>
        <SideMenuSkeleton />
      </Loading>
    )
  }
  // If the menus cannot be loaded, the bar's own entries replace them.
  const entries = navigation.isError
    ? { main: site.navigation, more: [] }
    : sideEntries(site, navigation.data)
  return <Entries key={String(isSmall)} entries={entries} isSmall={isSmall} path={path} />
}

interface EntriesProps extends Props {
  entries: SideEntries
  isSmall: boolean
}

function Entries({ entries: { main, more }, isSmall, path }: EntriesProps) {
  const first = main.find((entry) => 'menu' in entry)?.label
  const [open, setOpen] = useState(isSmall ? undefined : first)
  const site = useSite()
  return (
    <nav className={styles.side} aria-label="Menu" data-stage={first ? '' : undefined}>
      <ul>
        {main.map((entry) => (
          <li key={entry.label}>
            {'menu' in entry ? (
              <SubMenu
                entry={entry}
                isSmall={isSmall}
                isOpen={open === entry.label}
                onOpen={(isOpen) => setOpen(isOpen ? entry.label : undefined)}
              />
            ) : (
              <BarLink item={entry} path={path} />
            )}
          </li>
        ))}
      </ul>
      {more.length > 0 && <More items={more} path={path} />}
      <NewsletterPanel type="news" look="menu" />
      <p className={styles.tagline}>{site.tagline}</p>
    </nav>
  )
}

function More({ items, path }: Props & { items: readonly NavigationItem[] }) {
  return (
    <section className={styles.more} aria-labelledby="side-menu-more">
      <h3 id="side-menu-more">More</h3>
      <ul>
        {items.map((item) => (
          <li key={item.href}>
            <BarLink item={item} path={path} />
          </li>
        ))}
      </ul>
    </section>
  )
}

function SideMenuSkeleton() {
  return (
    <Placeholder what="the menu" className={styles.loading}>
      {[60, 45, 70, 40, 55].map((width) => (
        <Skeleton key={width} width={`${width}%`} height="1.5rem" />
      ))}
    </Placeholder>
  )
}
