import { Suspense, useEffect, useRef, useState } from 'react'
import type { HomeBlock } from '#/api/types'
import { optionalComponent } from '#/lib/online'
import { useIsNear } from '#/lib/use-is-near'
import { whenIdle } from '#/lib/when-idle'
import { Skeleton } from '#/ui/Skeleton'
import { BlockSection } from './BlockSection'
import { RowSkeleton } from './RowSkeleton'

const Block = optionalComponent(
  async () => ({ default: (await import('./Block')).Block }),
  () => null,
)

/** A block below the first screen: its code and items load when it comes near the viewport, or in idle time. */
export function LaterBlock({ block }: { block: HomeBlock }) {
  const room = useRef<HTMLDivElement>(null)
  const isNear = useIsNear(room)
  const [isIdle, setIdle] = useState(false)
  useEffect(() => whenIdle(() => setIdle(true)), [])
  // Without its heading and link, which would lose the focus when the block replaces them.
  const skeleton = (
    <BlockSection block={{ ...block, title: null, href: null }} isBusy>
      <Skeleton height="var(--target)" />
      <RowSkeleton limit={block.limit} />
    </BlockSection>
  )
  if (!isNear && !isIdle) {
    return (
      <div ref={room} aria-busy="true">
        {skeleton}
      </div>
    )
  }
  return (
    <Suspense fallback={skeleton}>
      <Block block={block} isFirst={false} />
    </Suspense>
  )
}
