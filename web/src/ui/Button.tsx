import type { ComponentProps } from 'react'
import styles from './Button.module.css'

interface Props extends ComponentProps<'button'> {
  /** `danger` is for what cannot be undone. */
  look?: 'solid' | 'outline' | 'quiet' | 'danger'
  /** While true the button says that it is busy and takes no second click. */
  isBusy?: boolean
}

export function Button({ look = 'solid', isBusy = false, className, children, ...rest }: Props) {
  const classes = [styles.button, styles[look], className].filter(Boolean).join(' ')
  return (
    <button
      type="button"
      {...rest}
      className={classes}
      aria-busy={isBusy || undefined}
      aria-disabled={isBusy || undefined}
      onClick={isBusy ? (event) => event.preventDefault() : rest.onClick}
    >
      {isBusy && <span className={styles.spinner} aria-hidden="true" />}
      {children}
    </button>
  )
}
