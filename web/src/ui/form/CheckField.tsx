import { Field } from '@base-ui/react/field'
import { useState, type ReactNode } from 'react'
import { FieldMessage } from './FieldMessage'
import styles from './CheckField.module.css'

interface Props {
  label: ReactNode
  name: string
}

/** A checkbox with its label beside it, large enough for a thumb. */
export function CheckField({ label, name }: Props) {
  const [isChecked, setChecked] = useState(false)
  return (
    <Field.Root name={name}>
      <Field.Label className={styles.field}>
        <Field.Control
          className={styles.box}
          type="checkbox"
          checked={isChecked}
          // The form reads values, and a box has the same value with and without its tick.
          value={isChecked ? 'on' : ''}
          onChange={(event) => setChecked(event.currentTarget.checked)}
        />
        {label}
      </Field.Label>
      <FieldMessage />
    </Field.Root>
  )
}
