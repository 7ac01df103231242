import type { ReactNode } from 'react'
import styles from './Shelf.module.css'

/** A row of cards that scrolls sideways on a narrow screen. */
export function Shelf({ children }: { children: ReactNode }) {
  return <ul className={styles.shelf}>{children}</ul>
}

/** Reserves the space of a shelf while its cards load. */
export function ShelfSkeleton({ children }: { children: ReactNode }) {
  return <div className={styles.shelf}>{children}</div>
}
