import { useId, type InputHTMLAttributes } from 'react'
import styles from './TextField.module.css'

interface Props extends InputHTMLAttributes<HTMLInputElement> {
  label: string
  /** The error message to show. */
  message?: string | undefined
  isInvalid?: boolean
}

export function TextField({ label, message, isInvalid = false, ...rest }: Props) {
  const id = useId()
  return (
    <div className={styles.field}>
      <label className={styles.label} htmlFor={id}>
        {label}
      </label>
      <input
        {...rest}
        id={id}
        className={styles.input}
        aria-invalid={isInvalid || message ? true : undefined}
        aria-describedby={message ? `${id}-message` : undefined}
      />
      {message && (
        <p className={styles.message} id={`${id}-message`} role="alert">
          {message}
        </p>
      )}
    </div>
  )
}
