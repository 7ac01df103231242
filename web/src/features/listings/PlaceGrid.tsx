import type { ReactNode } from 'react'
import { Skeleton } from '#/ui/Skeleton'
import styles from './PlaceGrid.module.css'

export function PlaceGrid({ children }: { children: ReactNode }) {
  return <ul className={styles.grid}>{children}</ul>
}

/** The grid's shape while its first page is on its way. */
export function PlaceGridSkeleton({ count = 8 }: { count?: number }) {
  return (
    <div role="status" aria-label="Loading places">
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
    </div>
  )
}
