import { Suspense } from 'react'
import { optionalPart } from '#/lib/online'
import { useIsAsked } from './account'

// Most readers have answered. A banner that does not load is shown with the next page: nobody has agreed until then.
const ConsentBanner = optionalPart(
  () => import('./ConsentBanner'),
  () => null,
)

/** The banner, while the reader is to be asked. Servers render none: their pages are the same for everyone. */
export function ConsentQuestion() {
  if (!useIsAsked()) return null
  return (
    <Suspense>
      <ConsentBanner />
    </Suspense>
  )
}
