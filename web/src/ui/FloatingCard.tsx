import { useLayoutEffect, useRef, type ReactNode } from 'react'
import { CloseIcon } from './icons'
import styles from './FloatingCard.module.css'

interface Props {
  /** The name of a card that is a landmark. */
  label?: string
  /** Places the card and its content. */
  className: string | undefined
  onClose: () => void
  children: ReactNode
}

/** A card above the page that can be closed. */
export function FloatingCard({ label, className = '', onClose, children }: Props) {
  const card = useRef<HTMLDivElement>(null)

  useLayoutEffect(() => {
    const shown = card.current
    return () => {
      // The focus moves on when the card is removed.
      if (!shown?.contains(document.activeElement)) return
      const page = shown.closest<HTMLElement>('main') ?? document.getElementById('content')
      page?.focus({ preventScroll: true })
    }
  }, [])

  const Element = label ? 'aside' : 'div'
  return (
    <Element className={`${styles.card} ${className}`} aria-label={label} ref={card}>
      <div className={styles.content}>{children}</div>
      <button type="button" className={styles.close} aria-label="Close" onClick={onClose}>
        <CloseIcon />
      </button>
    </Element>
  )
}
