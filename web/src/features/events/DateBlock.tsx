import type { Event } from '#/api/types'
import styles from './DateBlock.module.css'

interface Props {
  event: Event
  /** A badge on a picture, or a block in a line. */
  look?: 'badge' | 'line'
}

/** The day of the next occurrence, like a page of a calendar. */
export function DateBlock({ event, look = 'badge' }: Props) {
  const leaf = event.calendar_day
  if (!leaf) return null
  return (
    <time className={`${styles.block} ${styles[look]}`} dateTime={event.starts_at ?? undefined}>
      <span className={styles.weekday}>{`${leaf.weekday} `}</span>
      <span className={styles.day}>{`${leaf.day} `}</span>
      <span>{leaf.month}</span>
    </time>
  )
}
