import styles from './StatusBadge.module.css'
import type { PhotoStatus } from './types'
import { STATUSES } from './words'

/** Whether others can see one of the reader's photos. */
export function StatusBadge({ status }: { status: PhotoStatus }) {
  return (
    <span className={styles.badge} data-status={status}>
      {STATUSES[status].label}
    </span>
  )
}
