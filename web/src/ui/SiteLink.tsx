import { Link } from '@tanstack/react-router'
import type { AriaAttributes, ReactNode } from 'react'

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

/** A link to a path of this site in the server's spelling; the router follows it without a load. */
export function SiteLink({ href, children, ...rest }: Props) {
  const url = new URL(href, window.location.origin)
  if (url.origin !== window.location.origin) {
    return (
      <a href={href} {...rest}>
        {children}
      </a>
    )
  }
  return (
    <Link
      to={url.pathname}
      search={Object.fromEntries(url.searchParams)}
      hash={url.hash.slice(1)}
      activeOptions={ACTIVE_OPTIONS}
      activeProps={NO_PROPS}
      {...rest}
    >
      {children}
    </Link>
  )
}
