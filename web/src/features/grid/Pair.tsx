import type { ReactNode } from 'react'
import styles from './Pair.module.css'

interface Props {
  first: ReactNode
  /** The index's entries. */
  children: ReactNode
}

/** A lead item with an index of the others beside it. */
export function Pair({ first, children }: Props) {
  return (
    <div className={styles.pair}>
      {first}
      <ul className={styles.lines}>{children}</ul>
    </div>
  )
}

/** Reserves the space of a pair while its items load. */
export function PairSkeleton({ first, children }: Props) {
  return (
    <div className={styles.pair}>
      {first}
      <div className={styles.lines}>{children}</div>
    </div>
  )
}
