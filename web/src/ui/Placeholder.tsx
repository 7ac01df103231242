import { useEffect, type ReactNode } from 'react'
import { announce } from './Announcer'

interface Props {
  /** The noun of the loading content: "places". */
  what: string
  className?: string | undefined
  children?: ReactNode
}

/** The room of content that is loading, with its skeleton. */
export function Placeholder({ what, className, children }: Props) {
  const label = `Loading ${what}`
  useEffect(() => announceLoading(label), [label])
  return (
    <div role="group" aria-busy="true" aria-label={label} className={className}>
      {children}
    </div>
  )
}

/** Content that loads faster is not announced, in milliseconds. */
const DELAY = 500

let shown = 0
let isAnnounced = false
let starting: ReturnType<typeof setTimeout> | undefined

/**
 * Announces that content is loading, once for all placeholders that are shown together or follow each other, such as
 * the placeholders of a page's code and of its data. Returns the function that ends it.
 */
function announceLoading(label: string): () => void {
  shown += 1
  if (!isAnnounced) {
    starting ??= setTimeout(() => {
      starting = undefined
      if (shown === 0) return
      isAnnounced = true
      announce(label)
    }, DELAY)
  }
  return () => {
    shown -= 1
    setTimeout(() => {
      if (shown === 0) isAnnounced = false
    }, DELAY)
  }
}
