import { Field } from '@base-ui/react/field'
import { FieldMessage } from './FieldMessage'
import styles from './TextField.module.css'

interface Props {
  label: string
  name: string
  maxLength: number
}

/** A text box of several lines, which grows with its text if the browser supports it. */
export function TextAreaField({ label, name, maxLength }: Props) {
  return (
    <Field.Root className={styles.field} name={name}>
      <Field.Label className={styles.label}>{label}</Field.Label>
      <Field.Control
        className={`${styles.input} ${styles.area}`}
        render={<textarea rows={6} maxLength={maxLength} />}
      />
      <FieldMessage />
    </Field.Root>
  )
}
