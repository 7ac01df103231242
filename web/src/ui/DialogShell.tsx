import styles from './Dialog.module.css'
import { Skeleton } from './Skeleton'

interface Props {
  kind: 'dialog' | 'drawer' | 'panel' | 'sheet'
  isModal?: boolean
}

/** A dialog's frame, shown immediately while the dialog's code loads. */
export function DialogShell({ kind, isModal = true }: Props) {
  return (
    <>
      {isModal && <div className={styles.backdrop} />}
      <div
        className={`${styles.popup} ${styles[kind]} ${styles.shell}`}
        role="status"
        aria-label="Loading"
      >
        {['60%', '100%', '100%', '40%'].map((width, line) => (
          <Skeleton key={line} width={width} height="1.75rem" />
        ))}
      </div>
    </>
  )
}
