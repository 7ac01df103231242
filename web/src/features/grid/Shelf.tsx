import type { ReactNode } from 'react'
import styles from './Shelf.module.css'

interface Props {
  /** Whether the row has three cards instead of four. */
  isOfThree?: boolean
  children: ReactNode
}

/** A row of cards that scrolls sideways on a narrow screen. */
export function Shelf({ isOfThree = false, children }: Props) {
  return <ul className={`${styles.shelf} ${isOfThree ? styles.three : ''}`.trim()}>{children}</ul>
}

/** Reserves the space of a shelf while its cards load. */
export function ShelfSkeleton({ children }: { children: ReactNode }) {
  return <div className={styles.shelf}>{children}</div>
}
