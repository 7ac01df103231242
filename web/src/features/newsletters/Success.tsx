import { useEffect } from 'react'
import { announce } from '#/ui/Announcer'
import styles from './Success.module.css'

/** To the letter (spec, section 8). */
const THANKS =
  "Thanks for signing up to our newsletter - we're excited to have you on board. Expect to hear from us soon."

/** The button that had the focus is gone with the form, which began above it and perhaps above the window. */
function show(element: HTMLElement | null): void {
  element?.focus({ preventScroll: true })
  element?.scrollIntoView({ block: 'center' })
}

/** Stands in place of a form for guests that was sent. */
export function Success() {
  useEffect(() => announce(THANKS), [])
  return (
    <div className={styles.success} tabIndex={-1} ref={show}>
      <p>{THANKS}</p>
      <p className={styles.note}>
        One last step: we have sent you an email with a link that confirms your address.
      </p>
    </div>
  )
}
