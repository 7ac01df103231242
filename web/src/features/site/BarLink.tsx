import type { NavigationItem } from '#/api/types'
import { SiteLink } from '#/ui/SiteLink'

interface Props {
  item: NavigationItem
  path: string
}

/** An entry of the bar or of the side menu, which says whether the reader is there. */
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
