import type { ReactNode } from 'react'
import styles from './Bleed.module.css'

/**
 * The picture of a page: it reaches the edges of a small screen, and the picture of a followed card grows into it.
 */
export function Bleed({ children }: { children: ReactNode }) {
  return (
    <div className={styles.bleed} data-hero>
      {children}
    </div>
  )
}
