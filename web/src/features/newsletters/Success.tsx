import { useEffect } from 'react'
import { announce } from '#/ui/Announcer'
import styles from './Success.module.css'

/** Do not change this wording. */
const THANKS =
  // oxlint-disable-next-line cityguide/no-straight-apostrophe -- The specification prescribes the text.
  "Thanks for signing up to our newsletter - we're excited to have you on board. Expect to hear from us soon."

/** The focused button was removed with the form, which may begin above the window. */
function scrollIntoFocus(element: HTMLElement | null): void {
  element?.focus({ preventScroll: true })
  element?.scrollIntoView({ block: 'center' })
}

/** Replaces the form of a guest after it was sent. */
export function Success() {
  useEffect(() => announce(THANKS), [])
  return (
    <div className={styles.success} tabIndex={-1} ref={scrollIntoFocus}>
      <p>{THANKS}</p>
      <p className={styles.note}>
        One last step: open the email that we’ve just sent you and press the link in it.
      </p>
    </div>
  )
}
