import { useEffect, useState, type RefObject } from 'react'
import { whenNear } from './near'

/** Whether an element has come near the viewport; stays true. */
export function useIsNear(element: RefObject<Element | null>): boolean {
  const [isNear, setNear] = useState(false)
  useEffect(() => {
    const target = element.current
    if (isNear || !target) return
    return whenNear([target], () => setNear(true))
  }, [element, isNear])
  return isNear
}
