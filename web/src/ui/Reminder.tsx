import type { ReactNode } from 'react'
import { FloatingCard } from './FloatingCard'
import styles from './Reminder.module.css'

interface Props {
  label: string
  onClose: () => void
  /** Whether the page has controls at the bottom of a phone's screen, which must stay visible. */
  isAboveDock?: boolean
  children: ReactNode
}

/**
 * A card that floats in the window's corner and can be closed. Put it at the end of the page's
 * content: it takes no space there, and stops above the footer.
 */
export function Reminder({ label, onClose, isAboveDock = false, children }: Props) {
  return (
    <div className={`${styles.corner} ${isAboveDock ? styles.raised : ''}`}>
      <FloatingCard label={label} className={styles.card} onClose={onClose}>
        <div className={styles.content}>{children}</div>
      </FloatingCard>
    </div>
  )
}
