import { useEffect, useState } from 'react'

/**
 * The part of the window above which an element counts as reached. The reminder's card is below it, so it covers
 * nothing that precedes the element.
 */
const REACHED = '0px 0px -30% 0px'

/** Whether the reader has scrolled as far as an element, or past it; stays true. */
export function useHasReached(element: Element | null): boolean {
  const [hasReached, setReached] = useState(false)
  useEffect(() => {
    if (hasReached || !element) return
    const observer = new IntersectionObserver(
      (entries) => {
        const isReached = entries.some(
          ({ isIntersecting, boundingClientRect }) => isIntersecting || boundingClientRect.top < 0,
        )
        if (isReached) setReached(true)
      },
      { rootMargin: REACHED },
    )
    observer.observe(element)
    return () => observer.disconnect()
  }, [element, hasReached])
  return hasReached
}
