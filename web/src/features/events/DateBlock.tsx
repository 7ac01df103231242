import type { Event } from '#/api/types'
import styles from './DateBlock.module.css'
import { dateParts } from './when'

interface Props {
  event: Event
  /** A badge on a picture, or a block in a line. */
  look?: 'badge' | 'line'
}

/** The day of the next occurrence, in the style of a calendar page. */
export function DateBlock({ event, look = 'badge' }: Props) {
  const parts = dateParts(event, event)
  if (!parts) return null
  return (
    <time className={`${styles.block} ${styles[look]}`} dateTime={event.starts_at ?? undefined}>
      <span className={styles.weekday}>{parts.weekday} </span>
      <span className={styles.day}>{parts.day} </span>
      <span>{parts.month}</span>
    </time>
  )
}
