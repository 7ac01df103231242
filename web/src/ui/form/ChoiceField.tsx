import { Field } from '@base-ui/react/field'
import { FieldMessage } from './FieldMessage'
import styles from './ChoiceField.module.css'
import text from './TextField.module.css'

interface Props {
  label: string
  name: string
  /** Each with its own label, or with its value as the label. */
  options: readonly (string | { value: string; label: string })[]
  /** The initially chosen option. */
  defaultValue: string
}

/** The browser's own select in a form; filter bars have `SelectField`. */
export function ChoiceField({ label: title, name, options, defaultValue }: Props) {
  return (
    <Field.Root className={text.field} name={name}>
      <Field.Label className={text.label}>{title}</Field.Label>
      <Field.Control
        className={`${text.input} ${styles.select}`}
        defaultValue={defaultValue}
        render={
          <select>
            {options.map((option) => {
              const { value, label } =
                typeof option === 'string' ? { value: option, label: option } : option
              return (
                <option key={value} value={value}>
                  {label}
                </option>
              )
            })}
          </select>
        }
      />
      <FieldMessage />
    </Field.Root>
  )
}
