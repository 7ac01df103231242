import { Link } from '@tanstack/react-router'
import { useMemo, type AriaAttributes, type ReactNode } from 'react'

interface Props extends Pick<AriaAttributes, 'aria-label' | 'aria-current'> {
  href: string
  className?: string | undefined
  onClick?: () => void
  children: ReactNode
}

// Sections of a page differ only by their hash.
const ACTIVE_OPTIONS = { exact: true, includeHash: true, includeSearch: true }

// Disables the router's own class; `aria-current` marks the active link.
const NO_PROPS = {}

/** The target of a path of this site; undefined at another site. */
function targetOf(href: string) {
  const url = new URL(href, window.location.origin)
  if (url.origin !== window.location.origin) return undefined
  return {
    to: url.pathname,
    search: Object.fromEntries(url.searchParams),
    hash: url.hash.slice(1),
  }
}

/** A link to a path of this site in the server's spelling; the router follows it without a load. */
export function SiteLink({ href, children, ...rest }: Props) {
  // Pages have hundreds of links, and the router compares their targets at each render.
  const target = useMemo(() => targetOf(href), [href])
  if (!target) {
    return (
      <a href={href} {...rest}>
        {children}
      </a>
    )
  }
  return (
    <Link {...target} activeOptions={ACTIVE_OPTIONS} activeProps={NO_PROPS} {...rest}>
      {children}
    </Link>
  )
}
