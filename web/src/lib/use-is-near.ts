import { useEffect, useState, type RefObject } from 'react'

/** The distance from the viewport that counts as near: about a screen. */
const NEAR = '100% 0px'

/** Whether the reader has scrolled near an element; stays true. */
export function useIsNear(element: RefObject<Element | null>): boolean {
  const [isNear, setNear] = useState(false)
  useEffect(() => {
    const target = element.current
    if (isNear || !target) return
    const watching = new IntersectionObserver(
      (entries) => {
        if (entries.some((entry) => entry.isIntersecting)) setNear(true)
      },
      { rootMargin: NEAR },
    )
    watching.observe(target)
    return () => watching.disconnect()
  }, [element, isNear])
  return isNear
}
