import { Suspense } from 'react'
import { optionalComponent } from '#/lib/online'
import { useShouldAsk } from './account'

// Most readers have answered. If the banner does not load, the next page shows it; until then nothing is allowed.
const ConsentBanner = optionalComponent(
  () => import('./ConsentBanner'),
  () => null,
)

/** The banner, if the reader must be asked. Servers render none: their pages are the same for everyone. */
export function ConsentQuestion() {
  if (!useShouldAsk()) return null
  return (
    <Suspense>
      <ConsentBanner />
    </Suspense>
  )
}
