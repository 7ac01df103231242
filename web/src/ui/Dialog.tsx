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
  isTitleHidden?: boolean
  children: ReactNode
}

export function Dialog({
  isOpen,
  onClose,
  title,
  kind = 'dialog',
  isModal = true,
  isTitleHidden = false,
  children,
}: Props) {
  return (
    <Base.Root
      open={isOpen}
      modal={isModal}
      onOpenChange={(open) => {
        if (!open) onClose()
      }}
    >
      <Base.Portal>
        {isModal && <Base.Backdrop className={styles.backdrop} />}
        <Base.Popup className={`${styles.popup} ${styles[kind]}`}>
          <div className={styles.head}>
            <Base.Title className={isTitleHidden ? 'visually-hidden' : styles.title}>
              {title}
            </Base.Title>
            <Base.Close className={styles.close} aria-label="Close">
              <CloseIcon />
            </Base.Close>
          </div>
          {children}
        </Base.Popup>
      </Base.Portal>
    </Base.Root>
  )
}
