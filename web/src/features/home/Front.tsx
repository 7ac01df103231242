import type { ReactNode } from 'react'
import { Skeleton } from '#/ui/Skeleton'
import styles from './Front.module.css'

interface Props {
  lead: ReactNode
  /** List items. */
  seconds: readonly ReactNode[]
}

/** What a front page opens with: one large, and up to three beside it. */
export function Front({ lead, seconds }: Props) {
  return (
    <div className={styles.front}>
      <div className={styles.lead}>{lead}</div>
      {seconds.length > 0 && <ul className={styles.seconds}>{seconds}</ul>}
    </div>
  )
}

export function FrontSkeleton() {
  return (
    <div className={styles.front} role="status" aria-label="Loading the front page">
      <div className={styles.lead}>
        <Skeleton ratio="3 / 2" />
        <br />
        <Skeleton width="30%" height="1rem" />
        <br />
        <Skeleton width="80%" height="4rem" />
      </div>
      <div className={styles.seconds}>
        {[0, 1, 2].map((index) => (
          <Skeleton key={index} height="7rem" />
        ))}
      </div>
    </div>
  )
}
