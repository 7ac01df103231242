import type { ReactNode } from 'react'
import { useIsOnline } from '#/lib/online'
import { Offline } from './Offline'

/** Content that is loading: its skeleton, or a notice while there is no network. */
export function Loading({ children }: { children: ReactNode }) {
  return useIsOnline() ? children : <Offline />
}
