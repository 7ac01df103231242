import { useId } from 'react'
import styles from './CheckField.module.css'

interface Props {
  label: string
  name: string
  isChecked: boolean
  /** The error message to show. */
  message?: string | undefined
  onChange: (isChecked: boolean) => void
}

/** The browser's own checkbox with its words beside it, large enough for a thumb. */
export function CheckField({ label, name, isChecked, message, onChange }: Props) {
  const id = useId()
  return (
    <div>
      <label className={styles.field} htmlFor={id}>
        <input
          id={id}
          className={styles.box}
          type="checkbox"
          name={name}
          checked={isChecked}
          aria-invalid={message ? true : undefined}
          aria-describedby={message ? `${id}-message` : undefined}
          onChange={(event) => onChange(event.target.checked)}
        />
        {label}
      </label>
      {message && (
        <p className={styles.message} id={`${id}-message`} role="alert">
          {message}
        </p>
      )}
    </div>
  )
}
