import { Link } from '@tanstack/react-router'
import type { AriaAttributes, ReactNode } from 'react'

interface Props extends Pick<AriaAttributes, 'aria-label' | 'aria-current'> {
  href: string
  className?: string | undefined
  onClick?: () => void
  children: ReactNode
}

// Sections of a page differ by their hash alone.
const EXACTLY = { exact: true, includeHash: true, includeSearch: true }

// No class of the router's own; `aria-current` says which link is active.
const NOTHING = {}

/** A link to a path of this site as the server spells it; the router follows it without a load. */
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
      activeOptions={EXACTLY}
      activeProps={NOTHING}
      {...rest}
    >
      {children}
    </Link>
  )
}
