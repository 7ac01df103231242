import type { ReactNode } from 'react'
import styles from './Shelf.module.css'

/** Cards beside each other, which run out of a narrow screen and are pushed along. */
export function Shelf({ children }: { children: ReactNode }) {
  return <ul className={styles.shelf}>{children}</ul>
}
