import { AlertDialog } from '@base-ui/react/alert-dialog'
import { Dialog as Base } from '@base-ui/react/dialog'
import {
  useEffect,
  useEffectEvent,
  useRef,
  type KeyboardEventHandler,
  type ReactNode,
  type RefObject,
} from 'react'
import { addDialog } from '#/lib/dialog-history'
import { CloseIcon } from './icons'
import styles from './Dialog.module.css'

interface Props {
  isOpen: boolean
  onClose: () => void
  title: string
  /**
   * A centred dialog (a bottom sheet on extra-small screens), a drawer or a sheet from above (both
   * below the bar where that is large), a panel below the bar, or the whole screen, which has its own address.
   */
  kind?: 'dialog' | 'drawer' | 'panel' | 'sheet' | 'full'
  /** Whether the page is blocked; a panel on a large screen leaves it usable. */
  isModal?: boolean
  /**
   * A question about the page itself, which is answered by its own buttons: a click outside does nothing, Escape
   * closes it, and Back leaves the page.
   */
  isQuestion?: boolean
  isTitleHidden?: boolean
  /** The element that gets the focus first; by default a dialog's first field, or the first focusable element. */
  initialFocus?: RefObject<HTMLElement | null> | undefined
  /** The element that gets the focus after closing; by default the previously focused one. */
  finalFocus?: (() => HTMLElement | null | undefined) | undefined
  onKeyDown?: KeyboardEventHandler | undefined
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
  initialFocus,
  finalFocus,
  onKeyDown,
  children,
}: Props) {
  const popup = useRef<HTMLDivElement>(null)
  const onBack = useEffectEvent(onClose)
  const isClosedByBack = isOpen && !isQuestion && kind !== 'full'
  useEffect(() => (isClosedByBack ? addDialog(() => onBack()) : undefined), [isClosedByBack])

  // A form starts at its first field rather than at the close button.
  const firstField = (): HTMLElement | true =>
    popup.current?.querySelector<HTMLElement>('input, select, textarea') ?? true
  const onOpenChange = (open: boolean, { reason, event }: Base.Root.ChangeEventDetails): void => {
    // A button that opens a panel decides itself which panel closes.
    if (!open && !(reason === 'outside-press' && isOpener(event.target))) onClose()
  }
  const content = (
    <Base.Portal>
      {isModal && <Base.Backdrop className={styles.backdrop} />}
      <Base.Popup
        className={`${styles.popup} ${styles[kind]}`}
        ref={popup}
        onKeyDown={onKeyDown}
        finalFocus={finalFocus && (() => finalFocus() ?? true)}
        initialFocus={initialFocus ?? (kind === 'dialog' ? firstField : undefined)}
      >
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

function isOpener(target: EventTarget | null): boolean {
  return target instanceof Element && target.closest('[aria-haspopup="dialog"]') !== null
}
