import { useEffect, useState } from 'react'

/** A page whose body is lower than this, in px, has no floating reminder (spec, section 2). */
const TALL = 1000

/** Whether the page's body is tall; measured again whenever its height changes, as when images load. */
export function useIsTall(): boolean {
  const [isTall, setTall] = useState(false)
  useEffect(() => {
    const measure = (): void => setTall(document.body.getBoundingClientRect().height >= TALL)
    const watching = new ResizeObserver(measure)
    watching.observe(document.body)
    measure()
    return () => watching.disconnect()
  }, [])
  return isTall
}
