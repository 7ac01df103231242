import { useId } from 'react'
import styles from './SelectField.module.css'

interface Props<V extends string> {
  label: string
  value: V
  options: readonly { value: V; label: string }[]
  onChange: (value: V) => void
}

/** The browser's own select in a filter bar, which is accessible and works well on phones. */
export function SelectField<V extends string>({ label, value, options, onChange }: Props<V>) {
  const id = useId()
  const choose = (text: string): void => {
    const chosen = options.find((option) => option.value === text)
    if (chosen) onChange(chosen.value)
  }
  return (
    <div className={styles.field}>
      <label className={styles.label} htmlFor={id}>
        {label}
      </label>
      <select
        id={id}
        className={styles.select}
        value={value}
        onChange={(event) => choose(event.target.value)}
      >
        {options.map((option) => (
          <option key={option.value} value={option.value}>
            {option.label}
          </option>
        ))}
      </select>
    </div>
  )
}
