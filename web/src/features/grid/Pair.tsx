import type { ReactNode } from 'react'
import styles from './Pair.module.css'

interface Props {
  first: ReactNode
  /** List items. */
  children: ReactNode
}

/** One of a kind large, the others beside it as lines of an index. */
export function Pair({ first, children }: Props) {
  return (
    <div className={styles.pair}>
      {first}
      <ul className={styles.lines}>{children}</ul>
    </div>
  )
}
