import type { ReactNode } from 'react'
import styles from './Notice.module.css'

interface Props {
  title: string
  level?: 1 | 2
  isAlert?: boolean
  /** Whether a drawing shows that there is nothing here. */
  isEmpty?: boolean
  children?: ReactNode
}

/** A message in place of a page's content: empty, not found or failed. */
export function Notice({ title, level = 2, isAlert = false, isEmpty = false, children }: Props) {
  const Heading = level === 1 ? 'h1' : 'h2'
  return (
    <div
      className={`${styles.notice} ${level === 1 ? styles.page : ''}`}
      role={isAlert ? 'alert' : undefined}
    >
      {isEmpty && <div className={styles.drawing} aria-hidden="true" />}
      <Heading className={styles.title}>{title}</Heading>
      <div className={styles.body}>{children}</div>
    </div>
  )
}
