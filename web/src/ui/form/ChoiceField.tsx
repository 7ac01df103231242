import { Field } from '@base-ui/react/field'
import { FieldMessage } from './FieldMessage'
import styles from './ChoiceField.module.css'
import text from './TextField.module.css'

interface Props {
  label: string
  name: string
  options: readonly string[]
  /** The option that is chosen at first. */
  defaultValue: string
}

/** The browser's own select in a form; filter bars have `SelectField`. */
export function ChoiceField({ label, name, options, defaultValue }: Props) {
  return (
    <Field.Root className={text.field} name={name}>
      <Field.Label className={text.label}>{label}</Field.Label>
      <Field.Control
        className={`${text.input} ${styles.select}`}
        defaultValue={defaultValue}
        render={
          <select>
            {options.map((option) => (
              <option key={option} value={option}>
                {option}
              </option>
            ))}
          </select>
        }
      />
      <FieldMessage />
    </Field.Root>
  )
}
