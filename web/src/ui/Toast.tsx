import { Button } from './Button'
import { FloatingCard } from './FloatingCard'
import styles from './Toast.module.css'

interface Props {
  message: string
  onRetry: () => void
  onClose: () => void
}

/** Reports that a change was not saved, above the page, until the reader repeats the change or closes the report. */
export function Toast({ message, onRetry, onClose }: Props) {
  return (
    <FloatingCard className={styles.toast} onClose={onClose}>
      <div className={styles.row}>
        <p role="alert">{message}</p>
        <Button look="quiet" onClick={onRetry}>
          Try again
        </Button>
      </div>
    </FloatingCard>
  )
}
