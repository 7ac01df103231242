import { useEffect, useId, useState } from 'react'
import { useSite } from '#/features/site/site'
import { Button } from '#/ui/Button'
import { Dialog } from '#/ui/Dialog'
import styles from './AgeDialog.module.css'

/** Set on the body while the dialog is open. */
const MARKER = 'age-gate-open'

interface Props {
  isOpen: boolean
  onYes: (isRemembered: boolean) => void
  onNo: (isRemembered: boolean) => void
}

/**
 * Asks for the reader's age. Escape counts as No, since a dialog that ignores Escape is a trap. Such a No is never
 * remembered, since no button was pressed. The checkbox comes first and gets the focus, so that a key held since the
 * last page presses no button.
 */
export default function AgeDialog({ isOpen, onYes, onNo }: Props) {
  const { legal_age: legalAge } = useSite()
  const [isRemembered, setRemembered] = useState(false)
  const label = useId()
  const note = useId()

  useEffect(() => {
    if (!isOpen) return
    document.body.classList.add(MARKER)
    return () => document.body.classList.remove(MARKER)
  }, [isOpen])

  return (
    <Dialog title="Age Restricted Content" isQuestion isOpen={isOpen} onClose={() => onNo(false)}>
      <div className={styles.body}>
        <p>
          {legalAge
            ? `This page is for readers who are ${legalAge} or older.`
            : 'This page is for readers of legal age.'}
        </p>
        <label className={styles.remember}>
          <input
            type="checkbox"
            checked={isRemembered}
            aria-labelledby={label}
            aria-describedby={note}
            onChange={(event) => setRemembered(event.target.checked)}
          />
          <span>
            <span id={label}>Remember my selection for 30 days.</span>
            <span className={styles.note} id={note}>
              I confirm that this is not a shared device.
            </span>
          </span>
        </label>
        <div className={styles.answers}>
          <Button onClick={() => onYes(isRemembered)}>Yes, I am of legal age</Button>
          <Button look="outline" onClick={() => onNo(isRemembered)}>
            No, I am not of legal age
          </Button>
        </div>
      </div>
    </Dialog>
  )
}
