import { useId } from 'react'
import styles from './SelectField.module.css'

interface Props {
  label: string
  value: string
  options: readonly { value: string; label: string }[]
  /** A line in a filter bar or a box in a form. */
  look?: 'line' | 'box'
  /** The error message to show. */
  message?: string | undefined
  onChange: (value: string) => void
}

/** The browser's own select: it is accessible everywhere and at home on a phone. */
export function SelectField({ label, value, options, look = 'line', message, onChange }: Props) {
  const id = useId()
  return (
    <div className={`${styles.field} ${look === 'box' ? styles.box : ''}`}>
      <label className={styles.label} htmlFor={id}>
        {label}
      </label>
      <select
        id={id}
        className={styles.select}
        value={value}
        aria-invalid={message ? true : undefined}
        aria-describedby={message ? `${id}-message` : undefined}
        onChange={(event) => onChange(event.target.value)}
      >
        {options.map((option) => (
          <option key={option.value} value={option.value}>
            {option.label}
          </option>
        ))}
      </select>
      {message && (
        <p className={styles.message} id={`${id}-message`} role="alert">
          {message}
        </p>
      )}
    </div>
  )
}
