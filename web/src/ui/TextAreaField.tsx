import { useId, type TextareaHTMLAttributes } from 'react'
import styles from './TextField.module.css'

interface Props extends TextareaHTMLAttributes<HTMLTextAreaElement> {
  label: string
  /** The error message to show. */
  message?: string | undefined
}

/** A box for a text of several lines, which grows with it where the browser can. */
export function TextAreaField({ label, message, ...rest }: Props) {
  const id = useId()
  return (
    <div className={styles.field}>
      <label className={styles.label} htmlFor={id}>
        {label}
      </label>
      <textarea
        rows={6}
        {...rest}
        id={id}
        className={`${styles.input} ${styles.area}`}
        aria-invalid={message ? true : undefined}
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
