import type { ReactNode } from 'react'
import styles from './LeadAndSeconds.module.css'
import { Placeholder } from './Placeholder'
import { Skeleton } from './Skeleton'

interface Props {
  lead: ReactNode
  /** List items. */
  seconds: readonly ReactNode[]
  /** Whether the second column is nearly as wide as the first and shows its pictures. */
  isEven?: boolean
}

/** The top of a front page or a section: a lead and up to three items beside it. */
export function LeadAndSeconds({ lead, seconds, isEven = false }: Props) {
  return (
    <div className={isEven ? styles.even : styles.front}>
      <div>{lead}</div>
      {seconds.length > 0 && <ul className={styles.seconds}>{seconds}</ul>}
    </div>
  )
}

export function LeadAndSecondsSkeleton({ isEven = false }: { isEven?: boolean }) {
  return (
    <Placeholder what="the front" className={isEven ? styles.even : styles.front}>
      <div className={styles.bone}>
        <Skeleton height="100%" />
      </div>
      <div className={styles.seconds}>
        {[0, 1, 2].map((index) => (
          <Skeleton key={index} height="7rem" />
        ))}
      </div>
    </Placeholder>
  )
}
