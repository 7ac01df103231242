import type { ComponentProps } from 'react'
import styles from './Button.module.css'

interface Props extends ComponentProps<'button'> {
  /** `danger` is for irreversible actions. */
  look?: 'solid' | 'outline' | 'quiet' | 'danger'
  /** Whether the button shows that it is busy and ignores clicks. */
  isBusy?: boolean
  /** Whether it ignores clicks, for example while another button is busy. */
  isInert?: boolean
}

export function Button({
  look = 'solid',
  isBusy = false,
  isInert = false,
  className,
  children,
  ...rest
}: Props) {
  const classes = [styles.button, styles[look], className].filter(Boolean).join(' ')
  const ignores = isBusy || isInert
  return (
    <button
      type="button"
      {...rest}
      className={classes}
      aria-busy={isBusy || undefined}
      aria-disabled={ignores || undefined}
      onClick={ignores ? (event) => event.preventDefault() : rest.onClick}
    >
      {isBusy && <span className={styles.spinner} aria-hidden="true" />}
      {children}
    </button>
  )
}
