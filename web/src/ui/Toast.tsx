import { useLayoutEffect, useRef } from 'react'
import { Button } from './Button'
import { CloseIcon } from './icons'
import styles from './Toast.module.css'

interface Props {
  message: string
  onRetry: () => void
  onClose: () => void
}

/** Reports that a change was not saved, above the page, until the reader repeats the change or closes the report. */
export function Toast({ message, onRetry, onClose }: Props) {
  const card = useRef<HTMLDivElement>(null)

  useLayoutEffect(() => {
    const shown = card.current
    return () => {
      // The focus moves on when the toast is removed.
      if (!shown?.contains(document.activeElement)) return
      document.getElementById('content')?.focus({ preventScroll: true })
    }
  }, [])

  return (
    <div className={styles.toast} ref={card}>
      <p role="alert">{message}</p>
      <Button look="quiet" onClick={onRetry}>
        Try again
      </Button>
      <button type="button" className={styles.close} aria-label="Close" onClick={onClose}>
        <CloseIcon />
      </button>
    </div>
  )
}
