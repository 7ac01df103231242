import { useLayoutEffect, useRef, type ReactNode } from 'react'
import { CloseIcon } from './icons'
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
  const card = useRef<HTMLElement>(null)

  useLayoutEffect(() => {
    const shown = card.current
    return () => {
      // The focus moves on when the card is removed.
      if (!shown?.contains(document.activeElement)) return
      shown.closest<HTMLElement>('main')?.focus({ preventScroll: true })
    }
  }, [])

  return (
    <div className={`${styles.corner} ${isAboveDock ? styles.raised : ''}`}>
      <aside className={styles.card} aria-label={label} ref={card}>
        <div className={styles.content}>{children}</div>
        <button type="button" className={styles.close} aria-label="Close" onClick={onClose}>
          <CloseIcon />
        </button>
      </aside>
    </div>
  )
}
