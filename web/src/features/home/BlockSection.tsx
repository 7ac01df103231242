import type { ReactNode } from 'react'
import type { HomeBlock } from '#/api/types'
import { useIsOnline } from '#/lib/online'
import { SectionHeading } from '#/ui/SectionHeading'
import { SiteLink } from '#/ui/SiteLink'

export interface BlockProps {
  block: HomeBlock
  /** Whether this is the first block of the front page. */
  isFirst: boolean
}

interface SectionProps {
  block: HomeBlock
  isBusy?: boolean
  children: ReactNode
}

/** A block below the lead block: a linked heading and items. */
export function BlockSection({ block, isBusy = false, children }: SectionProps) {
  const { title, href } = block
  const isOnline = useIsOnline()
  // Without a network nothing arrives, and the first block or the page explains it.
  if (isBusy && !isOnline) return null
  return (
    <section aria-busy={isBusy || undefined}>
      {title && (
        <SectionHeading
          aside={
            href && (
              <SiteLink href={href}>
                See all<span className="visually-hidden"> of {title}</span>
              </SiteLink>
            )
          }
        >
          {title}
        </SectionHeading>
      )}
      {children}
    </section>
  )
}
