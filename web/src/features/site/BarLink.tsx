import type { NavigationItem } from '#/api/types'
import { SiteLink } from '#/ui/SiteLink'

interface Props {
  item: NavigationItem
  path: string
}

/** A link of the bar or the side menu; the link to the current page is marked. */
export function BarLink({ item, path }: Props) {
  if (item.external) {
    return (
      <a href={item.href} rel="noopener">
        {item.label}
      </a>
    )
  }
  return (
    <SiteLink href={item.href} aria-current={isWithin(item.href, path) ? 'page' : undefined}>
      {item.label}
    </SiteLink>
  )
}

function isWithin(href: string, path: string): boolean {
  return href === '/' ? path === '/' : path.startsWith(href)
}
