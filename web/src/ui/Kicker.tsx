import type { ReactNode } from 'react'
import styles from './Kicker.module.css'

/** What stands above a page's name: links, and words in spans. */
export function Kicker({ children }: { children: ReactNode }) {
  return <p className={styles.kicker}>{children}</p>
}
