import type { ReactNode } from 'react'
import styles from './Kicker.module.css'

/** Links, and words in spans, above a page's title. */
export function Kicker({ children }: { children: ReactNode }) {
  return <p className={styles.kicker}>{children}</p>
}
