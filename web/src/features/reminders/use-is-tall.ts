import { useEffect, useState } from 'react'

/** The minimum height of a page's body for the floating reminder, in px. */
const MIN_HEIGHT = 1000

/** Whether the page's body is tall; updated whenever its height changes, for example when images load. */
export function useIsTall(): boolean {
  const [isTall, setTall] = useState(false)
  useEffect(() => {
    const measure = (): void => setTall(document.body.getBoundingClientRect().height >= MIN_HEIGHT)
    const watching = new ResizeObserver(measure)
    watching.observe(document.body)
    measure()
    return () => watching.disconnect()
  }, [])
  return isTall
}
