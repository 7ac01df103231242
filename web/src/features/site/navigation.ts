import type { Navigation, NavigationItem, NavigationMenu, Site } from '#/api/types'

export interface MenuEntry {
  label: string
  menu: NavigationMenu
}

type SideEntry = NavigationItem | MenuEntry

export interface SideEntries {
  main: SideEntry[]
  /** Neighbourhoods and contests, if their sections are on. */
  more: NavigationItem[]
}

/** The default names of the menus, which a site's bar may change. */
const MENUS = [
  { name: 'restaurants', label: 'Restaurants', href: '/restaurants/' },
  { name: 'latest_news', label: 'Latest News', href: '/news/' },
  { name: 'places', label: 'Places', href: '/places/' },
] as const

/**
 * The side menu: the entries of the site's bar, in order, with a menu in place of an entry for the
 * same page; then the menus that the bar lacks. Nothing appears twice.
 */
export function sideEntries(site: Site, navigation: Navigation): SideEntries {
  const more = navigation.more.map((link) => ({ ...link, external: false }))
  const sections = navigation.latest_news?.links.map(({ href }) => href) ?? []
  const elsewhere = new Set([...sections, ...more.map(({ href }) => href)])
  const menus = MENUS.flatMap(({ name, label, href }) => {
    const menu = navigation[name]
    if (!menu || menu.cards.length + menu.links.length === 0) return []
    // The menu replaces the entry, so it needs a link to the entry's page.
    const links = menu.links.length > 0 ? menu.links : [{ label: `All ${label}`, href }]
    return [{ href, label, menu: { ...menu, links } }]
  })
  const inBar = new Set(site.navigation.map(({ href }) => href))
  const main: SideEntry[] = []
  for (const item of site.navigation) {
    const menu = menus.find(({ href }) => href === item.href)
    if (menu) main.push({ label: menu.label, menu: menu.menu })
    else if (!elsewhere.has(item.href)) main.push(item)
  }
  for (const { href, label, menu } of menus) if (!inBar.has(href)) main.push({ label, menu })
  const { videos, patio_guide: patioGuide } = navigation
  if (videos && !inBar.has(videos.href)) main.push({ ...videos, external: false })
  if (patioGuide && !inBar.has(patioGuide.href)) main.push({ ...patioGuide, external: true })
  return { main, more }
}
