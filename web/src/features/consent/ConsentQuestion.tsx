import { lazy, Suspense } from 'react'
import { online } from '#/lib/online'
import { useIsAsked } from './account'

// Most readers have answered.
const ConsentBanner = lazy(online(() => import('./ConsentBanner')))

/** The banner, while the reader is to be asked. Servers render none: their pages are the same for everyone. */
export function ConsentQuestion() {
  if (!useIsAsked()) return null
  return (
    <Suspense>
      <ConsentBanner />
    </Suspense>
  )
}
