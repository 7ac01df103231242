import { Suspense, type ComponentProps } from 'react'
import { optionalComponent } from '#/lib/online'
import { Loading } from '#/ui/Loading'
import { Placeholder } from '#/ui/Placeholder'
import type * as Skeletons from './PageSkeleton'

const load = (): Promise<typeof Skeletons> => import('./PageSkeleton')
const Page = optionalComponent(
  async () => ({ default: (await load()).PageSkeleton }),
  () => null,
)
const Pending = optionalComponent(
  async () => ({ default: (await load()).PendingPage }),
  () => null,
)

/** Loads the skeletons before the reader leaves the first page, which needs none. */
export function prepareSkeletons(): void {
  load().catch(() => undefined)
}

const WITHOUT_CODE = (
  <Loading>
    <Placeholder what="the page" />
  </Loading>
)

export function LatePageSkeleton(props: ComponentProps<typeof Page>) {
  return (
    <Suspense fallback={WITHOUT_CODE}>
      <Page {...props} />
    </Suspense>
  )
}

/** The router's page while the code of a page is loading. */
export function LatePendingPage() {
  return (
    <Suspense fallback={WITHOUT_CODE}>
      <Pending />
    </Suspense>
  )
}
