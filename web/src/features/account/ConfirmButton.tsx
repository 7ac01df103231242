import { useState } from 'react'
import { Button } from '#/ui/Button'
import { Dialog } from '#/ui/Dialog'
import { Failure } from '#/ui/form/Failure'
import styles from './forms.module.css'

interface Props {
  /** The action, on the button and in the question. */
  name: string
  /** The accessible name of a button that each item of a list has. */
  label?: string
  /** The consequences of the action. */
  text: string
  isBusy: boolean
  error: Error | null
  onYes: (close: () => void) => void
}

/** A button for an action that cannot be undone: it acts after a confirmation. */
export function ConfirmButton({ name, label, text, isBusy, error, onYes }: Props) {
  const [isOpen, setOpen] = useState(false)
  const close = (): void => setOpen(false)
  return (
    <>
      <Button look="outline" aria-label={label} onClick={() => setOpen(true)}>
        {name}
      </Button>
      <Dialog title={`${label ?? name}?`} isOpen={isOpen} onClose={close}>
        <p className={styles.text}>{text}</p>
        <Failure error={error} />
        <div className={styles.actions}>
          <Button isBusy={isBusy} onClick={() => onYes(close)}>
            {name}
          </Button>
          <Button look="outline" onClick={close}>
            Cancel
          </Button>
        </div>
      </Dialog>
    </>
  )
}
