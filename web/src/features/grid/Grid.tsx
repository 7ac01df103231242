import type { ReactNode } from 'react'
import { Placeholder } from '#/ui/Placeholder'
import { Skeleton } from '#/ui/Skeleton'
import styles from './Grid.module.css'

interface GridProps {
  /** Whether the items need a phone's whole width. */
  isWide?: boolean | undefined
  children: ReactNode
}

export function Grid({ isWide = false, children }: GridProps) {
  return <ul className={`${styles.grid} ${isWide ? styles.wide : ''}`.trim()}>{children}</ul>
}

interface SkeletonProps {
  /** The noun of the loading items: "places". */
  what: string
  count?: number
}

/** The grid's skeleton while its first page loads. */
export function GridSkeleton({ what, count = 8 }: SkeletonProps) {
  return (
    <Placeholder what={what}>
      <div className={styles.grid}>
        {Array.from({ length: count }, (_, index) => (
          <div key={index}>
            <Skeleton ratio="3 / 2" />
            <br />
            <Skeleton width="35%" height="0.8rem" />
            <br />
            <Skeleton width="80%" height="1.3rem" />
          </div>
        ))}
      </div>
    </Placeholder>
  )
}
