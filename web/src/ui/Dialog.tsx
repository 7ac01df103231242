import { AlertDialog } from '@base-ui/react/alert-dialog'
import { Dialog as Base } from '@base-ui/react/dialog'
import type { ReactNode } from 'react'
import { CloseIcon } from './icons'
import styles from './Dialog.module.css'

interface Props {
  isOpen: boolean
  onClose: () => void
  title: string
  /** A centred dialog (a bottom sheet on extra-small screens), a drawer, or a panel below the bar. */
  kind?: 'dialog' | 'drawer' | 'panel'
  /** A panel on a large screen leaves the page usable. */
  isModal?: boolean
  /** A question that its own buttons answer: a press beside it does nothing, Escape closes it. */
  isQuestion?: boolean
  isTitleHidden?: boolean
  children: ReactNode
}

export function Dialog({
  isOpen,
  onClose,
  title,
  kind = 'dialog',
  isModal = true,
  isQuestion = false,
  isTitleHidden = false,
  children,
}: Props) {
  const onOpenChange = (open: boolean): void => {
    if (!open) onClose()
  }
  const content = (
    <Base.Portal>
      {isModal && <Base.Backdrop className={styles.backdrop} />}
      <Base.Popup className={`${styles.popup} ${styles[kind]}`}>
        <div className={styles.head}>
          <Base.Title className={isTitleHidden ? 'visually-hidden' : styles.title}>
            {title}
          </Base.Title>
          {!isQuestion && (
            <Base.Close className={styles.close} aria-label="Close">
              <CloseIcon />
            </Base.Close>
          )}
        </div>
        {children}
      </Base.Popup>
    </Base.Portal>
  )
  if (isQuestion) {
    return (
      <AlertDialog.Root open={isOpen} onOpenChange={onOpenChange}>
        {content}
      </AlertDialog.Root>
    )
  }
  return (
    <Base.Root open={isOpen} modal={isModal} onOpenChange={onOpenChange}>
      {content}
    </Base.Root>
  )
}
