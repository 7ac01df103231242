import type { ReactNode } from 'react'
import { Html } from './Html'
import styles from './Prose.module.css'

interface Props {
  /** HTML that the server has sanitised. */
  html: string
  /** A story opens with a large initial. */
  isStory?: boolean
}

/** A text of several paragraphs, 60 to 70 characters wide. */
export function Prose({ html, isStory = false }: Props) {
  return <Html className={`${styles.prose} ${isStory ? styles.opening : ''}`} html={html} />
}

/** The same for a text of the application. */
export function ProseParts({ children }: { children: ReactNode }) {
  return <div className={styles.prose}>{children}</div>
}
