import type { ReactNode } from 'react'
import type { Newsletter } from '#/api/types'
import styles from './NewsletterList.module.css'

/** A newsletter in a list, in the words that a reader agrees to. */
export function NewsletterItem({ newsletter }: { newsletter: Newsletter }) {
  return (
    <span className={styles.words}>
      <span className={styles.name}>
        {newsletter.title} <span className={styles.schedule}>{newsletter.schedule}</span>
      </span>
      <span className={styles.text}>{newsletter.description}</span>
      <span className={styles.consent}>{newsletter.consent}</span>
    </span>
  )
}

export function NewsletterList({ children }: { children: ReactNode }) {
  return <ul className={styles.list}>{children}</ul>
}
