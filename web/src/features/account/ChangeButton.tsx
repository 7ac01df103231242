import { useState, type ReactNode } from 'react'
import { Button } from '#/ui/Button'
import { Dialog } from '#/ui/Dialog'

interface Props {
  /** The noun after "Change your". */
  what: string
  children: (close: () => void) => ReactNode
}

/** A button that opens a form in a dialog. The form is unmounted with the dialog, which clears its errors. */
export function ChangeButton({ what, children }: Props) {
  const [isOpen, setOpen] = useState(false)
  const close = (): void => setOpen(false)
  const title = `Change your ${what}`
  return (
    <>
      <Button look="outline" aria-label={title} onClick={() => setOpen(true)}>
        Change
      </Button>
      <Dialog title={title} isOpen={isOpen} onClose={close}>
        {children(close)}
      </Dialog>
    </>
  )
}
