import { Field } from '@base-ui/react/field'
import type { InputHTMLAttributes } from 'react'
import { FieldMessage } from './FieldMessage'
import styles from './TextField.module.css'

interface Props extends Omit<InputHTMLAttributes<HTMLInputElement>, 'className'> {
  label: string
  name: string
  defaultValue?: string
  /** Validation without the server: returns a message if the value does not match the other fields' values. */
  validate?: (value: unknown, values: Record<string, unknown>) => string | null
}

export function TextField({ label, name, validate, ...rest }: Props) {
  return (
    <Field.Root className={styles.field} name={name} validate={validate}>
      <Field.Label className={styles.label}>{label}</Field.Label>
      <Field.Control {...rest} className={styles.input} />
      <FieldMessage />
    </Field.Root>
  )
}
