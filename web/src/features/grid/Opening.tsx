import type { ReactNode } from 'react'
import { Skeleton } from '#/ui/Skeleton'
import styles from './Opening.module.css'

interface Props {
  /** The large card. */
  children: ReactNode
  beside?: ReactNode
}

/** The large card of a list's first item, above the grid of the others. */
export function Opening({ children, beside }: Props) {
  return (
    <div className={`${styles.opening} ${beside ? '' : styles.alone}`.trim()}>
      {children}
      {beside}
    </div>
  )
}

export function OpeningSkeleton() {
  return (
    <div className={styles.opening}>
      <Skeleton ratio="3 / 2" />
      <Skeleton height="8rem" />
    </div>
  )
}
