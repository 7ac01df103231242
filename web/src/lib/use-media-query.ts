import { useCallback, useSyncExternalStore } from 'react'

/** The bar is large from 1025 px. */
export const SMALL_BAR = '(max-width: 1024px)'
/** Extra-small and small screens. */
export const SMALL = '(max-width: 940px)'
export const REDUCED_MOTION = '(prefers-reduced-motion: reduce)'

export function useMediaQuery(query: string): boolean {
  const subscribe = useCallback(
    (listener: () => void) => {
      const list = window.matchMedia(query)
      list.addEventListener('change', listener)
      return () => list.removeEventListener('change', listener)
    },
    [query],
  )
  return useSyncExternalStore(subscribe, () => window.matchMedia(query).matches)
}
